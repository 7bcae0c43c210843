/*
 * What R says of the four cells of the 2007 post together, key by key, and the
 * quantiles that no test of one subject asks for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include <Rmath.h>

#include "stats/groups.h"
#include "stats/ranks.h"
#include "stats/stats.h"

#include "stats_pairs.h"

enum { CELLS = G_N_ELEMENTS(golden_cells) };

/* golden.R's contrasts of the cells. */
static const struct {
	const char *name;
	double weights[CELLS];
} contrasts[] = {
	{ "libthr_minus_libpthread__4bsd", { -1, 1, 0, 0 } },
	{ "libthr_minus_libpthread__ule", { 0, 0, -1, 1 } },
	{ "ule_minus_4bsd__libpthread", { -1, 0, 1, 0 } },
	{ "ule_minus_4bsd__libthr", { 0, -1, 0, 1 } },
	{ "main_sched_ule_minus_4bsd", { -.5, -.5, .5, .5 } },
	{ "main_lib_libthr_minus_libpthread", { -.5, .5, -.5, .5 } },
	{ "interaction", { 1, -1, -1, 1 } },
};

/* The cells of one metric, as they are or as logarithms. */
typedef struct {
	GArray *sets[CELLS];
	const double *groups[CELLS];
	size_t lengths[CELLS];
	json_t *root;
} Design;

static void
design_init(Design *design, const char *metric, bool logs)
{
	g_autofree char *path =
	    g_strdup_printf(DATA "r/s1_%s_design.json", metric);

	design->root = golden_json(path);
	for (size_t i = 0; i < CELLS; i++) {
		GArray *set = golden_set(metric, golden_cells[i].file);
		for (size_t j = 0; j < set->len && logs; j++)
			g_array_index(set, double, j) =
			    log(g_array_index(set, double, j));
		design->sets[i] = set;
		design->groups[i] = golden_values(set);
		design->lengths[i] = set->len;
	}
}

static void
design_clear(Design *design)
{
	for (size_t i = 0; i < CELLS; i++)
		g_array_unref(design->sets[i]);
	json_decref(design->root);
}

/*
 * A contrast whose cells without weight count for nothing; here they are left
 * out, since each set that is given must vary.
 */
static MeanTest
contrast_of(const Design *design, const double *weights)
{
	const double *groups[CELLS] = { NULL };
	size_t lengths[CELLS] = { 0 }, n = 0;
	double used[CELLS] = { 0 };

	for (size_t i = 0; i < CELLS; i++) {
		if (weights[i] == 0)
			continue;
		groups[n] = design->groups[i];
		lengths[n] = design->lengths[i];
		used[n++] = weights[i];
	}
	return stats_contrast(groups, lengths, used, n, .95);
}

static void
check_contrast(const MeanTest *t, const json_t *r)
{
	assert_true(t->valid);
	assert_true(fabs(t->difference.estimate - golden_at(r, "estimate")) <
	    1e-12 * fmax(1, fabs(golden_at(r, "estimate"))));
	assert_digits(t->se, golden_at(r, "se"), 11.5);
	assert_digits(t->df, golden_at(r, "df"), 11.5);
	assert_digits(t->t, golden_at(r, "t"), 10);
	assert_digits(t->p, golden_at(r, "p"), 10);
	assert_digits(t->difference.low, golden_at(r, "ci95/0"), 10);
	assert_digits(t->difference.high, golden_at(r, "ci95/1"), 10);
}

static void
contrasts_of_cells_agree_with_r(void **state)
{
	(void)state;
	for (size_t m = 0; m < 4; m++) {
		const bool logs = m >= 2;
		Design design;
		design_init(&design, m % 2 == 0 ? "select" : "update", logs);
		const json_t *list = json_object_get(design.root,
		    logs ? "contrasts_satterthwaite_log"
			 : "contrasts_satterthwaite_raw");
		double p[G_N_ELEMENTS(contrasts)];
		for (size_t i = 0; i < G_N_ELEMENTS(contrasts); i++) {
			const json_t *r =
			    json_object_get(list, contrasts[i].name);
			const MeanTest t =
			    contrast_of(&design, contrasts[i].weights);
			check_contrast(&t, r);
			p[i] = t.p;
			if (!logs)
				continue;
			assert_digits(exp(t.difference.estimate),
			    golden_at(r, "ratio"), 12);
			assert_digits(exp(t.difference.low),
			    golden_at(r, "ratio_ci95/0"), 12);
			assert_digits(exp(t.difference.high),
			    golden_at(r, "ratio_ci95/1"), 12);
		}
		/* The family of all seven, after Holm. */
		stats_holm(p, G_N_ELEMENTS(contrasts));
		for (size_t i = 0; i < G_N_ELEMENTS(contrasts) && logs; i++)
			assert_digits(p[i],
			    golden_at(json_object_get(
					  design.root, "contrasts7_log_holm"),
				contrasts[i].name),
			    10);
		design_clear(&design);
	}
}

