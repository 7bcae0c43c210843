#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "stats/nested.h"
#include "stats_golden.h"

#define DATA "tests/data/stats/"

enum { BOOTS = 6, RUNS = 5 };

/* One kernel's runs, boot by boot. */
static void
read_boots(const char *kernel, double runs[BOOTS][RUNS])
{
	g_auto(GStrv) lines = golden_lines(DATA "in/nested_2x6x5.csv");
	size_t n = 0;

	for (size_t i = 1; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		if (strcmp(column[0], kernel) != 0)
			continue;
		runs[(atoi(column[1]) - 1) % BOOTS][atoi(column[2]) - 1] =
		    g_ascii_strtod(column[3], NULL);
		n++;
	}
	assert_int_equal(n, BOOTS * RUNS);
}

static void
the_variance_of_boots_and_runs_is_as_in_r(void **state)
{
	static const char *const kernels[] = { "A", "B" };
	json_t *root = golden_json(DATA "r/nested_golden.json");

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		double runs[BOOTS][RUNS];
		const double *boots[BOOTS];
		size_t lengths[BOOTS];
		const json_t *golden = json_object_get(
		    json_object_get(root, "per_kernel"), kernels[k]);
		read_boots(kernels[k], runs);
		for (size_t i = 0; i < BOOTS; i++) {
			boots[i] = runs[i];
			lengths[i] = RUNS;
		}
		const Components c = stats_components(boots, lengths, BOOTS);
		assert_digits(c.within, golden_at(golden, "var_run"), 12);
		assert_digits(c.between, golden_at(golden, "var_boot"), 12);
		assert_digits(c.share, golden_at(golden, "icc"), 12);
		assert_false(c.floored);
	}
	json_decref(root);
}

static void
the_best_number_of_runs_is_as_in_the_table(void **state)
{
	g_auto(GStrv) lines =
	    golden_lines(DATA "r/kalibera_jones_opt_runs.csv");
	size_t n = 0;

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++, n++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		const Components c = {
			.within = g_ascii_strtod(column[2], NULL), .between = 1
		};
		assert_digits(
		    stats_best_runs(&c, g_ascii_strtod(column[0], NULL),
			g_ascii_strtod(column[1], NULL)),
		    g_ascii_strtod(column[3], NULL), 12);
		/* Rounded up, as it is advised. */
		assert_true(ceil(g_ascii_strtod(column[3], NULL)) ==
		    g_ascii_strtod(column[4], NULL));
	}
	assert_true(n > 10);
}

static void
units_that_do_not_differ_have_no_variance(void **state)
{
	static const double a[] = { 1, 3 }, b[] = { 2, 2 }, c[] = { 2 };
	const double *const units[] = { a, b, c };
	const size_t lengths[] = { 2, 2, 1 }, single[] = { 1, 1, 1 };
	const Components same = stats_components(units, lengths, 3);

	(void)state;
	assert_true(same.floored);
	assert_true(same.between == 0 && same.share == 0);
	assert_digits(same.within, 1, 15);
	assert_true(isinf(stats_best_runs(&same, 5, 1)));
	assert_true(isnan(stats_components(units, lengths, 1).within));
	assert_true(isnan(stats_components(units, single, 3).within));
	assert_true(isnan(stats_best_runs(&same, 5, 0)));
}

/*
 * Two runs, one and three: MSW is 10 / 3, MSB 740 / 3, and a boot counts
 * (6 - 14 / 6) / 2 = 11 / 6 runs.
 */
static void
boots_may_have_unequal_numbers_of_runs(void **state)
{
	static const double a[] = { 1, 3 }, b[] = { 10 }, c[] = { 20, 22, 24 };
	const double *const units[] = { a, b, c };
	const size_t lengths[] = { 2, 1, 3 };
	const Components components = stats_components(units, lengths, 3);

	(void)state;
	assert_digits(components.within, 10. / 3, 14);
	assert_digits(components.between, 730. / 3 / (11. / 6), 13);
	assert_false(components.floored);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_variance_of_boots_and_runs_is_as_in_r),
		cmocka_unit_test(the_best_number_of_runs_is_as_in_the_table),
		cmocka_unit_test(units_that_do_not_differ_have_no_variance),
		cmocka_unit_test(boots_may_have_unequal_numbers_of_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
