#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/shapiro.h"

#include "stats_pairs.h"

static void
check(const GArray *set, const json_t *golden)
{
	const Shapiro got = stats_shapiro(golden_values(set), set->len);

	assert_digits(got.w, golden_at(golden, "shapiro_W"), 13);
	assert_digits(got.p, golden_at(golden, "shapiro_p"), 12);
}

static void
shapiro_agrees_with_r(void **state)
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
			check(set,
			    json_object_get(json_object_get(root, "order"),
				golden_cells[i].cell));
		}
		json_decref(root);
	}
	json_t *root = golden_json(DATA "r/s2_order.json");
	g_autoptr(GArray) before = golden_numbers(DATA "in/s2_rc6.txt");
	g_autoptr(GArray) after = golden_numbers(DATA "in/s2_rc6_systime.txt");
	check(before, json_object_get(root, "rc6"));
	check(after, json_object_get(root, "systime"));
	json_decref(root);
}

/* n values at the places of a normal sample, or of an exponential one. */
static Shapiro
of_shape(size_t n, bool normal)
{
	g_autofree double *values = g_new(double, n);

	for (size_t i = 0; i < n; i++) {
		const double share = ((double)i + .5) / (double)n;
		/* A logistic's places are near a normal's in the middle. */
		values[i] = normal
		    ? 1e6 + pow(share, .135) - pow(1 - share, .135)
		    : -log(1 - share);
	}
	return stats_shapiro(values, n);
}

/*
 * Tukey's lambda of .135 is a normal distribution to three digits, so each of
 * the formulas for few and many values must find it normal.
 */
static void
shapes_are_told_apart(void **state)
{
	(void)state;
	for (size_t n = 8; n <= 2000; n = n * 3 / 2) {
		assert_true(of_shape(n, true).w > .98);
		assert_true(of_shape(n, true).p > .5);
		assert_true(of_shape(n, false).w < .93);
		if (n > 20)
			assert_true(of_shape(n, false).p < .01);
	}
	/* Of three values all that counts is where the middle one lies. */
	const double even[] = { 1, 2, 3 }, edge[] = { 1, 1, 3 };
	assert_digits(stats_shapiro(even, 3).w, 1, 14);
	assert_digits(stats_shapiro(even, 3).p, 1, 7);
	assert_digits(stats_shapiro(edge, 3).w, .75, 13);
	assert_true(stats_shapiro(edge, 3).p < 1e-7);
}

static void
what_has_no_shape_has_no_test(void **state)
{
	const double x[] = { 1, 2 }, nan[] = { 1, NAN, 3 };
	const double still[] = { 4, 4, 4 };
	const double huge[] = { 1e308, -1e308, 1e308 };
	g_autofree double *many = g_new(double, STATS_SHAPIRO_VALUES + 1);

	(void)state;
	for (size_t i = 0; i <= STATS_SHAPIRO_VALUES; i++)
		many[i] = (double)i;
	assert_true(isnan(stats_shapiro(NULL, 0).w));
	assert_true(isnan(stats_shapiro(x, 2).w));
	assert_true(isnan(stats_shapiro(nan, 3).p));
	assert_true(isnan(stats_shapiro(still, 3).p));
	assert_true(isnan(stats_shapiro(huge, 3).w));
	assert_true(stats_shapiro(many, STATS_SHAPIRO_VALUES).p < 1e-10);
	assert_true(isnan(stats_shapiro(many, STATS_SHAPIRO_VALUES + 1).p));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapiro_agrees_with_r),
		cmocka_unit_test(shapes_are_told_apart),
		cmocka_unit_test(what_has_no_shape_has_no_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