/* F of a contrast of four cells of five, all of one variance. */
static double
f_of(const Design *design, const Anova *anova, const double *weights)
{
	double estimate = 0;

	for (size_t i = 0; i < CELLS; i++)
		estimate += weights[i] *
		    stats_summary(design->groups[i], design->lengths[i]).mean;
	const double mean_square = anova->within / anova->df_within;
	double factor = 0;
	for (size_t i = 0; i < CELLS; i++)
		factor += weights[i] * weights[i] / (double)design->lengths[i];
	return estimate * estimate / (mean_square * factor);
}

static void
check_line(
    double got, const json_t *r, const char *key, int line, double digits)
{
	g_autofree char *path = g_strdup_printf("%s/%d", key, line);

	assert_digits(got, golden_at(r, path), digits);
}

/*
 * Scheduler, library and interaction are three contrasts that divide up what
 * is between the four cells; what is within them is the one-way analysis's.
 */
static void
factors_are_as_in_rs_two_way_analysis(void **state)
{
	(void)state;
	for (size_t m = 0; m < 4; m++) {
		const bool logs = m >= 2;
		Design design;
		design_init(&design, m % 2 == 0 ? "select" : "update", logs);
		const Anova anova =
		    stats_anova(design.groups, design.lengths, CELLS);
		const json_t *r = json_object_get(
		    design.root, logs ? "anova_log" : "anova_raw");
		double between = 0;
		for (int i = 0; i < 3; i++) {
			const double f =
			    f_of(&design, &anova, contrasts[4 + i].weights);
			const double ms = anova.within / anova.df_within;
			check_line(f, r, "F", i, 10);
			check_line(f * ms, r, "ss", i, 10);
			check_line(f * ms, r, "ms", i, 10);
			check_line(pf(f, 1, anova.df_within, FALSE, FALSE), r,
			    "p", i, 9.5);
			between += f * ms;
		}
		check_line(anova.within, r, "ss", 3, 11.5);
		check_line(anova.within / anova.df_within, r, "ms", 3, 11.5);
		check_line(anova.df_within, r, "df", 3, 15);
		assert_digits(between, anova.between, 11);
		assert_digits(sqrt(anova.within / anova.df_within),
		    golden_at(design.root,
			logs ? "residual_sd_log" : "residual_sd_raw"),
		    11.5);
		if (!logs) {
			const json_t *one =
			    json_object_get(design.root, "oneway_anova");
			check_line(anova.between, one, "ss", 0, 12);
			check_line(
			    anova.between / anova.df_between, one, "ms", 0, 12);
			check_line(anova.df_between, one, "df", 0, 15);
			assert_digits(
			    anova.between / (anova.between + anova.within),
			    golden_at(design.root, "r2_raw"), 12);
		}
		design_clear(&design);
	}
}

