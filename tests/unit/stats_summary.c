#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/select.h"
#include "stats/stats.h"

#include "stats_golden.h"

#define DATA "tests/data/stats/"

/*
 * Digits of the standard deviation that the data as doubles allow: NumAcc3
 * and 4 lose them when 10000000.2 is rounded, before any sum is made.
 */
static double
digits_wanted(const char *name)
{
	if (strcmp(name, "NumAcc4") == 0)
		return 8;
	if (strcmp(name, "NumAcc3") == 0)
		return 9;
	if (strcmp(name, "Mavro") == 0)
		return 12.9;
	return strcmp(name, "Michelso") == 0 ? 13.5 : 14;
}

static void
certified_values_of_nist_are_met(void **state)
{
	g_auto(GStrv) lines = golden_lines(DATA "r/nist_univariate.csv");
	size_t checked = 0;

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++, checked++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		g_autofree char *path =
		    g_strdup_printf(DATA "nist/%s.txt", column[0]);
		g_autoptr(GArray) numbers = golden_numbers(path);
		assert_int_equal(numbers->len, atoi(column[1]));
		const Summary s = stats_summary(
		    (const double *)(void *)numbers->data, numbers->len);
		assert_digits(s.mean, atof(column[2]), 14);
		assert_digits(s.sd, atof(column[3]), digits_wanted(column[0]));
	}
	assert_int_equal(checked, 9);
}

static void
cells_agree_with_r(void **state)
{
	json_t *root = golden_json(DATA "r/s1_update_design.json");

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(golden_cells); i++) {
		const json_t *cell = json_object_get(
		    json_object_get(root, "cells"), golden_cells[i].cell);
		g_autofree char *path = g_strdup_printf(
		    DATA "in/s1_%s_update.txt", golden_cells[i].file);
		g_autoptr(GArray) numbers = golden_numbers(path);
		const Summary s = stats_summary(
		    (const double *)(void *)numbers->data, numbers->len);
		assert_true(s.min == golden_at(cell, "min"));
		assert_true(s.max == golden_at(cell, "max"));
		assert_true(s.median == golden_at(cell, "median"));
		assert_digits(s.mean, golden_at(cell, "mean"), 14);
		assert_digits(s.sd, golden_at(cell, "sd"), 13);
		assert_digits(s.cv_percent, 100 * golden_at(cell, "cv"), 13);
	}
	json_decref(root);
}

static void
median_of_an_even_number_is_between_the_middle_two(void **state)
{
	g_autoptr(GArray) numbers = golden_numbers(DATA "in/s2_rc6.txt");
	json_t *root = golden_json(DATA "r/s2_tps.json");

	(void)state;
	assert_digits(
	    stats_summary((const double *)(void *)numbers->data, numbers->len)
		.median,
	    golden_at(root, "base/median"), 14);
	json_decref(root);
}

static void
small_sets_say_what_they_do_not_know(void **state)
{
	const double one[] = { 5 };

	(void)state;
	const Summary none = stats_summary(NULL, 0);
	assert_int_equal(none.n, 0);
	assert_true(isnan(none.mean) && isnan(none.min) && isnan(none.sd));
	const Summary s = stats_summary(one, 1);
	assert_true(s.mean == 5 && s.median == 5 && s.min == 5 && s.max == 5);
	assert_true(isnan(s.sd) && isnan(s.cv_percent));
}

static void
spread_in_per_cent_needs_positive_values(void **state)
{
	const double zero[] = { 0, 1, 2 }, still[] = { 3, 3, 3 };

	(void)state;
	assert_true(isnan(stats_summary(zero, 3).cv_percent));
	assert_true(stats_summary(zero, 3).sd == 1);
	assert_true(stats_summary(still, 3).sd == 0);
	assert_true(stats_summary(still, 3).cv_percent == 0);
}

static void
a_value_that_is_no_number_spoils_the_whole(void **state)
{
	const double nan[] = { 1, NAN, 3 }, inf[] = { 1, 2, INFINITY };
	const double wide[] = { 0, -1.7e308, 1e3 }, far[] = { 1e150, 3e150 };

	(void)state;
	/* Squares that no double holds are no reason to say 0. */
	assert_true(isnan(stats_summary(wide, 3).sd));
	assert_true(isfinite(stats_summary(wide, 3).mean));
	assert_digits(stats_summary(far, 2).sd, sqrt(2) * 1e150, 14);
	assert_int_equal(stats_summary(nan, 3).n, 3);
	assert_true(isnan(stats_summary(nan, 3).mean));
	assert_true(isnan(stats_summary(inf, 3).max));
}

