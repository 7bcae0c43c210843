#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/power.h"
#include "stats/stats.h"

#include "stats_golden.h"

#define DATA "tests/data/stats/"

/* power.t.test of two groups of n: se = sd sqrt(2/n), df = 2 (n - 1). */
static void
detectable_effects_agree_with_r(void **state)
{
	json_t *root = golden_json(DATA "r/quantiles_power.json");
	const double se5 = .01 * sqrt(2 / 5.), se10 = .01 * sqrt(2 / 10.);

	(void)state;
	assert_digits(expm1(stats_detectable_difference(
			  se5, 8, .95, golden_at(root, "power_n5_cv1_eff1"))),
	    .01, 12);
	assert_digits(expm1(stats_detectable_difference(
			  se10, 18, .95, golden_at(root, "power_n10"))),
	    .01, 12);
	/* R searches the effect to 1.2e-4 only, uniroot's tolerance. */
	assert_digits(expm1(stats_detectable_difference(se5, 8, .95, .8)),
	    golden_at(root, "mde_n5_cv1_80"), 3);
	assert_digits(expm1(stats_detectable_difference(se10, 18, .95, .8)),
	    golden_at(root, "mde_n10_cv1_80"), 3);
	json_decref(root);
	assert_true(isnan(stats_detectable_difference(.01, 0, .95, .8)));
	assert_true(isnan(stats_detectable_difference(0, 4, .95, .8)));
	assert_true(isnan(stats_detectable_difference(NAN, 4, .95, .8)));
}

static void
power_agrees_with_r(void **state)
{
	json_t *root = golden_json(DATA "r/quantiles_power.json");

	(void)state;
	assert_digits(stats_power(log1p(.01), .01, 5, .95),
	    golden_at(root, "power_n5_cv1_eff1"), 12);
	assert_digits(stats_power(log1p(.01), .01, 10, .95),
	    golden_at(root, "power_n10"), 12);
	json_decref(root);
	assert_true(
	    stats_power(-.01, .01, 5, .95) == stats_power(.01, .01, 5, .95));
	assert_digits(stats_power(0, .01, 5, .95), .05, 12);
	assert_true(isnan(stats_power(.01, .01, 1, .95)));
	assert_true(isnan(stats_power(.01, 0, 5, .95)));
}

static void
runs_needed_agree_with_r(void **state)
{
	g_auto(GStrv) lines = golden_lines(DATA "r/power_table.csv");
	size_t checked = 0;

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++, checked++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		assert_int_equal(stats_runs_needed(log1p(atof(column[1])),
				     atof(column[0]), .95, atof(column[2])),
		    atoi(column[4]));
	}
	assert_int_equal(checked, 48);
	assert_int_equal(stats_runs_needed(.01, 0, .95, .8), 2);
	assert_int_equal(stats_runs_needed(0, .01, .95, .8), 0);
	assert_int_equal(stats_runs_needed(.01, NAN, .95, .8), 0);
	assert_int_equal(stats_runs_needed(.01, 1e6, .95, .8), 0);
	assert_int_equal(stats_runs_needed(.01, .01, .95, 1), 0);
}

static void
runs_for_an_interval_agree_with_r(void **state)
{
	g_auto(GStrv) lines = golden_lines(DATA "r/halfwidth_n.csv");
	size_t checked = 0;

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++, checked++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		assert_int_equal(stats_runs_for_half_width(
				     atof(column[1]), atof(column[0]), .95),
		    atoi(column[2]));
	}
	assert_int_equal(checked, 18);
	assert_int_equal(stats_runs_for_half_width(.01, -1, .95), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(detectable_effects_agree_with_r),
		cmocka_unit_test(power_agrees_with_r),
		cmocka_unit_test(runs_needed_agree_with_r),
		cmocka_unit_test(runs_for_an_interval_agree_with_r),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
