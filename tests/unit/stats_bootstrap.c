#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/bootstrap.h"

#include "stats_pairs.h"

enum { SEED = 20070107 };

static Bootstrap
all_of(const GArray *base, const GArray *test)
{
	return stats_bootstrap(golden_values(base), base->len,
	    golden_values(test), test->len, .95, SEED);
}

static void
check_all(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "bootstrap_exhaustive");
	const Bootstrap got = all_of(base, test);

	assert_true(got.all);
	assert_true((double)got.resamples == golden_at(r, "n_resamples"));
	assert_digits(got.ratio.estimate, golden_at(r, "ratio"), 13);
	assert_digits(got.mean, golden_at(r, "boot_mean"), 12);
	assert_digits(got.se, golden_at(r, "boot_se"), 11.5);
	assert_digits(got.below, golden_at(r, "p_less"), 12);
	/*
	 * Half of those that are equal; R counts some of them twice, where
	 * rounding has put them below.  Nothing is computed from it.
	 */
	const double middle = got.below + got.equal / 2;
	const double twice = golden_at(r, "p_mid") - middle;
	assert_true(twice > -1e-12 && twice < got.equal + 1e-12);
	/* A quantile of near one half: absolute. */
	assert_true(fabs(got.z0 - golden_at(r, "z0")) < 3e-12);
	assert_digits(got.acceleration, golden_at(r, "accel"), 11);
	assert_digits(got.low_tail, golden_at(r, "alpha_adj/0"), 11);
	assert_digits(got.high_tail, golden_at(r, "alpha_adj/1"), 12);
	assert_digits(got.percentile.low, golden_at(r, "percentile/0"), 12);
	assert_digits(got.percentile.high, golden_at(r, "percentile/1"), 12);
	assert_digits(got.ratio.low, golden_at(r, "bca/0"), 12);
	assert_digits(got.ratio.high, golden_at(r, "bca/1"), 12);
}

static void
all_resamples_give_what_r_gives(void **state)
{
	(void)state;
	golden_check_pairs(check_all);
}

/*
 * Another 9999 draws than R's boot(): three digits of the limits where the
 * values are close together, and a fraction of their error in any case.
 */
static void
check_drawn(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "bootstrap_boot_pkg");
	const Bootstrap all = all_of(base, test);
	const Bootstrap got = stats_bootstrap_drawn(golden_values(base),
	    base->len, golden_values(test), test->len, .95, SEED);
	const double wanted[] = { golden_at(r, "perc/0"),
		golden_at(r, "perc/1"), golden_at(r, "bca/0"),
		golden_at(r, "bca/1") };
	const double drawn[] = { got.percentile.low, got.percentile.high,
		got.ratio.low, got.ratio.high };

	assert_false(got.all);
	assert_int_equal(got.resamples, 9999);
	assert_digits(got.acceleration, all.acceleration, 15);
	assert_true(fabs(got.below - all.below) < .02);
	assert_digits(got.se, all.se, 1.5);
	for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
		assert_true(fabs(drawn[i] - wanted[i]) < .25 * all.se);
		if (all.se < .02)
			assert_digits(drawn[i], wanted[i], 2.7);
	}
}

static void
drawn_resamples_are_near_those_of_r(void **state)
{
	(void)state;
	golden_check_pairs(check_drawn);
}

static void
one_seed_gives_one_answer(void **state)
{
	double x[20], y[20];

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		x[i] = 100 + (double)(i * 7 % 20);
		y[i] = 103 + (double)(i * 3 % 20);
	}
	const Bootstrap a = stats_bootstrap(x, 20, y, 20, .95, 1);
	const Bootstrap b = stats_bootstrap(x, 20, y, 20, .95, 1);
	const Bootstrap c = stats_bootstrap(x, 20, y, 20, .95, 2);
	assert_false(a.all);
	assert_int_equal(a.resamples, STATS_DRAWN_RESAMPLES);
	assert_true(a.ratio.low == b.ratio.low && a.mean == b.mean);
	assert_true(a.mean != c.mean);
	/* With so many values it is near Welch's. */
	const RatioTest welch = stats_welch_log(x, 20, y, 20, .95);
	assert_true(fabs(a.ratio.low - welch.ratio.low) < .006);
	assert_true(fabs(a.ratio.high - welch.ratio.high) < .006);
	/* A wider level is a wider interval. */
	const Bootstrap wide = stats_bootstrap(x, 20, y, 20, .99, 1);
	assert_true(wide.ratio.low < a.ratio.low);
	assert_true(wide.ratio.high > a.ratio.high);
}

