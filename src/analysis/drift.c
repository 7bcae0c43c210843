#include "analysis/drift.h"

#include <math.h>
#include <string.h>

#include "analysis/wording.h"
#include "base/text.h"
#include "stats/order.h"

/* Fewer rounds cannot show a trend at .05, see the manual. */
enum { TREND_ROUNDS = 5, NAME_BYTES = 400 };

/* A first run this far from the others, in logs, is worth a word. */
#define FIRST_RUN .01
#define FIRST_RUN_P .01
#define TREND_P .05

static void
warn(Analysis *analysis, const AnalysisLoad *load, const char *format,
    double change, double p)
{
	g_autofree char *name = text_printable(load->load->name, NAME_BYTES);
	g_autofree char *by =
	    wording_signed(100 * expm1(change), fabs(change) < .01 ? 2 : 1);
	g_autofree char *chance = wording_p(p);
	g_auto(GStrv) parts = g_strsplit(format, "@", 3);

	g_ptr_array_add(analysis->warnings,
	    g_strdup_printf("%s: %s%s %%%s%s%s", name, parts[0], by, parts[1],
		chance, parts[2]));
}

/* The mean over rows of one round's logarithms; NAN if a row has none. */
static double
round_mean(const AnalysisLoad *load, size_t round)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < load->rows->len; i++) {
		const AnalysisRow *row = load->rows->pdata[i];
		double value = NAN;
		for (size_t j = 0; j < row->rounds->len; j++)
			if (g_array_index(row->rounds, size_t, j) == round)
				value = g_array_index(row->values, double, j);
		if (!(value > 0))
			return NAN;
		sum += log(value);
		n++;
	}
	return n == 0 ? NAN : sum / (double)n;
}

/* Contrasts within rounds do not mind, the tables' spread does. */
static void
warn_trend(Analysis *analysis, const AnalysisLoad *load)
{
	g_autoptr(GArray) means = g_array_new(FALSE, FALSE, sizeof(double));

	for (size_t round = 1; round <= analysis->rounds; round++) {
		const double mean = round_mean(load, round);
		if (!isnan(mean))
			g_array_append_val(means, mean);
	}
	const double *values = (const double *)(void *)means->data;
	if (means->len < TREND_ROUNDS)
		return;
	const double p = stats_trend_p(values, means->len);
	if (p < TREND_P)
		warn(analysis, load,
		    "drift over the rounds, @ from the first to the last "
		    "(trend p @); it cancels out within rounds, but widens "
		    "the tables' Stddev.",
		    values[means->len - 1] - values[0], p);
}

/* The runs of one cell in one start. */
typedef struct {
	double first, sum; /* of logarithms */
	size_t others;
} Runs;

static GHashTable *
runs_of(const StoreData *data, GHashTable *visits, const AnalysisLoad *load)
{
	GHashTable *units =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autoptr(GHashTable) samples =
	    g_hash_table_new(g_int64_hash, g_int64_equal);

	for (size_t i = 0; i < data->samples->len; i++) {
		DataSample *sample = data->samples->pdata[i];
		if (strcmp(sample->metric, load->metric->name) == 0)
			g_hash_table_insert(
			    samples, &sample->run, &sample->value);
	}
	for (size_t i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		const double *value = g_hash_table_lookup(samples, &run->id);
		if (run->load != load->load->index || run->warmup ||
		    !run->good || value == NULL || !(*value > 0) ||
		    !g_hash_table_contains(visits, &run->visit))
			continue;
		char *key =
		    g_strdup_printf("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT
				    "/%" G_GINT64_FORMAT,
			run->visit, run->start, run->cell);
		Runs *runs = g_hash_table_lookup(units, key);
		if (runs == NULL) {
			runs = g_new0(Runs, 1);
			runs->first = NAN;
			g_hash_table_insert(units, g_strdup(key), runs);
		}
		g_free(key);
		if (run->number == 1)
			runs->first = log(*value);
		else {
			runs->sum += log(*value);
			runs->others++;
		}
	}
	return units;
}

static void
warn_first_runs(
    Analysis *analysis, GHashTable *visits, const AnalysisLoad *load)
{
	g_autoptr(GHashTable) units = runs_of(analysis->data, visits, load);
	g_autoptr(GArray) differences =
	    g_array_new(FALSE, FALSE, sizeof(double));
	GHashTableIter iter;
	gpointer value = NULL;

	g_hash_table_iter_init(&iter, units);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const Runs *runs = value;
		if (isnan(runs->first) || runs->others == 0)
			continue;
		const double difference =
		    runs->first - runs->sum / (double)runs->others;
		g_array_append_val(differences, difference);
	}
	const RatioTest test = stats_paired_log(
	    (const double *)(void *)differences->data, differences->len, .95);
	const double change = log(test.ratio.estimate);
	if (test.valid && test.p < FIRST_RUN_P && fabs(change) > FIRST_RUN)
		warn(analysis, load,
		    analysis->data->has_server
			? "the first measured run of a start differs from the "
			  "later ones, by @ (p @): the warm-up is too short."
			: "the first measured run of a visit differs from the "
			  "later ones, by @ (p @): the warm-up is too short.",
		    change, test.p);
}

void
drift_warn(Analysis *analysis, GHashTable *visits)
{
	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		/* Rounds of several hosts are not one sequence. */
		if (analysis->data->targets->len == 1)
			warn_trend(analysis, load);
		warn_first_runs(analysis, visits, load);
	}
}
