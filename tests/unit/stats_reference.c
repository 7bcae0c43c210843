/*
 * What R says of every set and every pair in tests/data/stats, key by key,
 * where no test of one subject asks for it already.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/ministat.h"
#include "stats/order.h"
#include "stats/ranks.h"
#include "stats/select.h"
#include "stats/stats.h"

#include "stats_pairs.h"

/* Median absolute deviation from the median, as R's mad(x, constant = 1). */
static double
deviation_of(const GArray *set, double median)
{
	g_autofree double *off = g_new(double, set->len);

	for (size_t i = 0; i < set->len; i++)
		off[i] = fabs(golden_values(set)[i] - median);
	return stats_quantile(off, set->len, .5);
}

/* R's summary of one set. */
static void
check_set(const GArray *set, const json_t *r)
{
	const double *values = golden_values(set);
	const size_t n = set->len;
	const double weight = 1;
	g_autofree double *moved = g_memdup2(values, n * sizeof *values);
	const Summary s = stats_summary(values, n);
	const Summary logs = stats_log_summary(values, n);
	const MeanTest one = stats_contrast(&values, &n, &weight, 1, .95);

	assert_true((double)s.n == golden_at(r, "n"));
	assert_true(s.min == golden_at(r, "min"));
	assert_true(s.max == golden_at(r, "max"));
	assert_digits(s.median, golden_at(r, "median"), 14);
	assert_digits(s.mean, golden_at(r, "mean"), 14);
	assert_digits(s.sd, golden_at(r, "sd"), 13);
	assert_digits(s.sd * s.sd, golden_at(r, "var"), 12.5);
	assert_digits(s.cv_percent, 100 * golden_at(r, "cv"), 13);
	assert_digits(stats_quantile(moved, n, .25), golden_at(r, "q1"), 14);
	assert_digits(stats_quantile(moved, n, .75), golden_at(r, "q3"), 14);
	assert_digits(
	    deviation_of(set, s.median), golden_at(r, "mad_raw"), 11.5);
	assert_digits(exp(logs.mean), golden_at(r, "gmean"), 13);
	assert_digits(logs.sd, golden_at(r, "sdlog"), 12);
	assert_digits(one.difference.estimate, golden_at(r, "mean"), 14);
	assert_digits(one.se, golden_at(r, "sem"), 13);
	assert_true(one.df == (double)n - 1);
	assert_digits(one.difference.low, golden_at(r, "ci95/0"), 13);
	assert_digits(one.difference.high, golden_at(r, "ci95/1"), 13);
	assert_true(ministat_summary(moved, n).median ==
	    golden_at(r, "ministat_old_median"));
}

static void
check_sets(const GArray *base, const GArray *test, const json_t *golden)
{
	check_set(base, json_object_get(golden, "base"));
	check_set(test, json_object_get(golden, "test"));
}

static void
sets_of_pairs_are_as_in_r(void **state)
{
	(void)state;
	golden_check_pairs(check_sets);
}

static void
check_order(const GArray *set, const json_t *r)
{
	const double n = (double)set->len;
	const Trend trend = stats_trend(golden_values(set), set->len);
	const FirstRun first = stats_first_run(golden_values(set), set->len);
	const Summary s = stats_summary(golden_values(set), set->len);
	const double rest = (n * s.mean - golden_values(set)[0]) / (n - 1);

	assert_digits(
	    trend.s / (n * (n - 1) / 2), golden_at(r, "kendall_tau"), 13);
	assert_digits(
	    trend.slope / s.median, golden_at(r, "theil_sen_rel_per_run"), 10);
	assert_digits(
	    first.relative * rest, golden_at(r, "first_minus_rest_mean"), 10.5);
}

static void
cells_of_the_2007_post_are_as_in_r(void **state)
{
	(void)state;
	for (size_t m = 0; m < 2; m++) {
		const char *metric = m == 0 ? "select" : "update";
		g_autofree char *path =
		    g_strdup_printf(DATA "r/s1_%s_design.json", metric);
		json_t *root = golden_json(path);
		for (size_t i = 0; i < G_N_ELEMENTS(golden_cells); i++) {
			const char *name = golden_cells[i].cell;
			g_autoptr(GArray) set =
			    golden_set(metric, golden_cells[i].file);
			check_set(set,
			    json_object_get(
				json_object_get(root, "cells"), name));
			check_order(set,
			    json_object_get(
				json_object_get(root, "order"), name));
		}
		json_decref(root);
	}
}

