#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "stats/looks.h"
#include "stats/stats.h"

#include "stats_golden.h"

#define DATA "tests/data/stats/"

/*
 * R's are a trapezoidal sum of 4001 points, right to some 7 digits, and 11 at
 * the first look, where it subtracts from 1; ours are Simpson's.
 */
static void
bounds_agree_with_r(void **state)
{
	json_t *root = golden_json(DATA "r/group_sequential_obf.json");

	(void)state;
	for (size_t n = 2; n <= 5; n++) {
		Look looks[5];
		assert_true(stats_looks(n, .95, looks));
		for (size_t k = 0; k < n; k++) {
			g_autofree char *z =
			    g_strdup_printf("bounds/K%zu/%zu", n, k);
			g_autofree char *p =
			    g_strdup_printf("nominal_p/K%zu/%zu", n, k);
			const double digits = k == 0 ? 11 : 7;
			assert_digits(looks[k].z, golden_at(root, z), digits);
			assert_digits(
			    looks[k].p, golden_at(root, p), digits - 1.5);
			assert_digits(
			    looks[k].share, (double)(k + 1) / (double)n, 15);
		}
		assert_digits(looks[n - 1].spent, .05, 13);
	}
	json_decref(root);
}

static void
one_look_is_the_test_itself(void **state)
{
	Look one;

	(void)state;
	assert_true(stats_looks(1, .95, &one));
	assert_digits(one.z, stats_t_quantile(.95, 1e300), 9);
	assert_digits(one.p, .05, 12);
	assert_true(stats_looks(1, .9, &one));
	assert_digits(one.p, .1, 12);
}

/* Sums of normal draws, looked at ten times: 5 in 100 cross a bound. */
static void
looks_together_are_wrong_as_often_as_one(void **state)
{
	enum { LOOKS = 10, NIGHTS = 40000, DRAWS = 12 };
	Look looks[LOOKS];
	Random random = random_stream(1, "looks", 0);
	size_t wrong = 0, naive = 0;

	(void)state;
	assert_true(stats_looks(LOOKS, .95, looks));
	for (size_t night = 0; night < NIGHTS; night++) {
		double sum = 0;
		bool crossed = false, peeked = false;
		for (size_t k = 0; k < LOOKS; k++) {
			/* Normal enough, of variance 1. */
			for (size_t i = 0; i < DRAWS; i++)
				sum += (double)(random_next(&random) >> 11) *
					0x1p-53 -
				    .5;
			const double z = fabs(sum) / sqrt((double)k + 1);
			crossed = crossed || z > looks[k].z;
			peeked = peeked || z > 1.96;
		}
		wrong += crossed ? 1 : 0;
		naive += peeked ? 1 : 0;
	}
	/* Two and a half standard errors of a share of .05. */
	assert_true(fabs((double)wrong / NIGHTS - .05) < .0028);
	/* What it would be without bounds: Armitage's 19 in 100. */
	assert_true(fabs((double)naive / NIGHTS - .19) < .01);
}

static void
what_is_spent_grows_to_alpha(void **state)
{
	double before = 0;

	(void)state;
	for (int i = 1; i <= 20; i++) {
		const double spent = stats_spent(i / 20., .05);
		assert_true(spent > before);
		before = spent;
	}
	assert_digits(before, .05, 14);
	assert_digits(stats_spent(2, .05), .05, 14);
	assert_true(stats_spent(0, .05) == 0);
	assert_true(stats_spent(.25, .05) < .0001);
	assert_true(isnan(stats_spent(-1, .05)));
	assert_true(isnan(stats_spent(.5, 1)));
}

static void
only_a_few_looks_can_be_planned(void **state)
{
	Look looks[STATS_MOST_LOOKS + 1] = { 0 };

	(void)state;
	assert_false(stats_looks(0, .95, looks));
	assert_false(stats_looks(STATS_MOST_LOOKS + 1, .95, looks));
	assert_false(stats_looks(2, 1, looks));
	assert_false(stats_looks(2, NAN, looks));
	assert_true(looks[0].z == 0);
	assert_true(stats_looks(STATS_MOST_LOOKS, .95, looks));
	for (size_t k = 1; k < STATS_MOST_LOOKS; k++)
		assert_true(looks[k].z < looks[k - 1].z);
	assert_true(looks[STATS_MOST_LOOKS - 1].z > 1.96);
	assert_true(looks[STATS_MOST_LOOKS - 1].z < 2.2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_agree_with_r),
		cmocka_unit_test(one_look_is_the_test_itself),
		cmocka_unit_test(looks_together_are_wrong_as_often_as_one),
		cmocka_unit_test(what_is_spent_grows_to_alpha),
		cmocka_unit_test(only_a_few_looks_can_be_planned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
