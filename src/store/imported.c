#include "store/imported.h"

#include <string.h>

#include "base/text.h"
#include "store/imported_rows.h"
#include "store/rows.h"

/* What names are kept in at a time. */
enum { NAMES_BYTES = 4096 };

static void
add_fact(StoreData *data, const char *key, const char *value)
{
	DataFact *fact = g_new0(DataFact, 1);

	fact->scope = g_strdup("experiment");
	fact->key = g_strdup(key);
	fact->value = g_strdup(value);
	g_ptr_array_add(data->facts, fact);
}

static void
describe(StoreData *data, const char *text, size_t length,
    const ImportWish *wish, const char *unit)
{
	g_autofree char *base = g_path_get_basename(wish->path);
	g_autofree char *stem = g_str_has_suffix(base, ".csv")
	    ? g_strndup(base, strlen(base) - strlen(".csv"))
	    : g_strdup(base);
	g_autofree char *safe = text_safe_name(stem);

	data->name = g_strdup_printf("%s-imported", safe);
	data->title = g_strdup(wish->title != NULL ? wish->title : stem);
	data->identity = text_sha256(text, length);
	data->matrix_path = g_strdup(wish->path);
	data->version = g_strdup(wish->version);
	data->server = g_strdup("");
	data->began = data->ended = wish->now;
	data->margin_percent = wish->margin_percent;
	data->others_percent = 100;
	g_ptr_array_add(data->targets, g_strdup("imported"));
	add_fact(data, "imported", wish->path);
	add_fact(data, "imported_unit", unit);
}

StoreData *
imported_read(
    const char *text, size_t length, const ImportWish *wish, GError **error)
{
	g_autoptr(StoreData) data = store_data_new();
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(ImportRow));
	g_autoptr(GStringChunk) names = g_string_chunk_new(NAMES_BYTES);
	ImportTable table = { rows, names };

	if (!imported_table(data, text, length, wish, &table, error))
		return NULL;
	const ImportRow *first = &g_array_index(rows, ImportRow, 0);
	describe(data, text, length, wish, imported_unit_of(first));
	data->baseline = first->cell;
	imported_night(data, rows);
	return g_steal_pointer(&data);
}

const char *
imported_from(const StoreData *data)
{
	return store_data_fact(data, "imported");
}

const char *
imported_unit(const StoreData *data)
{
	const char *unit = store_data_fact(data, "imported_unit");

	return unit != NULL ? unit : "runs";
}
