#include "analysis/others.h"

#include <math.h>
#include <string.h>

#include "analysis/wording.h"

/* Ten ticks of the clock that CPU time is counted by. */
enum { LEAST_MS = 100 };

double
others_percent(int64_t others_ms, int64_t cpu_ms)
{
	if (others_ms < 0 || cpu_ms <= 0)
		return NAN;
	return 100 * (double)others_ms / (double)cpu_ms;
}

bool
others_disturb(int64_t others_ms, int64_t cpu_ms, double limit)
{
	return others_ms >= LEAST_MS &&
	    others_percent(others_ms, cpu_ms) > limit;
}

char *
others_words(int64_t others_ms, int64_t cpu_ms, double limit)
{
	g_autofree char *most = wording_short(limit);

	return g_strdup_printf("others used %.0f %% of the CPU time, the limit "
			       "is %s %%",
	    others_percent(others_ms, cpu_ms), most);
}

/* The visits that did not become quiet: set of their ids. */
static GHashTable *
noisy_visits(const StoreData *data, GHashTable *valid, Others *others)
{
	GHashTable *noisy = g_hash_table_new(g_int64_hash, g_int64_equal);

	for (size_t i = 0; i < data->facts->len; i++) {
		DataFact *fact = data->facts->pdata[i];
		if (strcmp(fact->scope, "visit") != 0 ||
		    strcmp(fact->key, "quiet.quiet") != 0 ||
		    !g_hash_table_contains(valid, &fact->id))
			continue;
		others->gated++;
		if (strcmp(fact->value, "yes") == 0)
			continue;
		others->noisy++;
		(void)g_hash_table_add(noisy, &fact->id);
	}
	return noisy;
}

Others
others_of(const StoreData *data, GHashTable *valid)
{
	Others others = { .most = NAN, .mean = NAN };
	g_autoptr(GHashTable) noisy = noisy_visits(data, valid, &others);
	double sum = 0;

	others.quiet = others.gated - others.noisy;
	others.visits = g_hash_table_size(valid);
	for (size_t i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		if (run->warmup || !run->good ||
		    !g_hash_table_contains(valid, &run->visit))
			continue;
		const double percent =
		    others_percent(run->others_ms, run->cpu_ms);
		others.runs++;
		others.disturbed += others_disturb(run->others_ms, run->cpu_ms,
					data->others_percent) ||
		    g_hash_table_contains(noisy, &run->visit);
		if (isnan(percent))
			continue;
		others.watched++;
		sum += percent;
		if (!(percent <= others.most))
			others.most = percent;
	}
	if (others.watched > 0)
		others.mean = sum / (double)others.watched;
	return others;
}
