#include "analysis/grid.h"

#include <math.h>
#include <string.h>

#include "analysis/stop.h"
#include "store/imported.h"

/* No night has more; a damaged store must not ask for all memory. */
enum { GRID_ROUNDS = 100000 };

static guint64 *
key_new(guint64 key)
{
	return g_memdup2(&key, sizeof key);
}

GHashTable *
grid_visits(const StoreData *data)
{
	GHashTable *chosen = g_hash_table_new(g_int64_hash, g_int64_equal);
	g_autoptr(GHashTable) last =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (visit->status != VISIT_VALID)
			continue;
		char *key = g_strdup_printf(
		    "%zu/%zu/%zu", visit->target, visit->round, visit->server);
		g_hash_table_replace(last, key, visit);
	}
	GHashTableIter iter;
	gpointer visit = NULL;
	g_hash_table_iter_init(&iter, last);
	while (g_hash_table_iter_next(&iter, NULL, &visit))
		g_hash_table_insert(chosen, &((DataVisit *)visit)->id, visit);
	return chosen;
}

size_t
grid_rounds(const StoreData *data)
{
	size_t rounds = data->rounds > 0 ? (size_t)data->rounds : 0;

	for (size_t i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		rounds = MAX(rounds, visit->round);
	}
	return MIN(rounds, GRID_ROUNDS);
}

static bool
load_uses(const DataLoad *load, const DataFactor *factor)
{
	if (factor->class != CLASS_LOAD)
		return true;
	for (size_t i = 0; i < load->variables->len; i++)
		if (strcmp(load->variables->pdata[i], factor->name) == 0)
			return true;
	return false;
}

/* The combination of a cell's levels that count here, as one number. */
static guint64
key_of(const Grid *grid, const DataCell *cell)
{
	guint64 key = 0;

	for (size_t i = 0; i < grid->factors->len; i++) {
		const size_t index = g_array_index(grid->factors, size_t, i);
		const DataFactor *factor = grid->data->factors->pdata[index];
		key = key * MAX(factor->levels->len, 1) +
		    g_array_index(cell->levels, size_t, index);
	}
	return key;
}

size_t
grid_find(const Grid *grid, const DataCell *cell)
{
	const guint64 key = key_of(grid, cell);
	gpointer found = NULL;

	if (!g_hash_table_lookup_extended(grid->by_levels, &key, NULL, &found))
		return SIZE_MAX;
	return GPOINTER_TO_SIZE(found);
}

/* Rows in the order of cells; the rows that are again come last. */
static void
make_rows(Grid *grid)
{
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < grid->data->cells->len; i++) {
			const DataCell *cell = grid->data->cells->pdata[i];
			if (cell->again != (again == 1))
				continue;
			if (again == 0 && grid_find(grid, cell) != SIZE_MAX)
				continue;
			const GridRow row = { cell, cell->again };
			if (again == 0)
				g_hash_table_insert(grid->by_levels,
				    key_new(key_of(grid, cell)),
				    GSIZE_TO_POINTER(grid->rows->len));
			g_array_append_val(grid->rows, row);
		}
}

static void
make_places(Grid *grid)
{
	const size_t rounds = grid_rounds(grid->data);

	for (size_t round = 1; round <= rounds; round++)
		for (size_t i = 0; i < grid->data->targets->len; i++) {
			const GridPlace place = { i, round };
			g_array_append_val(grid->places, place);
		}
}

/* Run id -> double *: the metric's value in each run. */
static GHashTable *
samples_of(const StoreData *data, const char *metric)
{
	GHashTable *values = g_hash_table_new(g_int64_hash, g_int64_equal);

	for (size_t i = 0; i < data->samples->len; i++) {
		DataSample *sample = data->samples->pdata[i];
		if (strcmp(sample->metric, metric) == 0)
			g_hash_table_insert(
			    values, &sample->run, &sample->value);
	}
	return values;
}

/* Cell id -> row, those again too. */
static GHashTable *
rows_of_cells(const Grid *grid)
{
	GHashTable *rows = g_hash_table_new(g_int64_hash, g_int64_equal);

	for (size_t i = 0; i < grid->data->cells->len; i++) {
		DataCell *cell = grid->data->cells->pdata[i];
		size_t row = grid_find(grid, cell);
		if (cell->again)
			for (row = 0; row < grid->rows->len; row++)
				if (grid_row(grid, row)->cell == cell)
					break;
		g_hash_table_insert(rows, &cell->id, GSIZE_TO_POINTER(row));
	}
	return rows;
}

