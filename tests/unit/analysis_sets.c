#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/sets.h"

#include "stats_golden.h"

static const SetsOptions usual = {
	.compare = true, .level = .95, .margin = 1, .seed = 1
};

/* Two sets compared; the values are copied. */
static SetComparison
compared(const double *base, size_t n_base, const double *test, size_t n_test,
    const SetsOptions *options)
{
	double x[20], y[20];
	const NumberSet sets[] = { { .name = "x", .values = x, .n = n_base },
		{ .name = "y", .values = y, .n = n_test } };

	memcpy(x, base, n_base * sizeof *x);
	memcpy(y, test, n_test * sizeof *y);
	g_autoptr(Sets) result = sets_new(sets, 2, options);
	assert_int_equal(result->n, 2);
	return result->comparisons[0];
}

static const double about_100[] = { 99.8, 100.1, 100, 99.9, 100.2 };

static void
every_verdict_is_given(void **state)
{
	const double more[] = { 103, 104, 103.5, 103.2, 103.9 };
	const double near[] = { 100, 100.2, 99.9, 99.8, 100.1 };
	const double wide[] = { 90, 110, 101, 95, 108 };
	const double bit_more[] = { 100.3, 100.6, 100.5, 100.4, 100.7 };
	const double one[] = { 100 };

	(void)state;
	const SetComparison higher = compared(about_100, 5, more, 5, &usual);
	assert_int_equal(higher.verdict, SET_HIGHER);
	assert_false(higher.small || higher.raw);
	assert_true(higher.change.low > 2.5 && higher.change.high < 4.5);
	assert_int_equal(
	    compared(more, 5, about_100, 5, &usual).verdict, SET_LOWER);
	const SetComparison small = compared(about_100, 5, bit_more, 5, &usual);
	assert_int_equal(small.verdict, SET_HIGHER);
	assert_true(small.small);
	const SetComparison equal = compared(about_100, 5, near, 5, &usual);
	assert_int_equal(equal.verdict, SET_EQUIVALENT);
	assert_true(equal.narrow.low > -1 && equal.narrow.high < 1);
	const SetComparison none = compared(about_100, 5, wide, 5, &usual);
	assert_int_equal(none.verdict, SET_NONE_SHOWN);
	assert_true(none.detectable > none.change.high - 2);
	const SetComparison few = compared(about_100, 5, one, 1, &usual);
	assert_int_equal(few.verdict, SET_TOO_FEW);
	assert_non_null(strstr(few.reason, "fewer than 2"));
	assert_true(isfinite(few.change.estimate) && isnan(few.change.low));
	assert_true(isnan(few.p_holm));
}

static void
the_margin_decides_on_equivalence(void **state)
{
	const double near[] = { 100, 100.2, 99.9, 99.8, 100.1 };
	SetsOptions strict = usual;

	(void)state;
	strict.margin = .1;
	assert_int_equal(
	    compared(about_100, 5, near, 5, &strict).verdict, SET_NONE_SHOWN);
}

static void
sets_without_variance_tell_a_change_and_no_more(void **state)
{
	const double five[] = { 5, 5, 5 }, six[] = { 6, 6, 6 };

	(void)state;
	const SetComparison still = compared(five, 3, six, 3, &usual);
	assert_int_equal(still.verdict, SET_TOO_FEW);
	assert_digits(still.change.estimate, 20, 13);
	assert_true(isnan(still.change.low) && isnan(still.p));
	assert_non_null(strstr(still.reason, "neither"));
	/* One of them varies: that is enough. */
	const SetComparison half = compared(five, 3, about_100, 5, &usual);
	assert_int_equal(half.verdict, SET_HIGHER);
	assert_digits(half.df, 4, 12);
}

static void
values_that_are_not_positive_are_compared_as_they_are(void **state)
{
	const double x[] = { -1, 0, 1, .5 }, y[] = { 6, 6.5, 7, 6 };
	double tiny_x[4], tiny_y[4];

	(void)state;
	const SetComparison raw = compared(x, 4, y, 4, &usual);
	assert_true(raw.raw);
	assert_int_equal(raw.verdict, SET_HIGHER);
	assert_digits(raw.change.estimate, 6.25, 13);
	assert_false(raw.small);
	/* What is small is a matter of the unit. */
	for (size_t i = 0; i < 4; i++) {
		tiny_x[i] = 1e-20 * x[i];
		tiny_y[i] = 1e-20 * y[i];
	}
	const SetComparison tiny = compared(tiny_x, 4, tiny_y, 4, &usual);
	assert_digits(tiny.p, raw.p, 12);
	assert_digits(tiny.change.high, 1e-20 * raw.change.high, 12);
}

