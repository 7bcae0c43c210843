#include "store/imported_rows.h"

#include <stdbool.h>

#include "store/imported.h"

static const ImportRow *
row_at(const GArray *rows, guint i)
{
	return &g_array_index(rows, ImportRow, i);
}

const char *
imported_unit_of(const ImportRow *row)
{
	return row->start != NULL ? "starts"
	    : row->boot != NULL   ? "boots"
	    : row->round != NULL  ? "rounds"
				  : "runs";
}

static const char *
or_none(const char *name)
{
	return name == NULL ? "" : name;
}

/* Boots and starts are known by name; a name may be used in each round. */
static char *
boot_key(const ImportRow *row)
{
	return g_strdup_printf(
	    "%s\n%s", or_none(row->round), or_none(row->boot));
}

static char *
start_key(const ImportRow *row)
{
	return g_strdup_printf("%s\n%s\n%s", or_none(row->round),
	    or_none(row->boot), or_none(row->start));
}

static size_t
level_of(const StoreData *data, const ImportRow *row, guint factor)
{
	const DataCell *cell = data->cells->pdata[row->cell];

	return g_array_index(cell->levels, size_t, factor);
}

/* Every unit has one level of the factor. */
static bool
is_constant_within(const StoreData *data, const GArray *rows, guint factor,
    char *(*key_of)(const ImportRow *))
{
	g_autoptr(GHashTable) levels =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < rows->len; i++) {
		const ImportRow *row = row_at(rows, i);
		const gpointer level =
		    GSIZE_TO_POINTER(level_of(data, row, factor) + 1);
		char *key = key_of(row);
		const gpointer before = g_hash_table_lookup(levels, key);
		if (before != NULL && before != level) {
			g_free(key);
			return false;
		}
		g_hash_table_insert(levels, key, level);
	}
	return true;
}

static void
find_classes(StoreData *data, const GArray *rows)
{
	const ImportRow *first = row_at(rows, 0);

	for (guint i = 0; i < data->factors->len; i++) {
		DataFactor *factor = data->factors->pdata[i];
		const bool varies = factor->levels->len > 1;
		factor->class = CLASS_LOAD;
		if (varies && first->boot != NULL &&
		    is_constant_within(data, rows, i, boot_key))
			factor->class = CLASS_BOOT;
		else if (varies && first->start != NULL &&
		    is_constant_within(data, rows, i, start_key))
			factor->class = CLASS_SERVER;
		for (guint j = 0;
		     j < data->loads->len && factor->class == CLASS_LOAD; j++) {
			const DataLoad *load = data->loads->pdata[j];
			g_ptr_array_add(
			    load->variables, g_strdup(factor->name));
		}
	}
}

/* The number of this combination of levels of factors of a class at least. */
static size_t
combination(const StoreData *data, const DataCell *cell, FactorClass least,
    GHashTable *known)
{
	GString *key = g_string_new(NULL);

	for (guint i = 0; i < data->factors->len; i++)
		if (((const DataFactor *)data->factors->pdata[i])->class >=
		    (int)least)
			g_string_append_printf(key, "%zu ",
			    g_array_index(cell->levels, size_t, i));
	const gpointer before = g_hash_table_lookup(known, key->str);
	const gpointer number = before != NULL
	    ? before
	    : GSIZE_TO_POINTER(g_hash_table_size(known) + 1);
	g_hash_table_insert(known, g_string_free(key, FALSE), number);
	return GPOINTER_TO_SIZE(number) - 1;
}

static void
number_combinations(StoreData *data)
{
	g_autoptr(GHashTable) boots =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) servers =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < data->cells->len; i++) {
		DataCell *cell = data->cells->pdata[i];
		cell->boot = combination(data, cell, CLASS_BOOT, boots);
		cell->server = combination(data, cell, CLASS_SERVER, servers);
	}
}

/* What is made while the rows are gone through; each key -> its item. */
typedef struct {
	StoreData *data;
	GHashTable *boots, *visits, *runs;
	GHashTable *rounds; /* of a server combination: visits so far */
} Night;

