#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/stats.h"

#include "stats_pairs.h"

static void
check_pair(char **column, const char *base_name, const char *test_name)
{
	const char *metric = column[0];
	g_autoptr(GArray) base = golden_set(metric, base_name);
	g_autoptr(GArray) test = golden_set(metric, test_name);
	const double *const groups[] = { golden_values(base),
		golden_values(test) };
	const size_t lengths[] = { base->len, test->len };
	const double weights[] = { -1, 1 };

	const MeanTest raw = stats_contrast(groups, lengths, weights, 2, .95);
	assert_true(raw.valid);
	assert_digits(raw.difference.estimate, atof(column[6]), 12);
	assert_digits(raw.t, atof(column[9]), 12);
	assert_digits(raw.df, atof(column[10]), 12);
	assert_digits(raw.p, atof(column[11]), 12);
	assert_digits(raw.difference.low, atof(column[12]), 11.5);
	assert_digits(raw.difference.high, atof(column[13]), 11.5);

	const RatioTest logs =
	    stats_welch_log(groups[0], lengths[0], groups[1], lengths[1], .95);
	assert_true(logs.valid);
	assert_digits(logs.ratio.estimate, atof(column[14]), 12);
	assert_digits(logs.ratio.low, atof(column[15]), 12);
	assert_digits(logs.ratio.high, atof(column[16]), 12);
	json_t *root = NULL;
	const json_t *golden = json_object_get(
	    golden_pair(metric, column[1], &root), "welch_log_gmr");
	assert_digits(logs.t, golden_at(golden, "t"), 12);
	assert_digits(logs.df, golden_at(golden, "df"), 12);
	assert_digits(logs.p, golden_at(golden, "p"), 12);
	json_decref(root);
}

static void
every_pair_agrees_with_r(void **state)
{
	g_auto(GStrv) lines = golden_lines(DATA "r/pairs_flat.csv");
	size_t checked = 0;

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		if (strcmp(column[0], "s2_tps") == 0) {
			check_pair(column, "s2_rc6", "s2_rc6_systime");
			checked++;
		}
		for (size_t j = 0; j < G_N_ELEMENTS(golden_pairs); j++)
			if (strcmp(column[0], "s2_tps") != 0 &&
			    strcmp(golden_pairs[j].pair, column[1]) == 0) {
				check_pair(column, golden_pairs[j].base,
				    golden_pairs[j].test);
				checked++;
			}
	}
	assert_int_equal(checked, 13);
}

static void
per_round_differences_agree_with_r(void **state)
{
	static const char *const names[] = { "per_round_kernel",
		"per_round_lib", "per_round_interaction" };
	json_t *root = golden_json(DATA "r/splitplot_golden.json");

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const json_t *golden = json_object_get(root, names[i]);
		const json_t *list = json_object_get(golden, "per_round");
		double differences[6];
		assert_int_equal(json_array_size(list), 6);
		for (size_t j = 0; j < 6; j++)
			differences[j] =
			    json_number_value(json_array_get(list, j));
		const RatioTest test = stats_paired_log(differences, 6, .95);
		assert_true(test.valid);
		assert_digits(
		    test.ratio.estimate, golden_at(golden, "ratio"), 12);
		assert_digits(
		    test.ratio.low, golden_at(golden, "ratio_ci95/0"), 12);
		assert_digits(
		    test.ratio.high, golden_at(golden, "ratio_ci95/1"), 12);
		assert_digits(test.t, golden_at(golden, "t"), 12);
		assert_digits(test.p, golden_at(golden, "p"), 12);
		assert_true(test.df == 5);
	}
	json_decref(root);
}

static void
quantiles_agree_with_r(void **state)
{
	json_t *root = golden_json(DATA "r/quantiles_power.json");
	const char *df = NULL;
	json_t *value = NULL;

	(void)state;
	json_object_foreach(
	    json_object_get(json_object_get(root, "quantiles"), "qt_975_df"),
	    df, value)
	    assert_digits(stats_t_quantile(.95, g_ascii_strtod(df, NULL)),
		json_number_value(value), 13);
	json_decref(root);
	assert_true(isnan(stats_t_quantile(.95, 0)));
	assert_true(isnan(stats_t_quantile(1, 5)));
	assert_true(isnan(stats_t_quantile(.95, NAN)));
}

static void
holm_agrees_with_r(void **state)
{
	(void)state;
	for (size_t m = 0; m < 2; m++) {
		json_t *root =
		    golden_json(m == 0 ? DATA "r/s1_select_design.json"
				       : DATA "r/s1_update_design.json");
		const json_t *p_in = json_object_get(root, "welch6_p");
		const json_t *p_out = json_object_get(root, "welch6_holm");
		double p[7];
		const char *key = NULL;
		json_t *value = NULL;
		size_t n = 0;
		json_object_foreach((json_t *)p_in, key, value)
		{
			if (n == 2)
				p[n++] = NAN;
			p[n++] = json_number_value(value);
		}
		assert_int_equal(n, 7);
		stats_holm(p, n);
		assert_true(isnan(p[2]));
		n = 0;
		json_object_foreach((json_t *)p_out, key, value)
		{
			if (n == 2)
				n++;
			assert_digits(p[n++], json_number_value(value), 13);
		}
		json_decref(root);
	}
	stats_holm(NULL, 0);
	double big[] = { .6, .9 };
	stats_holm(big, 2);
	assert_true(big[0] == 1 && big[1] == 1);
}

