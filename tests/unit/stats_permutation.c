#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/permutation.h"
#include "stats/stats.h"

#include "stats_pairs.h"

enum { SEED = 20070107 };

static void
check_all(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "permutation");
	const Permutation got = stats_permutation(golden_values(base),
	    base->len, golden_values(test), test->len, SEED);
	const Permutation back = stats_permutation(golden_values(test),
	    test->len, golden_values(base), base->len, SEED);

	assert_true(got.all);
	assert_true((double)got.arrangements == golden_at(r, "n_perm"));
	assert_digits(got.p_means, golden_at(r, "p_diff_means"), 14);
	assert_digits(got.p_welch, golden_at(r, "p_welch_t"), 14);
	assert_true(back.p_means == got.p_means);
	assert_true(back.p_welch == got.p_welch);
}

static void
all_arrangements_give_what_r_gives(void **state)
{
	(void)state;
	golden_check_pairs(check_all);
}

/* Too many to make them all: drawn, and near the p of the t test. */
static void
many_values_are_dealt_at_random(void **state)
{
	double x[30], y[30], z[30];

	(void)state;
	for (size_t i = 0; i < 30; i++) {
		x[i] = 100 + (double)(i * 7 % 30);
		y[i] = x[i] + 5;
		z[i] = x[i] + 50;
	}
	const Permutation a = stats_permutation(x, 30, y, 30, 1);
	const Permutation b = stats_permutation(x, 30, y, 30, 1);
	const Permutation c = stats_permutation(x, 30, y, 30, 2);
	const double *const groups[] = { x, y };
	const size_t lengths[] = { 30, 30 };
	const double weights[] = { -1, 1 };
	const MeanTest t = stats_contrast(groups, lengths, weights, 2, .95);
	assert_false(a.all);
	assert_int_equal(a.arrangements, STATS_DRAWN_ARRANGEMENTS);
	assert_true(a.p_welch == b.p_welch && a.p_means == b.p_means);
	assert_true(a.p_means != c.p_means);
	assert_true(fabs(a.p_welch - t.p) < .015);
	assert_true(fabs(a.p_means - t.p) < .015);
	/* The one there is counts, so that p is never 0. */
	assert_digits(stats_permutation(x, 30, z, 30, 1).p_means, 1e-4, 14);
}

static void
the_least_p_is_that_of_the_sizes(void **state)
{
	const double x[] = { 1, 2, 3, 4 }, y[] = { 11, 12.5, 14, 18 };
	const double same[] = { 7, 7, 7 }, other[] = { 8, 8, 8 };

	(void)state;
	assert_digits(stats_permutation(x, 3, y, 3, SEED).p_means, .1, 14);
	assert_digits(stats_permutation(x, 4, y, 4, SEED).p_means, 2. / 70, 14);
	/* Unequal sizes: no arrangement mirrors another. */
	assert_digits(stats_permutation(x, 2, y, 4, SEED).p_means, 1. / 15, 14);
	/* All values equal: every arrangement is as far apart. */
	const Permutation all = stats_permutation(same, 3, same, 3, SEED);
	assert_true(all.p_means == 1 && all.p_welch == 1);
	/* No variance in either: as far apart as two of twenty. */
	const Permutation still = stats_permutation(same, 3, other, 3, SEED);
	assert_digits(still.p_means, .1, 14);
	assert_digits(still.p_welch, .1, 14);
}

static void
what_cannot_be_dealt_has_no_p(void **state)
{
	const double x[] = { 1, 2, 3 }, nan[] = { 1, NAN, 3 };
	const double inf[] = { 1, INFINITY };
	const double huge[] = { 1e308, -1e308, 1e308 };
	g_autofree double *many = g_new0(double, STATS_ARRANGED_VALUES);

	(void)state;
	assert_true(isnan(stats_permutation(x, 0, x, 3, SEED).p_means));
	assert_true(isnan(stats_permutation(x, 3, nan, 3, SEED).p_means));
	assert_true(isnan(stats_permutation(inf, 2, x, 3, SEED).p_welch));
	assert_true(isnan(stats_permutation(huge, 3, huge, 3, SEED).p_means));
	const Permutation one = stats_permutation(x, 1, x + 1, 2, SEED);
	assert_digits(one.p_means, 2. / 3, 14);
	assert_true(isnan(one.p_welch));
	const Permutation none =
	    stats_permutation(x, 3, many, STATS_ARRANGED_VALUES, SEED);
	assert_true(isnan(none.p_means) && none.arrangements == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_arrangements_give_what_r_gives),
		cmocka_unit_test(many_values_are_dealt_at_random),
		cmocka_unit_test(the_least_p_is_that_of_the_sizes),
		cmocka_unit_test(what_cannot_be_dealt_has_no_p),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