/* No two of them are equal, but no double holds their squares. */
static void
a_spread_that_cannot_be_computed_is_told_as_such(void **state)
{
	const double wide[] = { -1e160, 1e160, 3e159 };
	const double less[] = { -1e150, 1e150, 3e149 };
	const double huge[] = { 1e200, 2e200, 3e200 };
	const double many[] = { 7e200, 8e200, 9e200 };
	const double five[] = { 5, 5, 5 }, below[] = { -5, -5, -5 };

	(void)state;
	const SetComparison both = compared(wide, 3, wide, 3, &usual);
	assert_int_equal(both.verdict, SET_TOO_FEW);
	assert_true(both.beyond);
	assert_non_null(strstr(both.reason, "beyond what can be computed"));
	/* One of them alone is not taken for one that does not vary. */
	const SetComparison one = compared(wide, 3, less, 3, &usual);
	assert_true(one.beyond && isnan(one.p));
	assert_false(one.student.mean.valid);
	assert_non_null(strstr(one.reason, "beyond what can be computed"));
	/* Their logarithms can be computed, and t of the values cannot. */
	const SetComparison logs = compared(huge, 3, many, 3, &usual);
	assert_int_equal(logs.verdict, SET_HIGHER);
	assert_true(logs.beyond && !logs.student.mean.valid);
	const SetComparison still = compared(five, 3, below, 3, &usual);
	assert_false(still.beyond);
	assert_non_null(strstr(still.reason, "neither"));
	const SetComparison few = compared(wide, 3, five, 1, &usual);
	assert_non_null(strstr(few.reason, "fewer than 2"));
}

/* A p that is enough alone is not enough among three. */
static void
several_comparisons_share_the_level(void **state)
{
	double x[] = { 100, 101, 102, 99, 98 },
	       y[] = { 102, 103, 104, 101, 100 };
	double z[] = { 100, 101, 102, 99, 98.5 },
	       w[] = { 99, 101, 102, 99, 98 };
	NumberSet sets[] = { { .name = "x", .values = x, .n = 5 },
		{ .name = "y", .values = y, .n = 5 },
		{ .name = "z", .values = z, .n = 5 },
		{ .name = "w", .values = w, .n = 5 } };
	SetsOptions options = usual;

	(void)state;
	options.level = .9;
	g_autoptr(Sets) alone = sets_new(sets, 2, &options);
	assert_int_equal(alone->family, 1);
	assert_int_equal(alone->comparisons[0].verdict, SET_HIGHER);
	assert_true(alone->comparisons[0].p_holm == alone->comparisons[0].p);
	g_autoptr(Sets) all = sets_new(sets, 4, &options);
	assert_int_equal(all->family, 3);
	assert_digits(
	    all->comparisons[0].p_holm, 3 * all->comparisons[0].p, 13);
	assert_int_equal(all->comparisons[0].verdict, SET_NONE_SHOWN);
}

static void
what_stands_out_is_noted(void **state)
{
	double cold[] = { 5079.52, 4728.71, 4707.58, 4687.51, 4682.04, 4690 };
	double falling[] = { 4487.76, 4419.15, 4104.53, 4083.51, 4063.64 };
	NumberSet sets[] = { { .name = "cold", .values = cold, .n = 6 },
		{ .name = "falling", .values = falling, .n = 5 } };

	(void)state;
	g_autoptr(Sets) noted = sets_new(sets, 2, &usual);
	assert_true(noted->sets[0].first.differs);
	assert_int_equal(noted->sets[0].outliers, 1);
	assert_digits(noted->sets[1].trend.p, 2. / 120, 13);
	/* Where most lie close together, two far ones are two. */
	assert_int_equal(noted->sets[1].outliers, 2);
}

static void
old_numbers_are_nothing_but_old(void **state)
{
	SetsOptions old = usual;
	double x[] = { 1, 2, 3, 4 }, y[] = { 5, 6, 7, 9 };
	NumberSet sets[] = { { .name = "x", .values = x, .n = 4 },
		{ .name = "y", .values = y, .n = 4 } };

	(void)state;
	old.old = true;
	g_autoptr(Sets) result = sets_new(sets, 2, &old);
	/* The upper of the two in the middle. */
	assert_true(result->sets[0].summary.median == 3);
	assert_true(result->comparisons[0].ministat.differs);
	assert_digits(result->comparisons[0].ministat.difference, 4.25, 14);
	assert_int_equal(result->family, 0);
	old.old = old.compare = false;
	g_autoptr(Sets) table = sets_new(sets, 2, &old);
	assert_true(table->sets[0].summary.median == 2.5);
	assert_int_equal(table->family, 0);
}

