/*
 * Simulated measurements, of which the truth is known: how often intervals
 * hold it, and how often a difference is shown where there is none.
 *
 *     simtool coverage WAY N COUNT SEED   WAY: welch, of two sets of N values;
 *                                         rounds, of N differences; of ratios
 *                                         of means fieller, kalibera, bca and
 *                                         percentile, of two sets; prints the
 *                                         share of 95 % intervals that hold
 *                                         the true ratio, in per cent
 *     simtool looks N COUNT SEED          two sets of one distribution, looked
 *                                         at five times, after each N values;
 *                                         prints per cent of them in which a
 *                                         difference is shown: by the looks'
 *                                         bounds, and by p below .05
 *     simtool same COUNT SEED             nights in which a kernel is compared
 *                                         with itself; prints per cent of them
 *                                         in which a difference is shown: by
 *                                         the analysis, and by a test on runs
 *     simtool stop FIRST LOOKS HOSTS COUNT SEED
 *                                         nights of two cells on so many hosts
 *                                         that end by the width of their
 *                                         intervals, first looked at after
 *                                         FIRST rounds, or at the cap; prints
 *                                         per cent of them whose interval then
 *                                         holds the true ratio, how many ended
 *                                         by width, and rounds in the mean
 *
 * Values are log-normal.  Seeds are for base/random.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "../unit/nights.h"
#include "analysis/analysis.h"
#include "analysis/stop.h"
#include "base/random.h"
#include "stats/bootstrap.h"
#include "stats/fieller.h"
#include "stats/looks.h"
#include "stats/stats.h"

enum { MOST = 100, ROUNDS = 6, RUNS = 5, CAP = 50 };

/* Coefficients of variation, as standard deviations of logs. */
#define CELL_SD .02
#define BOOT_SD .01
#define RUN_SD .004
#define TRUE_RATIO 1.03

/* Box and Muller's, of the uniform numbers in (0, 1]. */
static double
normal(Random *random)
{
	const double unit = ldexp(1, -53);
	const double u = (double)((random_next(random) >> 11) + 1) * unit;
	const double v = (double)(random_next(random) >> 11) * unit;

	return sqrt(-2 * log(u)) * cos(2 * G_PI * v);
}

typedef struct {
	double base[MOST], test[MOST];
	size_t n;
} Drawn;

/* Two sets that have rounds in common; in_rounds: base is differences. */
static void
draw_sets(Drawn *drawn, Random *random, bool in_rounds)
{
	for (size_t i = 0; i < drawn->n; i++) {
		const double round = CELL_SD * normal(random);
		const double x = round + CELL_SD * normal(random);
		const double y =
		    round + CELL_SD * normal(random) + log(TRUE_RATIO);
		drawn->base[i] = in_rounds ? y - x : 5000 * exp(x - round);
		drawn->test[i] = 5000 * exp(y - round);
	}
}

static Interval
by_welch(const Drawn *drawn)
{
	return stats_welch_log(
	    drawn->base, drawn->n, drawn->test, drawn->n, .95)
	    .ratio;
}

static Interval
by_rounds(const Drawn *drawn)
{
	return stats_paired_log(drawn->base, drawn->n, .95).ratio;
}

static Interval
by_fieller(const Drawn *drawn)
{
	const Summary x = stats_summary(drawn->base, drawn->n);
	const Summary y = stats_summary(drawn->test, drawn->n);

	return stats_fieller_welch(&x, &y, .95, NULL);
}

static Interval
by_kalibera(const Drawn *drawn)
{
	const Summary x = stats_summary(drawn->base, drawn->n);
	const Summary y = stats_summary(drawn->test, drawn->n);

	return stats_kalibera_jones(&x, &y, .95);
}

static Interval
by_bca(const Drawn *drawn)
{
	return stats_bootstrap(
	    drawn->base, drawn->n, drawn->test, drawn->n, .95, 1)
	    .ratio;
}

static Interval
by_percentile(const Drawn *drawn)
{
	return stats_bootstrap(
	    drawn->base, drawn->n, drawn->test, drawn->n, .95, 1)
	    .percentile;
}

static const struct {
	const char *name;
	Interval (*interval)(const Drawn *drawn);
} ways[] = {
	{ "welch", by_welch },
	{ "rounds", by_rounds },
	{ "fieller", by_fieller },
	{ "kalibera", by_kalibera },
	{ "bca", by_bca },
	{ "percentile", by_percentile },
};

