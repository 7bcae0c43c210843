#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/outliers.h"

#include "stats_pairs.h"

/* The first run of 4BSD with libthr is the one, as the post's readers saw. */
static void
a_first_run_far_off_is_found(void **state)
{
	g_autoptr(GArray) set = golden_set("select", "4bsd_libthr");
	bool far[5];

	(void)state;
	assert_int_equal(stats_outliers(golden_values(set), 5, far), 1);
	assert_true(far[0]);
	for (size_t i = 1; i < 5; i++)
		assert_false(far[i]);
	assert_int_equal(stats_outliers(golden_values(set), 5, NULL), 1);
}

/* Median 10, deviations' median 1: 3.5 is at 3.5 / .6745 = 5.189 off. */
static void
the_limit_is_a_score_of_three_and_a_half(void **state)
{
	const double near[] = { 9, 11, 10, 10.5, 8, 15.18, 9.5 };
	const double off[] = { 9, 11, 10, 10.5, 8, 15.2, 9.5 };

	(void)state;
	assert_int_equal(stats_outliers(near, 7, NULL), 0);
	assert_int_equal(stats_outliers(off, 7, NULL), 1);
}

static void
where_most_are_equal_none_is_far(void **state)
{
	const double most[] = { 5, 5, 5, 5, 900 }, one[] = { 3 };
	bool far[5];

	(void)state;
	assert_int_equal(stats_outliers(most, 5, far), 0);
	assert_false(far[4]);
	assert_int_equal(stats_outliers(one, 1, NULL), 0);
	assert_int_equal(stats_outliers(NULL, 0, NULL), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_first_run_far_off_is_found),
		cmocka_unit_test(the_limit_is_a_score_of_three_and_a_half),
		cmocka_unit_test(where_most_are_equal_none_is_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