/* Adds up runs, then divides: means hold sums until the end. */
static void
fill(Grid *grid, GHashTable *visits)
{
	const size_t n = (size_t)grid->rows->len * grid->places->len;
	const size_t targets = grid->data->targets->len;
	const size_t rounds = grid_rounds(grid->data);
	g_autofree size_t *counts = g_new0(size_t, n + 1);
	g_autoptr(GHashTable) rows = rows_of_cells(grid);
	g_autoptr(GHashTable) samples =
	    samples_of(grid->data, grid->metric->name);

	for (size_t i = 0; i < grid->data->runs->len; i++) {
		const DataRun *run = grid->data->runs->pdata[i];
		const DataVisit *visit =
		    g_hash_table_lookup(visits, &run->visit);
		const double *value = g_hash_table_lookup(samples, &run->id);
		gpointer row = NULL;
		if (visit == NULL || value == NULL || !isfinite(*value) ||
		    run->warmup || !run->good ||
		    run->load != grid->load->index || visit->round == 0 ||
		    visit->round > rounds || visit->target >= targets ||
		    !g_hash_table_lookup_extended(rows, &run->cell, NULL, &row))
			continue;
		const size_t at = grid_at(grid, GPOINTER_TO_SIZE(row),
		    (visit->round - 1) * targets + visit->target);
		if (*value <= 0)
			grid->positive = false;
		grid->means[at] += *value;
		grid->logs[at] += *value > 0 ? log(*value) : NAN;
		grid->boots[at] = visit->boot;
		counts[at]++;
	}
	for (size_t i = 0; i < n; i++) {
		const double count = (double)counts[i];
		grid->means[i] = counts[i] > 0 ? grid->means[i] / count : NAN;
		grid->logs[i] = counts[i] > 0 ? grid->logs[i] / count : NAN;
	}
}

Grid *
grid_new(const StoreData *data, GHashTable *visits, const DataLoad *load,
    const DataMetric *metric)
{
	Grid *grid = g_new0(Grid, 1);

	grid->data = data;
	grid->load = load;
	grid->metric = metric;
	grid->positive = true;
	grid->imported = imported_from(data) != NULL;
	grid->level = stop_level(data);
	grid->factors = g_array_new(FALSE, FALSE, sizeof(size_t));
	grid->rows = g_array_new(FALSE, FALSE, sizeof(GridRow));
	grid->places = g_array_new(FALSE, FALSE, sizeof(GridPlace));
	grid->by_levels =
	    g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	for (size_t i = 0; i < data->factors->len; i++)
		if (load_uses(load, data->factors->pdata[i]))
			g_array_append_val(grid->factors, i);
	make_rows(grid);
	make_places(grid);
	const size_t n = (size_t)grid->rows->len * grid->places->len + 1;
	grid->means = g_new0(double, n);
	grid->logs = g_new0(double, n);
	grid->boots = g_new0(int64_t, n);
	fill(grid, visits);
	return grid;
}

void
grid_free(Grid *grid)
{
	if (grid == NULL)
		return;
	g_array_unref(grid->factors);
	g_array_unref(grid->rows);
	g_array_unref(grid->places);
	g_hash_table_unref(grid->by_levels);
	g_free(grid->means);
	g_free(grid->logs);
	g_free(grid->boots);
	g_free(grid);
}

size_t
grid_at(const Grid *grid, size_t row, size_t place)
{
	return row * grid->places->len + place;
}

const GridRow *
grid_row(const Grid *grid, size_t row)
{
	return &g_array_index(grid->rows, GridRow, row);
}

size_t
grid_level(const Grid *grid, size_t row, size_t factor)
{
	return g_array_index(grid_row(grid, row)->cell->levels, size_t, factor);
}

size_t
grid_partner(const Grid *grid, size_t row, size_t factor_a, size_t level_a,
    size_t factor_b, size_t level_b)
{
	g_autoptr(GArray) levels =
	    g_array_copy(grid_row(grid, row)->cell->levels);
	DataCell wanted = *grid_row(grid, row)->cell;

	wanted.levels = levels;
	g_array_index(levels, size_t, factor_a) = level_a;
	if (factor_b != SIZE_MAX)
		g_array_index(levels, size_t, factor_b) = level_b;
	return grid_find(grid, &wanted);
}