static void
the_order_of_the_sys_time_post_is_as_in_r(void **state)
{
	json_t *root = golden_json(DATA "r/s2_order.json");
	g_autoptr(GArray) before = golden_set("s2_tps", "s2_rc6");
	g_autoptr(GArray) after = golden_set("s2_tps", "s2_rc6_systime");

	(void)state;
	check_order(before, json_object_get(root, "rc6"));
	check_order(after, json_object_get(root, "systime"));
	json_decref(root);
}

/*
 * What its averages hide, in the words of the facts: a first run 8.04 % above
 * the rest, and a cell that falls by 2.7 % from run to run.
 */
static void
the_2007_post_hides_a_first_run_and_a_trend(void **state)
{
	g_autoptr(GArray) cold = golden_set("select", "4bsd_libthr");
	g_autoptr(GArray) falling = golden_set("select", "ule_libpthread");
	const FirstRun first = stats_first_run(golden_values(cold), 5);
	const Trend trend = stats_trend(golden_values(falling), 5);

	(void)state;
	assert_true(first.differs);
	assert_true(fabs(100 * first.relative - 8.04) < .005);
	assert_true(trend.s == -10);
	assert_digits(trend.p, 1. / 60, 13);
	assert_true(
	    fabs(trend.slope / stats_summary(golden_values(falling), 5).median +
		.027) < .0005);
}

static void
check_student(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "student");
	const Summary x = stats_summary(golden_values(base), base->len);
	const Summary y = stats_summary(golden_values(test), test->len);
	const Interval d = stats_student(&x, &y, .95).mean.difference;

	assert_digits(stats_t_quantile(.95, golden_at(r, "df")),
	    golden_at(r, "tquant"), 13);
	assert_digits(d.estimate, golden_at(golden, "diff"), 12);
	assert_digits(d.high - d.estimate, golden_at(r, "err"), 12);
	assert_digits(100 * (d.high - d.estimate) / x.mean,
	    golden_at(r, "err_pct_old"), 12);
}

static void
check_welch(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "welch");
	const json_t *logs = json_object_get(golden, "welch_log_gmr");
	const double *const groups[] = { golden_values(base),
		golden_values(test) };
	const size_t lengths[] = { base->len, test->len };
	const double weights[] = { -1, 1 };
	const MeanTest t = stats_contrast(groups, lengths, weights, 2, .95);
	const RatioTest ratio =
	    stats_welch_log(groups[0], lengths[0], groups[1], lengths[1], .95);
	const double mean = stats_summary(groups[0], lengths[0]).mean;

	assert_digits(t.t, golden_at(r, "t"), 12);
	assert_digits(t.df, golden_at(r, "df"), 12);
	assert_digits(t.p, golden_at(r, "p"), 11.5);
	assert_digits(t.se, golden_at(r, "se"), 12);
	assert_digits(t.difference.low, golden_at(r, "ci95/0"), 11.5);
	assert_digits(t.difference.high, golden_at(r, "ci95/1"), 11.5);
	assert_digits(100 * t.difference.low / mean,
	    golden_at(r, "ci95_pct_of_base_mean/0"), 11.5);
	assert_digits(100 * t.difference.high / mean,
	    golden_at(r, "ci95_pct_of_base_mean/1"), 11.5);
	assert_digits(ratio.ratio.estimate, golden_at(logs, "gmr"), 13);
	assert_digits(ratio.t, golden_at(logs, "t"), 12);
	assert_digits(ratio.df, golden_at(logs, "df"), 12);
	assert_digits(ratio.p, golden_at(logs, "p"), 11.5);
	assert_digits(ratio.ratio.low, golden_at(logs, "ci95/0"), 12);
	assert_digits(ratio.ratio.high, golden_at(logs, "ci95/1"), 12);
}

static GArray *
logs_of(const GArray *set)
{
	GArray *logs = g_array_new(FALSE, FALSE, sizeof(double));

	for (size_t i = 0; i < set->len; i++) {
		const double value = log(golden_values(set)[i]);
		g_array_append_val(logs, value);
	}
	return logs;
}

