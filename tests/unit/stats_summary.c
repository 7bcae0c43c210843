#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
	static const struct {
		const char *file, *cell;
	} cells[] = {
		{ "4bsd_libpthread", "A_4bsd_libpthread" },
		{ "4bsd_libthr", "B_4bsd_libthr" },
		{ "ule_libpthread", "C_ule_libpthread" },
		{ "ule_libthr", "D_ule_libthr" },
	};
	json_t *root = golden_json(DATA "r/s1_update_design.json");

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++) {
		const json_t *cell = json_object_get(
		    json_object_get(root, "cells"), cells[i].cell);
		g_autofree char *path =
		    g_strdup_printf(DATA "in/s1_%s_update.txt", cells[i].file);
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

	(void)state;
	assert_int_equal(stats_summary(nan, 3).n, 3);
	assert_true(isnan(stats_summary(nan, 3).mean));
	assert_true(isnan(stats_summary(inf, 3).max));
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
		cmocka_unit_test(a_value_that_is_no_number_spoils_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
