#include "run/settle.h"

#include "analysis/stop.h"
#include "base/log.h"

bool
settle_rounds(Store *store, const size_t *stopped, size_t n, GError **error)
{
	const size_t round = n > 1 ? stopped[0] : 0;

	for (size_t i = 0; i < n; i++)
		if (stopped[i] != round)
			return true;
	if (round < 2)
		return true;
	g_autoptr(StoreData) data = store_read(store, error);
	if (data == NULL)
		return false;
	for (guint i = 0; i < data->visits->len; i++)
		if (((DataVisit *)data->visits->pdata[i])->round >= round)
			return true;
	g_autofree char *text = g_strdup_printf(
	    "from %d to %zu rounds: no host had the time to begin round %zu",
	    data->rounds, round - 1, round);
	log_info("shortened %s", text);
	return store_rounds(
	    store, (int)round - 1, STOP_EVENT_SHORTENED, text, error);
}