/*
 * With ties R's exact p is silently the normal one, and its shift is searched
 * for; then only what is not its own approximation is asked for.
 */
static void
check_ranks(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "mann_whitney");
	const RankTest rank = stats_mann_whitney(
	    golden_values(base), base->len, golden_values(test), test->len);
	g_autoptr(GArray) x = logs_of(base);
	g_autoptr(GArray) y = logs_of(test);
	const ShiftTest shift = stats_hodges_lehmann(
	    golden_values(x), x->len, golden_values(y), y->len, .95);
	const double pairs = (double)base->len * (double)test->len;

	assert_true(pairs - rank.u == golden_at(r, "U_x"));
	assert_digits((rank.cliff + 1) / 2, golden_at(golden, "A12"), 13);
	if (rank.ties) {
		assert_true(fabs(rank.p - golden_at(r, "p_exact_R")) > 1e-4);
		assert_digits(
		    golden_at(r, "p_exact_R"), golden_at(r, "p_normal_cc"), 13);
		return;
	}
	assert_digits(rank.p, golden_at(r, "p_exact_R"), 13);
	assert_digits(
	    exp(shift.shift.estimate), golden_at(r, "hl_log_ratio"), 12);
	assert_digits(exp(shift.shift.low), golden_at(r, "hl_ratio_ci/0"), 12);
	assert_digits(exp(shift.shift.high), golden_at(r, "hl_ratio_ci/1"), 12);
}

static void
the_rest_of_every_pair_is_as_in_r(void **state)
{
	(void)state;
	golden_check_pairs(check_student);
	golden_check_pairs(check_welch);
	golden_check_pairs(check_ranks);
}

/* Posts of which only n, mean and sd are known. */
static void
published_summaries_have_rs_welch(void **state)
{
	static const struct {
		const char *name;
		Summary sets[2];
	} posts[] = {
		{ "seed000",
		    { { 30, 45910, 45911, NAN, 45910.616, 745.54679, NAN },
			{ 30, 66254, 66255, NAN, 66254.815, 1953.4324,
			    NAN } } },
		{ "seed004",
		    { { 10, 8381, 8382, NAN, 8381.652, 39.682672, NAN },
			{ 10, 10551, 10552, NAN, 10551.599, 39.893907,
			    NAN } } },
	};
	const double weights[] = { -1, 1 };
	json_t *root = golden_json(DATA "r/published_summaries.json");

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(posts); i++) {
		const json_t *r = json_object_get(root, posts[i].name);
		const MeanTest t =
		    stats_contrast_of(posts[i].sets, weights, 2, .95);
		const Interval d = t.difference;
		assert_digits(
		    stats_t_quantile(.95, 2 * (double)posts[i].sets[0].n - 2),
		    golden_at(r, "t"), 13);
		assert_digits(t.df, golden_at(r, "welch_df"), 12);
		assert_digits(t.t, golden_at(r, "welch_t"), 12);
		assert_digits(t.p, golden_at(r, "welch_p"), 11);
		assert_digits(
		    d.high - d.estimate, golden_at(r, "welch_half"), 12);
		assert_digits(d.low, golden_at(r, "welch_ci/0"), 13);
		assert_digits(d.high, golden_at(r, "welch_ci/1"), 13);
		const MinistatTest old =
		    ministat_test(&posts[i].sets[0], &posts[i].sets[1], 95);
		assert_digits(old.error, golden_at(r, "err_table_t"), 12);
		assert_digits(
		    old.percent_error, golden_at(r, "pct_err_old_table_t"), 12);
		assert_digits(100 *
			stats_student(&posts[i].sets[0], &posts[i].sets[1], .95)
			    .mean.se *
			stats_t_quantile(
			    .95, 2 * (double)posts[i].sets[0].n - 2) /
			posts[i].sets[0].mean,
		    golden_at(r, "pct_err_old"), 12);
	}
	json_decref(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_of_pairs_are_as_in_r),
		cmocka_unit_test(cells_of_the_2007_post_are_as_in_r),
		cmocka_unit_test(the_order_of_the_sys_time_post_is_as_in_r),
		cmocka_unit_test(the_2007_post_hides_a_first_run_and_a_trend),
		cmocka_unit_test(the_rest_of_every_pair_is_as_in_r),
		cmocka_unit_test(published_summaries_have_rs_welch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