static void
check_none(Bootstrap none)
{
	assert_int_equal(none.resamples, 0);
	assert_true(isnan(none.ratio.low) && isnan(none.ratio.high));
	assert_true(isnan(none.percentile.low) && isnan(none.se));
}

static void
what_cannot_be_resampled_has_no_interval(void **state)
{
	const double x[] = { 100, 101, 102 }, still[] = { 5, 5, 5 };
	const double zero[] = { 0, 1, 2 }, nan[] = { 1, NAN, 2 };
	const double huge[] = { 1e308, 1.5e308, 1e308 };

	(void)state;
	check_none(stats_bootstrap(x, 1, x, 3, .95, SEED));
	check_none(stats_bootstrap(x, 3, x, 1, .95, SEED));
	check_none(stats_bootstrap(x, 0, x, 3, .95, SEED));
	check_none(stats_bootstrap(still, 3, still, 3, .95, SEED));
	check_none(stats_bootstrap(zero, 3, x, 3, .95, SEED));
	check_none(stats_bootstrap(nan, 3, x, 3, .95, SEED));
	check_none(stats_bootstrap(x, 3, nan, 3, .95, SEED));
	check_none(stats_bootstrap(x, 3, x, 3, 1, SEED));
	/* Sums that no double holds make no number of it. */
	assert_false(
	    stats_bootstrap(huge, 3, x, 3, .95, SEED).ratio.low > 1e-300);
	assert_true(
	    stats_bootstrap(still, 3, still, 3, .95, SEED).ratio.estimate == 1);
	/* What is compared with may be 0, and one of the sets still. */
	assert_true(stats_bootstrap(x, 3, zero, 3, .95, SEED).ratio.high > 0);
	assert_int_equal(
	    stats_bootstrap(still, 3, x, 3, .95, SEED).resamples, 100);
	g_autofree double *many = g_new(double, STATS_DRAWN_VALUES);
	for (size_t i = 0; i < STATS_DRAWN_VALUES; i++)
		many[i] = 1 + (double)i;
	check_none(stats_bootstrap(many, STATS_DRAWN_VALUES, x, 3, .95, SEED));
}

/* Of the 729 pairs of draws 141 give the ratio itself, whatever its sign. */
static void
resamples_that_tie_are_told_by_size_whatever_the_sign(void **state)
{
	const double x[] = { 1, 2, 3 }, y[] = { -1, -2, -3 };
	const double zero[] = { -.1, -.2, .3 };

	(void)state;
	const Bootstrap up = stats_bootstrap(x, 3, x, 3, .95, SEED);
	const Bootstrap down = stats_bootstrap(x, 3, y, 3, .95, SEED);
	assert_digits(up.equal, 141. / 729, 12);
	assert_digits(down.equal, 141. / 729, 12);
	assert_digits(down.below, 294. / 729, 12);
	assert_digits(up.below, 1 - down.below - down.equal, 12);
	assert_true(fabs(down.z0 + .2448) < 5e-5);
	/* What rounding makes of a ratio of 0: 6 of 27 sums are 0. */
	const Bootstrap none = stats_bootstrap(x, 3, zero, 3, .95, SEED);
	assert_digits(none.equal, 6. / 27, 12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_resamples_give_what_r_gives),
		cmocka_unit_test(drawn_resamples_are_near_those_of_r),
		cmocka_unit_test(one_seed_gives_one_answer),
		cmocka_unit_test(
		    resamples_that_tie_are_told_by_size_whatever_the_sign),
		cmocka_unit_test(what_cannot_be_resampled_has_no_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