static void
D63_too_few_values_give_an_estimate_and_no_interval(void **state)
{
	const double one[] = { 100 }, other[] = { 110, 112 };

	(void)state;
	const RatioTest test = stats_welch_log(one, 1, other, 2, .95);
	assert_false(test.valid);
	assert_digits(test.ratio.estimate, sqrt(1.1 * 1.12), 14);
	assert_true(isnan(test.ratio.low) && isnan(test.ratio.high));
	assert_true(isnan(test.p) && isnan(test.df));
	assert_true(
	    isnan(stats_welch_log(one, 0, other, 2, .95).ratio.estimate));
	assert_false(stats_paired_log(other, 0, .95).valid);
	assert_false(stats_paired_log(other, 1, .95).valid);
}

/* The values of golang/go#19634. */
static void
D64_equal_values_on_one_side_do_not_hide_a_difference(void **state)
{
	const double a[] = { 115, 114, 115, 115, 115 };
	const double b[] = { 78.8, 78.8, 78.8, 78.8, 78.8 };

	(void)state;
	const RatioTest test = stats_welch_log(a, 5, b, 5, .95);
	assert_true(test.valid);
	assert_true(test.p < 1e-6);
	assert_true(test.ratio.high < .69);
	const RatioTest other = stats_welch_log(b, 5, a, 5, .95);
	assert_true(other.p < 1e-6);
	assert_true(other.ratio.low > 1.44);
}

/* A set of 20 with this mean and spread, the same in every run. */
static void
fill(double *values, size_t n, double mean, double sd)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		values[i] = (double)(i * 7 % n);
		sum += values[i];
	}
	for (size_t i = 0; i < n; i++)
		squares += pow(values[i] - sum / (double)n, 2);
	const double scale = sd / sqrt(squares / (double)(n - 1));
	for (size_t i = 0; i < n; i++)
		values[i] = mean + (values[i] - sum / (double)n) * scale;
}

static void
D66_a_change_is_held_against_the_error_of_the_mean(void **state)
{
	double base[20], test[20];

	(void)state;
	fill(base, 20, 100, 3);
	fill(test, 20, 105, 3);
	const RatioTest shown = stats_welch_log(base, 20, test, 20, .95);
	assert_true(shown.valid);
	assert_true(shown.p < .001);
	assert_true(shown.ratio.low > 1.02);
	fill(test, 20, 100.5, 3);
	assert_true(stats_welch_log(base, 20, test, 20, .95).p > .5);
}

static void
no_variance_is_no_proof(void **state)
{
	const double base[] = { 100, 100, 100 }, test[] = { 110, 110, 110 };
	const double moves[] = { 110, 111, 112 };

	(void)state;
	const RatioTest still = stats_welch_log(base, 3, test, 3, .95);
	assert_false(still.valid);
	assert_digits(still.ratio.estimate, 1.1, 14);
	/* One still group: the degrees of freedom are the other's. */
	const RatioTest half = stats_welch_log(base, 3, moves, 3, .95);
	assert_true(half.valid);
	assert_digits(half.df, 2, 12);
	/* Equal ratios that differ in the last bit only are equal. */
	const double bits[] = { log(110) - log(100), log(220) - log(200),
		log(363) - log(330) };
	assert_false(stats_paired_log(bits, 3, .95).valid);
}

static void
values_without_a_logarithm_are_refused(void **state)
{
	const double zero[] = { 0, 1, 2 }, negative[] = { -1, 1, 2 };
	const double nan[] = { NAN, 1, 2 }, inf[] = { INFINITY, 1, 2 };
	const double good[] = { 1, 2, 3 };
	const double *const bad[] = { zero, negative, nan, inf };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		assert_false(stats_welch_log(bad[i], 3, good, 3, .95).valid);
		assert_false(stats_welch_log(good, 3, bad[i], 3, .95).valid);
	}
	assert_false(stats_paired_log(nan, 3, .95).valid);
	/* Without logs there is still a difference to test. */
	const double *const groups[] = { zero, good };
	const size_t lengths[] = { 3, 3 };
	const double weights[] = { -1, 1 };
	assert_true(stats_contrast(groups, lengths, weights, 2, .95).valid);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pair_agrees_with_r),
		cmocka_unit_test(per_round_differences_agree_with_r),
		cmocka_unit_test(quantiles_agree_with_r),
		cmocka_unit_test(holm_agrees_with_r),
		cmocka_unit_test(
		    D63_too_few_values_give_an_estimate_and_no_interval),
		cmocka_unit_test(
		    D64_equal_values_on_one_side_do_not_hide_a_difference),
		cmocka_unit_test(
		    D66_a_change_is_held_against_the_error_of_the_mean),
		cmocka_unit_test(no_variance_is_no_proof),
		cmocka_unit_test(values_without_a_logarithm_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