static int64_t
boot_of(Night *night, const ImportRow *row)
{
	if (row->boot == NULL)
		return 0;
	char *key = boot_key(row);
	DataBoot *boot = g_hash_table_lookup(night->boots, key);
	if (boot != NULL) {
		g_free(key);
		return boot->id;
	}
	boot = g_new0(DataBoot, 1);
	boot->id = night->data->boots->len + 1;
	boot->boot_id = g_strdup_printf("%s%s%s", row->boot,
	    row->round == NULL ? "" : " of round ", or_none(row->round));
	boot->kernel = g_strdup("");
	boot->began = night->data->began;
	g_ptr_array_add(night->data->boots, boot);
	g_hash_table_insert(night->boots, key, boot);
	return boot->id;
}

static void
add_start(Night *night, const DataVisit *visit)
{
	DataStart *start = g_new0(DataStart, 1);

	start->id = visit->id;
	start->visit = visit->id;
	g_ptr_array_add(night->data->starts, start);
}

/*
 * The visit of a row's unit and server combination.  Its round is the how
 * many-th of that combination it is: rounds of an import stand for places
 * alone, and nothing is compared within them.
 */
static const DataVisit *
visit_of(Night *night, const ImportRow *row)
{
	const DataCell *cell = night->data->cells->pdata[row->cell];
	g_autofree char *unit = start_key(row);
	const bool by_run =
	    row->start == NULL && row->boot == NULL && row->round == NULL;
	char *key = g_strdup_printf(
	    "%zu\n%s\n%d", cell->server, unit, by_run ? row->number : 0);
	DataVisit *visit = g_hash_table_lookup(night->visits, key);
	if (visit != NULL) {
		g_free(key);
		return visit;
	}
	const gpointer server = GSIZE_TO_POINTER(cell->server);
	const size_t round =
	    GPOINTER_TO_SIZE(g_hash_table_lookup(night->rounds, server)) + 1;
	g_hash_table_insert(night->rounds, server, GSIZE_TO_POINTER(round));
	visit = g_new0(DataVisit, 1);
	visit->id = night->data->visits->len + 1;
	visit->round = round;
	visit->server = cell->server;
	visit->boot = boot_of(night, row);
	visit->status = VISIT_VALID;
	visit->attempt = 1;
	visit->began = visit->ended = night->data->began;
	g_ptr_array_add(night->data->visits, visit);
	g_hash_table_insert(night->visits, key, visit);
	if (row->start != NULL)
		add_start(night, visit);
	return visit;
}

/* One run has a row for each of its metrics. */
static int64_t
run_of(Night *night, const ImportRow *row)
{
	const DataVisit *visit = visit_of(night, row);
	char *key = g_strdup_printf("%" G_GINT64_FORMAT "\n%zu\n%zu\n%d",
	    visit->id, row->cell, row->load, row->number);
	DataRun *run = g_hash_table_lookup(night->runs, key);

	if (run != NULL) {
		g_free(key);
		return run->id;
	}
	run = g_new0(DataRun, 1);
	run->id = night->data->runs->len + 1;
	run->visit = visit->id;
	run->start = row->start != NULL ? visit->id : 0;
	run->cell = (int64_t)row->cell;
	run->load = row->load;
	run->number = row->number;
	run->warmup = row->number <= 0;
	run->good = true;
	run->began = night->data->began;
	run->cpu_ms = run->server_ms = run->others_ms = run->stolen_ms = -1;
	g_ptr_array_add(night->data->runs, run);
	g_hash_table_insert(night->runs, key, run);
	return run->id;
}

void
imported_night(StoreData *data, const GArray *rows)
{
	g_autoptr(GHashTable) boots =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) visits =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) runs =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) rounds = g_hash_table_new(NULL, NULL);
	Night night = { data, boots, visits, runs, rounds };

	find_classes(data, rows);
	number_combinations(data);
	data->has_server = row_at(rows, 0)->start != NULL;
	for (guint i = 0; i < rows->len; i++) {
		const ImportRow *row = row_at(rows, i);
		DataSample *sample = g_new0(DataSample, 1);
		sample->run = run_of(&night, row);
		sample->metric = g_strdup(row->metric);
		sample->value = row->value;
		g_ptr_array_add(data->samples, sample);
	}
	for (guint i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		data->rounds = MAX(data->rounds, (int)visit->round);
	}
}