static int
coverage(const char *way, size_t n, size_t count, uint64_t seed)
{
	size_t held = 0, chosen = 0;

	while (
	    chosen < G_N_ELEMENTS(ways) && strcmp(way, ways[chosen].name) != 0)
		chosen++;
	if (chosen == G_N_ELEMENTS(ways) || n < 2 || n > MOST || count == 0)
		return 2;
	for (size_t i = 0; i < count; i++) {
		Random random = random_stream(seed, way, i);
		Drawn drawn = { .n = n };
		draw_sets(&drawn, &random, strcmp(way, "rounds") == 0);
		const Interval ratio = ways[chosen].interval(&drawn);
		if (ratio.low <= TRUE_RATIO && TRUE_RATIO <= ratio.high)
			held++;
	}
	(void)printf("%.3f\n", 100 * (double)held / (double)count);
	return 0;
}

static int
looks(size_t n, size_t count, uint64_t seed)
{
	enum { LOOKS = 5 };
	Look planned[LOOKS];
	size_t shown = 0, naive = 0;

	if (n < 2 || n * LOOKS > MOST || count == 0 ||
	    !stats_looks(LOOKS, .95, planned))
		return 2;
	for (size_t i = 0; i < count; i++) {
		Random random = random_stream(seed, "looks", i);
		Drawn drawn = { .n = n * LOOKS };
		bool by_bound = false, by_p = false;
		draw_sets(&drawn, &random, false);
		for (size_t j = 0; j < drawn.n; j++)
			drawn.test[j] /= TRUE_RATIO;
		for (size_t k = 0; k < LOOKS; k++) {
			const double p = stats_welch_log(drawn.base,
			    n * (k + 1), drawn.test, n * (k + 1), .95)
					     .p;
			by_bound = by_bound || p < planned[k].p;
			by_p = by_p || p < .05;
		}
		shown += by_bound;
		naive += by_p;
	}
	(void)printf("%.3f %.3f\n", 100 * (double)shown / (double)count,
	    100 * (double)naive / (double)count);
	return 0;
}

/* Both kernels are one: what differs are boots, and runs in them. */
static StoreData *
draw_night(Random *random, double *runs[2])
{
	StoreData *data = night_of_two("same", "kernel", CLASS_BOOT, "A", "B");

	data->rounds = ROUNDS;
	data->runs_wanted = RUNS;
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < 2; i++) {
			const size_t cell = (round + i) % 2;
			const double boot = BOOT_SD * normal(random);
			const DataVisit *visit = night_visit(
			    data, round + 1, cell, night_boot(data, 0, true));
			for (int run = 0; run < RUNS; run++) {
				const double value =
				    5000 * exp(boot + RUN_SD * normal(random));
				night_run(data, visit, cell, 0, run + 1, value);
				runs[cell][round * RUNS + (size_t)run] = value;
			}
		}
	return data;
}

static bool
is_shown(const StoreData *data)
{
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisLoad *load = analysis->loads->pdata[0];
	const AnalysisContrast *contrast = load->contrasts->pdata[0];

	if (isnan(contrast->p))
		g_error("no verdict: %s", contrast->reason);
	return contrast->verdict == VERDICT_FASTER ||
	    contrast->verdict == VERDICT_SLOWER;
}

static int
same(size_t count, uint64_t seed)
{
	double base[ROUNDS * RUNS], test[ROUNDS * RUNS];
	double *runs[2] = { base, test };
	size_t shown = 0, naive = 0;

	if (count == 0)
		return 2;
	for (size_t i = 0; i < count; i++) {
		Random random = random_stream(seed, "same", i);
		StoreData *data = draw_night(&random, runs);
		shown += is_shown(data);
		naive += stats_welch_log(base, G_N_ELEMENTS(base), test,
			     G_N_ELEMENTS(test), .95)
			     .p < .05;
		store_data_free(data);
	}
	(void)printf("%.3f %.3f\n", 100 * (double)shown / (double)count,
	    100 * (double)naive / (double)count);
	return 0;
}