static void
further_tests_are_made_where_they_are_asked_for(void **state)
{
	const double more[] = { 103, 104, 103.5, 103.2, 103.9 };
	const double below[] = { -1, 2, 3 };
	SetsOptions options = usual;

	(void)state;
	assert_int_equal(
	    compared(about_100, 5, more, 5, &usual).tests.bootstrap.resamples,
	    0);
	options.tests = true;
	const SetComparison all = compared(about_100, 5, more, 5, &options);
	const SetTests *tests = &all.tests;
	assert_digits(tests->fieller.estimate, 3.52, 11);
	assert_true(tests->kalibera_jones.low < tests->fieller.low);
	assert_true(tests->kalibera_jones.high > tests->fieller.high);
	assert_int_equal(tests->bootstrap.resamples, 126 * 126);
	assert_true(tests->drawn.low > tests->fieller.low);
	assert_digits(tests->permutation.p_welch, 2. / 252, 13);
	/* Without a ratio there still is a permutation test. */
	const SetComparison raw = compared(below, 3, more, 5, &options);
	assert_true(raw.raw && isnan(raw.tests.fieller.low));
	assert_int_equal(raw.tests.bootstrap.resamples, 0);
	assert_int_equal(raw.tests.permutation.arrangements, 56);
}

/* What is enough at the end is not enough at the second of five looks. */
static void
a_look_has_a_bound_of_its_own(void **state)
{
	const double test[] = { 101, 100.4, 102, 103, 101.3 };
	SetsOptions options = usual;
	double x[] = { 99.8, 100.1, 100, 99.9, 100.2 };
	double y[] = { 101, 100.4, 102, 103, 101.3 };
	const NumberSet pair[] = { { .name = "x", .values = x, .n = 5 },
		{ .name = "y", .values = y, .n = 5 },
		{ .name = "y", .values = y, .n = 5 } };
	Look looks[5];

	(void)state;
	const SetComparison alone = compared(about_100, 5, test, 5, &usual);
	assert_int_equal(alone.verdict, SET_HIGHER);
	assert_true(alone.p > .01 && alone.p < .05);
	options.looks = 5;
	options.look = 2;
	const SetComparison early = compared(about_100, 5, test, 5, &options);
	assert_int_equal(early.verdict, SET_NONE_SHOWN);
	assert_true(early.p == alone.p && early.p_holm == alone.p);
	assert_true(early.detectable > early.change.estimate);
	options.look = 5;
	assert_int_equal(
	    compared(about_100, 5, test, 5, &options).verdict, SET_HIGHER);
	g_autoptr(Sets) last = sets_new(pair, 2, &options);
	assert_true(stats_looks(5, .95, looks));
	assert_digits(last->bound, looks[4].p, 12);
	/* Two of them have half of alpha each. */
	g_autoptr(Sets) two = sets_new(pair, 3, &options);
	assert_true(stats_looks(5, .975, looks));
	assert_digits(two->look.z, looks[4].z, 12);
	assert_digits(two->bound, 2 * looks[4].p, 12);
	assert_digits(two->comparisons[1].p_holm, 2 * alone.p, 12);
	/* Of one look there is nothing to share. */
	options.look = options.looks = 1;
	g_autoptr(Sets) only = sets_new(pair, 2, &options);
	assert_digits(only->bound, .05, 12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_verdict_is_given),
		cmocka_unit_test(the_margin_decides_on_equivalence),
		cmocka_unit_test(
		    sets_without_variance_tell_a_change_and_no_more),
		cmocka_unit_test(
		    values_that_are_not_positive_are_compared_as_they_are),
		cmocka_unit_test(
		    a_spread_that_cannot_be_computed_is_told_as_such),
		cmocka_unit_test(several_comparisons_share_the_level),
		cmocka_unit_test(what_stands_out_is_noted),
		cmocka_unit_test(old_numbers_are_nothing_but_old),
		cmocka_unit_test(
		    further_tests_are_made_where_they_are_asked_for),
		cmocka_unit_test(a_look_has_a_bound_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
