#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/order.h"
#include "stats/stats.h"

#include "stats_pairs.h"

static void
check_order(const double *values, size_t n, const json_t *golden)
{
	const Trend trend = stats_trend(values, n);

	assert_true(trend.s == golden_at(golden, "mann_kendall_S"));
	assert_digits(trend.p, golden_at(golden, "kendall_p_exact"), 13);
	assert_digits(trend.slope, golden_at(golden, "theil_sen"), 10);
	assert_digits(stats_first_run(values, n).relative,
	    golden_at(golden, "first_rel"), 11);
}

/* The order of runs in the cells of the 2007 post, and in another's. */
static void
trends_agree_with_r(void **state)
{
	(void)state;
	for (size_t m = 0; m < 2; m++) {
		const char *metric = m == 0 ? "select" : "update";
		g_autofree char *path =
		    g_strdup_printf(DATA "r/s1_%s_design.json", metric);
		json_t *root = golden_json(path);
		for (size_t i = 0; i < G_N_ELEMENTS(golden_cells); i++) {
			g_autoptr(GArray) set =
			    golden_set(metric, golden_cells[i].file);
			check_order(golden_values(set), set->len,
			    json_object_get(json_object_get(root, "order"),
				golden_cells[i].cell));
		}
		json_decref(root);
	}
	json_t *root = golden_json(DATA "r/s2_order.json");
	g_autoptr(GArray) before = golden_numbers(DATA "in/s2_rc6.txt");
	g_autoptr(GArray) after = golden_numbers(DATA "in/s2_rc6_systime.txt");
	check_order(
	    golden_values(before), before->len, json_object_get(root, "rc6"));
	check_order(
	    golden_values(after), after->len, json_object_get(root, "systime"));
	json_decref(root);
}

/* Kendall's S of every order of the values, each place once. */
static void
count_orders(double *values, size_t n, size_t fixed, double s, double *as_far,
    double *all)
{
	if (fixed == n) {
		const Trend trend = stats_trend(values, n);
		*all += 1;
		if (fabs(trend.s) >= fabs(s))
			*as_far += 1;
		return;
	}
	for (size_t i = fixed; i < n; i++) {
		const double kept = values[i];
		values[i] = values[fixed];
		values[fixed] = kept;
		count_orders(values, n, fixed + 1, s, as_far, all);
		values[fixed] = values[i];
		values[i] = kept;
	}
}

static void
ties_count_as_in_all_orders_of_the_values(void **state)
{
	const double sets[][6] = { { 1, 1, 2, 3, 3, 3 }, { 2, 1, 2, 1, 3, 2 },
		{ 5, 5, 5, 5, 5, 1 } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(sets); i++) {
		double values[6], as_far = 0, all = 0;
		memcpy(values, sets[i], sizeof values);
		const Trend trend = stats_trend(sets[i], 6);
		count_orders(values, 6, 0, trend.s, &as_far, &all);
		assert_true(all == 720);
		assert_digits(trend.p, as_far / all, 13);
	}
	const double still[] = { 7, 7, 7 };
	const Trend none = stats_trend(still, 3);
	assert_true(none.p == 1 && none.s == 0 && none.slope == 0);
}

static void
what_is_no_sequence_has_no_trend(void **state)
{
	const double two[] = { 1, 2 }, nan[] = { 1, NAN, 2 };
	double many[STATS_TREND_VALUES + 1];

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(many); i++)
		many[i] = (double)i;
	assert_true(isnan(stats_trend_p(two, 2)));
	assert_true(isnan(stats_trend(nan, 3).p));
	assert_true(isnan(stats_trend_p(many, STATS_TREND_VALUES + 1)));
	assert_true(stats_trend_p(many, STATS_TREND_VALUES) < 1e-100);
	/* The least there can be: 2/4! and 2/5!. */
	assert_digits(stats_trend_p(many, 4), 2. / 24, 14);
	assert_digits(stats_trend_p(many, 5), 2. / 120, 14);
}

/* hyperfine divided by a median deviation of 0 here (its issue 329). */
static void
a_first_run_is_told_by_the_rest(void **state)
{
	const double cold[] = { 5079.52, 4728.71, 4707.58, 4687.51, 4682.04 };
	const double still[] = { 103, 100, 100, 100, 100 };
	const double near[] = { 100.5, 100, 100, 100 };
	const double wide[] = { 110, 100, 95, 105, 90 };
	const double short_one[] = { 2, 1 }, nan[] = { NAN, 1, 2 };
	const double bad[] = { 3, NAN, 2 }, around[] = { 3, -1, 1 };

	(void)state;
	assert_true(stats_first_run(cold, 5).differs);
	assert_true(stats_first_run(still, 5).differs);
	assert_digits(stats_first_run(still, 5).relative, .03, 13);
	assert_false(stats_first_run(near, 4).differs);
	assert_false(stats_first_run(wide, 5).differs);
	assert_true(isnan(stats_first_run(short_one, 2).relative));
	assert_true(isnan(stats_first_run(nan, 3).relative));
	assert_true(isnan(stats_first_run(bad, 3).relative));
	assert_true(isnan(stats_first_run(around, 3).relative));
	assert_false(stats_first_run(around, 3).differs);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trends_agree_with_r),
		cmocka_unit_test(ties_count_as_in_all_orders_of_the_values),
		cmocka_unit_test(what_is_no_sequence_has_no_trend),
		cmocka_unit_test(a_first_run_is_told_by_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