static StoreData *
begin_night(size_t first, size_t looks, size_t hosts)
{
	StoreData *data =
	    night_of_two("stop", "library", CLASS_SERVER, "A", "B");
	/* One standard deviation of a difference. */
	const double halfwidth = 100 * expm1(CELL_SD * G_SQRT2);
	char *facts[] = { g_strdup_printf("%.6f", halfwidth),
		g_strdup_printf("%zu", first), g_strdup_printf("%d", CAP),
		g_strdup_printf("%zu", looks) };
	static const char *const keys[] = { STOP_FACT_HALFWIDTH,
		STOP_FACT_FIRST, STOP_FACT_MOST, STOP_FACT_LOOKS };

	for (size_t i = 2; i <= hosts; i++)
		g_ptr_array_add(data->targets, g_strdup_printf("lab%zu", i));
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		DataFact *fact = g_new0(DataFact, 1);
		fact->scope = g_strdup("experiment");
		fact->key = g_strdup(keys[i]);
		fact->value = facts[i];
		g_ptr_array_add(data->facts, fact);
	}
	data->rounds = (int)first;
	return data;
}

static void
draw_round(StoreData *data, size_t round, size_t host, Random *random)
{
	const double shared = CELL_SD * normal(random);

	for (size_t cell = 0; cell < 2; cell++) {
		DataVisit *visit = night_visit(data, round, cell, 1);
		visit->target = host;
		const double change = cell == 1 ? log(TRUE_RATIO) : 0;
		night_run(data, visit, cell, 0, 1,
		    5000 * exp(shared + change + CELL_SD * normal(random)));
	}
}

/* *narrow: it ended by width; rounds are added to *rounds. */
static bool
stopped_night_holds(size_t first, size_t looks, size_t hosts, Random *random,
    size_t *narrow, size_t *rounds)
{
	StoreData *data = begin_night(first, looks, hosts);
	size_t made = 0;

	for (bool more = true; more;) {
		for (; made < (size_t)data->rounds; made++)
			for (size_t host = 0; host < hosts; host++)
				draw_round(data, made + 1, host, random);
		g_auto(StopLook) look = stop_look(data, NULL);
		more = look.decision == STOP_GO_ON;
		*narrow += look.decision == STOP_NARROW;
		data->rounds = (int)look.rounds;
	}
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisLoad *load = analysis->loads->pdata[0];
	const AnalysisContrast *contrast = load->contrasts->pdata[0];
	const double truth = 100 * (TRUE_RATIO - 1);
	const bool held =
	    contrast->percent.low <= truth && truth <= contrast->percent.high;
	*rounds += made;
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
	return held;
}

static int
stop(size_t first, size_t looks, size_t hosts, size_t count, uint64_t seed)
{
	size_t held = 0, narrow = 0, rounds = 0;

	if (first < 2 || first > CAP || hosts < 1 || count == 0)
		return 2;
	for (size_t i = 0; i < count; i++) {
		Random random = random_stream(seed, "stop", i);
		held += stopped_night_holds(
		    first, looks, hosts, &random, &narrow, &rounds);
	}
	(void)printf("%.3f %.3f %.3f\n", 100 * (double)held / (double)count,
	    100 * (double)narrow / (double)count,
	    (double)rounds / (double)count);
	return 0;
}

static uint64_t
number(const char *word)
{
	return g_ascii_strtoull(word, NULL, 10);
}

int
main(int argc, char **argv)
{
	if (argc == 6 && strcmp(argv[1], "coverage") == 0)
		return coverage(
		    argv[2], number(argv[3]), number(argv[4]), number(argv[5]));
	if (argc == 5 && strcmp(argv[1], "looks") == 0)
		return looks(number(argv[2]), number(argv[3]), number(argv[4]));
	if (argc == 4 && strcmp(argv[1], "same") == 0)
		return same(number(argv[2]), number(argv[3]));
	if (argc == 7 && strcmp(argv[1], "stop") == 0)
		return stop(number(argv[2]), number(argv[3]), number(argv[4]),
		    number(argv[5]), number(argv[6]));
	(void)fputs("usage: simtool coverage WAY N COUNT SEED\n"
		    "       simtool looks N COUNT SEED\n"
		    "       simtool same COUNT SEED\n"
		    "       simtool stop FIRST LOOKS HOSTS COUNT SEED\n",
	    stderr);
	return 2;
}