/* Welch's test of every pair of cells, and Mann and Whitney's, adjusted. */
static void
pairs_of_cells_are_adjusted_as_in_r(void **state)
{
	(void)state;
	for (size_t m = 0; m < 2; m++) {
		const char *metric = m == 0 ? "select" : "update";
		Design design;
		double welch[G_N_ELEMENTS(golden_pairs)];
		double ranks[G_N_ELEMENTS(golden_pairs)];
		design_init(&design, metric, false);
		for (size_t i = 0; i < G_N_ELEMENTS(golden_pairs); i++) {
			g_autoptr(GArray) x =
			    golden_set(metric, golden_pairs[i].base);
			g_autoptr(GArray) y =
			    golden_set(metric, golden_pairs[i].test);
			const double *const groups[] = { golden_values(x),
				golden_values(y) };
			const size_t lengths[] = { x->len, y->len };
			const double weights[] = { -1, 1 };
			welch[i] =
			    stats_contrast(groups, lengths, weights, 2, .95).p;
			ranks[i] = stats_mann_whitney(
			    groups[0], lengths[0], groups[1], lengths[1])
				       .p;
			assert_digits(welch[i],
			    golden_at(json_object_get(design.root, "welch6_p"),
				golden_pairs[i].pair),
			    11);
			assert_digits(ranks[i],
			    golden_at(json_object_get(design.root, "mw6_p"),
				golden_pairs[i].pair),
			    13);
		}
		stats_holm(welch, G_N_ELEMENTS(golden_pairs));
		stats_holm(ranks, G_N_ELEMENTS(golden_pairs));
		for (size_t i = 0; i < G_N_ELEMENTS(golden_pairs); i++) {
			assert_digits(welch[i],
			    golden_at(
				json_object_get(design.root, "welch6_holm"),
				golden_pairs[i].pair),
			    11);
			assert_digits(ranks[i],
			    golden_at(json_object_get(design.root, "mw6_holm"),
				golden_pairs[i].pair),
			    13);
		}
		design_clear(&design);
	}
}

static void
the_rest_of_the_quantiles_agrees_with_r(void **state)
{
	static const struct {
		const char *key;
		double df;
	} points[] = { { "df1", 1 }, { "df8", 8 }, { "inf", INFINITY } };
	json_t *root = golden_json(DATA "r/quantiles_power.json");
	const json_t *r = json_object_get(root, "quantiles");

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(points); i++) {
		assert_digits(stats_t_quantile(.995, points[i].df),
		    golden_at(json_object_get(r, "qt_9975"), points[i].key),
		    13);
		assert_digits(stats_t_quantile(.998, points[i].df),
		    golden_at(json_object_get(r, "qt_999"), points[i].key), 12);
	}
	json_decref(root);
}

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of all differences, in order, the interval ends at R's k-th ones. */
static void
shifts_end_at_rs_differences(void **state)
{
	g_auto(GStrv) lines = golden_lines(DATA "r/hl_ci_levels.csv");

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		const size_t n = (size_t)atoi(column[0]);
		const size_t k = (size_t)atoi(column[2]);
		double base[10], test[10], all[100];
		for (size_t j = 0; j < n; j++) {
			base[j] = (double)j;
			test[j] = 10.5 * (double)(j + 1);
		}
		for (size_t j = 0; j < n * n; j++)
			all[j] = test[j / n] - base[j % n];
		qsort(all, n * n, sizeof *all, compare);
		const ShiftTest shift =
		    stats_hodges_lehmann(base, n, test, n, .95);
		assert_int_equal(n, atoi(column[1]));
		assert_true(shift.shift.low == all[k - 1]);
		assert_true(shift.shift.high == all[n * n - k]);
	}
}

static void
a_cell_of_one_value_leaves_a_contrast_without_interval(void **state)
{
	const double a[] = { 1, 2, 3 }, b[] = { 4, 5, 7 };
	const double inf[] = { 1, INFINITY, 2 };
	const double *const groups[] = { a, b, a, b };
	const double *const bad[] = { a, inf };
	const size_t lengths[] = { 3, 3, 1, 3 }, three[] = { 3, 3 };
	const double weights[] = { 1, -1, -1, 1 };

	(void)state;
	const MeanTest t = stats_contrast(groups, lengths, weights, 4, .95);
	assert_false(t.valid);
	assert_digits(t.difference.estimate, 2 - 1, 14);
	assert_true(isnan(t.p) && isnan(t.difference.low));
	assert_false(stats_contrast(bad, three, weights, 2, .95).valid);
	assert_true(isnan(stats_contrast(bad, three, weights, 2, .95).p));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contrasts_of_cells_agree_with_r),
		cmocka_unit_test(factors_are_as_in_rs_two_way_analysis),
		cmocka_unit_test(pairs_of_cells_are_adjusted_as_in_r),
		cmocka_unit_test(the_rest_of_the_quantiles_agrees_with_r),
		cmocka_unit_test(shifts_end_at_rs_differences),
		cmocka_unit_test(
		    a_cell_of_one_value_leaves_a_contrast_without_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
