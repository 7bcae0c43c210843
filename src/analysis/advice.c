#include "analysis/advice.h"

#include <math.h>
#include <string.h>

#include "stats/nested.h"

/* More runs than anybody waits for in one start. */
enum { MOST_RUNS = 20 };

/* Logarithms of the runs of one cell, by visit. */
static void
add_value(GHashTable *cells, const DataRun *run, double value)
{
	GHashTable *units = g_hash_table_lookup(cells, &run->cell);

	if (units == NULL) {
		units = g_hash_table_new_full(g_int64_hash, g_int64_equal,
		    g_free, (GDestroyNotify)g_array_unref);
		g_hash_table_insert(
		    cells, g_memdup2(&run->cell, sizeof run->cell), units);
	}
	GArray *runs = g_hash_table_lookup(units, &run->visit);
	if (runs == NULL) {
		runs = g_array_new(FALSE, FALSE, sizeof(double));
		g_hash_table_insert(
		    units, g_memdup2(&run->visit, sizeof run->visit), runs);
	}
	g_array_append_val(runs, value);
}

static bool
counts(const DataRun *run, GHashTable *visits, const DataLoad *load)
{
	return run->good && !run->warmup && run->load == load->index &&
	    g_hash_table_contains(visits, &run->visit);
}

/* Cell id -> visit id -> GArray of double. */
static GHashTable *
values_of(const StoreData *data, GHashTable *visits, const DataLoad *load,
    const DataMetric *metric)
{
	GHashTable *cells = g_hash_table_new_full(g_int64_hash, g_int64_equal,
	    g_free, (GDestroyNotify)g_hash_table_unref);
	g_autoptr(GHashTable) samples =
	    g_hash_table_new(g_int64_hash, g_int64_equal);

	for (guint i = 0; i < data->samples->len; i++) {
		DataSample *sample = data->samples->pdata[i];
		if (strcmp(sample->metric, metric->name) == 0)
			g_hash_table_insert(
			    samples, &sample->run, &sample->value);
	}
	for (guint i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		const double *value = g_hash_table_lookup(samples, &run->id);
		if (value != NULL && *value > 0 && counts(run, visits, load))
			add_value(cells, run, log(*value));
	}
	return cells;
}

static Components
components_of(GHashTable *units)
{
	const guint n = g_hash_table_size(units);
	g_autofree const double **values = g_new(const double *, n + 1);
	g_autofree size_t *lengths = g_new(size_t, n + 1);
	GHashTableIter iter;
	gpointer runs = NULL;

	g_hash_table_iter_init(&iter, units);
	for (guint i = 0; g_hash_table_iter_next(&iter, NULL, &runs); i++) {
		values[i] = (const double *)(void *)((GArray *)runs)->data;
		lengths[i] = ((GArray *)runs)->len;
	}
	return stats_components(values, lengths, n);
}

/* The mean over the cells that have any; NANs where none has. */
static Components
mean_components(GHashTable *cells)
{
	Components mean = { 0, 0, NAN, false };
	GHashTableIter iter;
	gpointer units = NULL;
	double n = 0;

	g_hash_table_iter_init(&iter, cells);
	while (g_hash_table_iter_next(&iter, NULL, &units)) {
		const Components one = components_of(units);
		if (isnan(one.within))
			continue;
		mean.within += one.within;
		mean.between += one.between;
		n++;
	}
	mean.within /= n;
	mean.between /= n;
	return mean;
}

/* Seconds: of a measured run of this load, and of all else for a step. */
typedef struct {
	double run, unit;
} Costs;

/*
 * What a visit takes beside its measured runs is shared by its steps, a step
 * being the runs of one load for one cell.
 */
static Costs
costs_of(const StoreData *data, GHashTable *visits, const DataLoad *load)
{
	double walls = 0, own = 0, n_own = 0, spent = 0, steps = 0;
	GHashTableIter iter;
	gpointer value = NULL;

	for (guint i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		if (run->warmup || !g_hash_table_contains(visits, &run->visit))
			continue;
		walls += (double)run->wall_ms / 1000;
		steps += run->number == 1;
		if (run->load == load->index) {
			own += (double)run->wall_ms / 1000;
			n_own++;
		}
	}
	g_hash_table_iter_init(&iter, visits);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const DataVisit *visit = value;
		spent += visit->ended - visit->began;
	}
	return (Costs){ own / n_own, (spent - walls) / steps };
}

Advice
advice_of(const StoreData *data, GHashTable *visits, const DataLoad *load,
    const DataMetric *metric)
{
	g_autoptr(GHashTable) cells = values_of(data, visits, load, metric);
	const Components mean = mean_components(cells);
	const Costs costs = costs_of(data, visits, load);

	const double best = stats_best_runs(&mean, costs.unit, costs.run);

	return (Advice){ .run_cv = 100 * sqrt(mean.within),
		.unit_cv = 100 * sqrt(mean.between),
		.best = best,
		.runs = isnan(best)
		    ? 0
		    : (size_t)fmin(fmax(1, ceil(best)), MOST_RUNS),
		.more = best > MOST_RUNS };
}
