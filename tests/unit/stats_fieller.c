#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "stats/fieller.h"

#include "stats_pairs.h"

static void
check_interval(Interval got, const json_t *golden, const char *name)
{
	const json_t *r = json_object_get(golden, name);

	assert_digits(got.estimate, golden_at(golden, "ratio"), 13);
	assert_digits(got.low, golden_at(r, "0"), 12);
	assert_digits(got.high, golden_at(r, "1"), 12);
}

static void
check_ratios(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "ratio_of_means");
	const Summary x = stats_summary(golden_values(base), base->len);
	const Summary y = stats_summary(golden_values(test), test->len);
	double df = 0;

	check_interval(stats_kalibera_jones(&x, &y, .95), r, "kalibera_jones");
	check_interval(stats_fieller_pooled(&x, &y, .95), r, "fieller_pooled");
	check_interval(
	    stats_fieller_welch(&x, &y, .95, &df), r, "fieller_welch");
	assert_digits(df, golden_at(r, "fieller_welch_df"), 12);
}

static void
ratios_of_means_agree_with_r(void **state)
{
	(void)state;
	golden_check_pairs(check_ratios);
}

/* The same of the flat table, which was made apart. */
static void
the_flat_table_has_the_same(void **state)
{
	g_auto(GStrv) lines = golden_lines(DATA "r/pairs_flat.csv");
	size_t checked = 0;

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		for (size_t j = 0; j < G_N_ELEMENTS(golden_pairs); j++) {
			if (strcmp(golden_pairs[j].pair, column[1]) != 0)
				continue;
			g_autoptr(GArray) base =
			    golden_set(column[0], golden_pairs[j].base);
			g_autoptr(GArray) test =
			    golden_set(column[0], golden_pairs[j].test);
			const Summary x =
			    stats_summary(golden_values(base), base->len);
			const Summary y =
			    stats_summary(golden_values(test), test->len);
			const Interval kj = stats_kalibera_jones(&x, &y, .95);
			assert_digits(kj.low, atof(column[25]), 12);
			assert_digits(kj.high, atof(column[26]), 12);
			checked++;
		}
	}
	assert_int_equal(checked, 12);
}

static Summary
of(const double *values, size_t n)
{
	return stats_summary(values, n);
}

/* A base whose mean may be 0 gives any ratio. */
static void
a_base_near_zero_has_no_interval(void **state)
{
	const double near[] = { -1, 2, 3 }, far[] = { 10, 11, 12 };
	const Summary x = of(near, 3), y = of(far, 3);

	(void)state;
	assert_digits(stats_kalibera_jones(&x, &y, .95).estimate, 8.25, 14);
	assert_true(isnan(stats_kalibera_jones(&x, &y, .95).low));
	assert_true(isnan(stats_kalibera_jones(&x, &y, .95).high));
	assert_true(isnan(stats_fieller_pooled(&x, &y, .95).low));
	assert_true(isnan(stats_fieller_welch(&x, &y, .95, NULL).high));
	/* The other way round it has: what is near 0 is above. */
	const Interval small = stats_kalibera_jones(&y, &x, .95);
	assert_true(small.low < 0 && small.high > 0);
}

static void
sets_that_tell_nothing_have_no_interval(void **state)
{
	const double still[] = { 5, 5, 5 }, moves[] = { 10, 11, 12 };
	const double nan[] = { 1, NAN, 3 };
	const Summary x = of(still, 3), y = of(moves, 3), one = of(moves, 1);
	const Summary none = of(NULL, 0), bad = of(nan, 3);
	double df = 7;

	(void)state;
	assert_true(isnan(stats_kalibera_jones(&x, &x, .95).low));
	assert_true(stats_kalibera_jones(&x, &x, .95).estimate == 1);
	assert_true(isnan(stats_kalibera_jones(&one, &y, .95).low));
	assert_true(isnan(stats_fieller_pooled(&y, &one, .95).low));
	assert_true(isnan(stats_fieller_welch(&one, &y, .95, &df).low));
	assert_true(isnan(df));
	assert_true(isnan(stats_kalibera_jones(&none, &y, .95).estimate));
	assert_true(isnan(stats_kalibera_jones(&bad, &y, .95).low));
	assert_true(isnan(stats_kalibera_jones(&y, &bad, .95).low));
	assert_true(isnan(stats_kalibera_jones(&y, &y, 1).low));
	/* One of them varies: t intervals of its mean over the other. */
	const Interval half = stats_kalibera_jones(&x, &y, .95);
	assert_digits(
	    half.high, (11 + stats_t_quantile(.95, 2) / sqrt(3)) / 5, 13);
	const Interval welch = stats_fieller_welch(&x, &y, .95, &df);
	assert_digits(df, 2, 13);
	assert_digits(welch.low, half.low, 13);
}

/* 0 of any base is 0, and t's degrees of freedom are the base's. */
static void
a_test_set_of_nothing_but_0_has_an_interval(void **state)
{
	const double moves[] = { 10, 11, 12 }, zero[] = { 0, 0, 0 };
	const Summary x = of(moves, 3), y = of(zero, 3);
	double df = 0;

	(void)state;
	const Interval none = stats_fieller_welch(&x, &y, .95, &df);
	assert_digits(df, 2, 13);
	assert_true(none.estimate == 0 && none.low == 0 && none.high == 0);
	const Interval kj = stats_kalibera_jones(&x, &y, .95);
	assert_true(kj.low == 0 && kj.high == 0);
}

/* The unit is no matter, even where squares of values are no numbers. */
static void
large_and_small_values_have_the_same_ratios(void **state)
{
	const double scales[] = { 1e-250, 1e-150, 1e150, 1e153 };
	const double base[] = { 10, 11, 12 }, test[] = { 11, 11.5, 13 };
	const Summary x = of(base, 3), y = of(test, 3);
	double df = 0, scaled_df = 0;

	(void)state;
	const Interval welch = stats_fieller_welch(&x, &y, .95, &df);
	const Interval pooled = stats_fieller_pooled(&x, &y, .95);
	for (size_t i = 0; i < G_N_ELEMENTS(scales); i++) {
		Summary a = x, b = y;
		a.mean *= scales[i];
		a.sd *= scales[i];
		a.min *= scales[i];
		a.max *= scales[i];
		b.mean *= scales[i];
		b.sd *= scales[i];
		b.min *= scales[i];
		b.max *= scales[i];
		const Interval got =
		    stats_fieller_welch(&a, &b, .95, &scaled_df);
		assert_digits(scaled_df, df, 12);
		assert_digits(got.low, welch.low, 12);
		assert_digits(got.high, welch.high, 12);
		assert_digits(
		    stats_fieller_pooled(&a, &b, .95).high, pooled.high, 12);
	}
	/* A base of 0 has none. */
	const double zero[] = { -1, 0, 1 };
	const Summary none = of(zero, 3);
	assert_true(isnan(stats_fieller_welch(&none, &y, .95, NULL).low));
	assert_true(isnan(stats_fieller_welch(&none, &none, .95, NULL).low));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratios_of_means_agree_with_r),
		cmocka_unit_test(the_flat_table_has_the_same),
		cmocka_unit_test(a_base_near_zero_has_no_interval),
		cmocka_unit_test(sets_that_tell_nothing_have_no_interval),
		cmocka_unit_test(a_test_set_of_nothing_but_0_has_an_interval),
		cmocka_unit_test(large_and_small_values_have_the_same_ratios),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