static void
check_quartiles(const char *file, const json_t *golden)
{
	g_autofree char *path = g_strdup_printf(DATA "in/%s", file);
	g_autoptr(GArray) numbers = golden_numbers(path);
	double *values = (double *)(void *)numbers->data;

	assert_digits(stats_quantile(values, numbers->len, .25),
	    golden_at(golden, "q1"), 14);
	assert_digits(stats_quantile(values, numbers->len, .75),
	    golden_at(golden, "q3"), 14);
	assert_digits(stats_quantile(values, numbers->len, .5),
	    golden_at(golden, "median"), 14);
	assert_true(stats_quantile(values, numbers->len, 0) ==
	    golden_at(golden, "min"));
	assert_true(stats_quantile(values, numbers->len, 1) ==
	    golden_at(golden, "max"));
}

static void
quantiles_agree_with_r(void **state)
{
	json_t *four = golden_json(DATA "r/s2_tps.json");
	json_t *seven = golden_json(DATA "r/iguana_chameleon.json");
	double one[] = { 4 };

	(void)state;
	check_quartiles("s2_rc6.txt", json_object_get(four, "base"));
	check_quartiles("s2_rc6_systime.txt", json_object_get(four, "test"));
	check_quartiles("iguana.txt", json_object_get(seven, "base"));
	check_quartiles("chameleon.txt", json_object_get(seven, "test"));
	json_decref(four);
	json_decref(seven);
	assert_true(stats_quantile(one, 1, .3) == 4);
	assert_true(isnan(stats_quantile(one, 0, .5)));
	assert_true(isnan(stats_quantile(one, 1, 1.5)));
	assert_true(isnan(stats_quantile(one, 1, NAN)));
}

/* Values in these orders: drawn, rising, falling, equal, two, up and down. */
static double
value_at(size_t order, size_t i, size_t n)
{
	switch (order) {
	case 0:
		return (double)(i * 7919 % n);
	case 1:
		return (double)i;
	case 2:
		return (double)(n - i);
	case 3:
		return 1;
	case 4:
		return (double)(i % 2);
	default:
		return (double)MIN(i, n - i);
	}
}

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
every_place_is_selected_as_sorting_would(void **state)
{
	enum { MOST = 40, ORDERS = 6 };

	(void)state;
	for (size_t order = 0; order < ORDERS; order++)
		for (size_t n = 1; n <= MOST; n++)
			for (size_t k = 0; k < n; k++) {
				double values[MOST], sorted[MOST];
				for (size_t i = 0; i < n; i++)
					values[i] = value_at(order, i, n);
				memcpy(sorted, values, sizeof sorted);
				qsort(sorted, n, sizeof *sorted, compare);
				assert_true(
				    stats_select(values, n, k) == sorted[k]);
				for (size_t i = 0; i < n; i++)
					assert_true(i < k
						? values[i] <= values[k]
						: values[i] >= values[k]);
			}
}

/* A million equal or rising ones would take hours where it is quadratic. */
static void
no_order_of_values_makes_it_slow(void **state)
{
	enum { MANY = 1000000 };
	g_autofree double *values = g_new(double, MANY);

	(void)state;
	for (size_t order = 1; order <= 5; order++) {
		for (size_t i = 0; i < MANY; i++)
			values[i] = value_at(order, i, MANY);
		assert_true(isfinite(stats_quantile(values, MANY, .5)));
	}
}

static void
summaries_of_logs_are_those_of_their_values(void **state)
{
	enum { MANY = 10000 };
	g_autofree double *values = g_new(double, MANY);
	g_autofree double *logs = g_new(double, MANY);

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		values[i] = 1000 + (double)(i * 7919 % MANY) / 10;
		logs[i] = log(values[i]);
	}
	for (size_t n = 1; n <= MANY; n = n * 3 + 1) {
		const Summary got = stats_log_summary(values, n);
		const Summary want = stats_summary(logs, n);
		assert_true(got.n == n && got.min == want.min);
		assert_true(got.max == want.max && isnan(got.median));
		assert_digits(got.mean, want.mean, 14);
		if (n > 1)
			assert_digits(got.sd, want.sd, 12);
		else
			assert_true(isnan(got.sd));
	}
	values[MANY - 1] = 0;
	assert_true(isnan(stats_log_summary(values, MANY).mean));
	assert_int_equal(stats_log_summary(values, MANY).n, MANY);
	assert_true(isnan(stats_log_summary(values, 0).mean));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(certified_values_of_nist_are_met),
		cmocka_unit_test(cells_agree_with_r),
		cmocka_unit_test(
		    median_of_an_even_number_is_between_the_middle_two),
		cmocka_unit_test(small_sets_say_what_they_do_not_know),
		cmocka_unit_test(spread_in_per_cent_needs_positive_values),
		cmocka_unit_test(quantiles_agree_with_r),
		cmocka_unit_test(every_place_is_selected_as_sorting_would),
		cmocka_unit_test(no_order_of_values_makes_it_slow),
		cmocka_unit_test(summaries_of_logs_are_those_of_their_values),
		cmocka_unit_test(a_value_that_is_no_number_spoils_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
