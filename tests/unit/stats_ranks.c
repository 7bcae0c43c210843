#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/counts.h"
#include "stats/ranks.h"

#include "stats_pairs.h"

static void
check_ranks(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "mann_whitney");
	const bool ties = json_is_true(json_object_get(r, "ties"));
	const RankTest rank = stats_mann_whitney(
	    golden_values(base), base->len, golden_values(test), test->len);
	const ShiftTest shift = stats_hodges_lehmann(golden_values(base),
	    base->len, golden_values(test), test->len, .95);

	assert_true(rank.exact);
	assert_int_equal(rank.ties, ties);
	assert_true(rank.u == golden_at(r, "U_y"));
	assert_digits(rank.p, golden_at(r, "p_exact_ties"), 13);
	assert_digits(rank.cliff, golden_at(golden, "cliffs_delta"), 13);
	assert_digits(shift.shift.estimate, golden_at(r, "hodges_lehmann"), 12);
	/* With ties R leaves the exact interval. */
	if (ties)
		return;
	assert_digits(shift.shift.low, golden_at(r, "hl_ci/0"), 12);
	assert_digits(shift.shift.high, golden_at(r, "hl_ci/1"), 12);
}

static void
ranks_agree_with_r(void **state)
{
	(void)state;
	golden_check_pairs(check_ranks);
}

/* 0, 2, 4, ... against a set of which this many pairs lie below. */
static RankTest
rank_of(size_t n, size_t u)
{
	double base[50], test[50];

	for (size_t i = 0; i < n; i++) {
		base[i] = (double)(2 * i);
		test[i] = (double)(2 * MIN(u, n)) - 1 - 1e-6 * (double)i;
		u -= MIN(u, n);
	}
	return stats_mann_whitney(base, n, test, n);
}

static void
distributions_agree_with_r(void **state)
{
	json_t *root = golden_json(DATA "r/quantiles_power.json");
	static const struct {
		const char *name;
		size_t n, u;
	} points[] = { { "pwilcox_0_4_4", 4, 0 }, { "pwilcox_2_5_5", 5, 2 },
		{ "pwilcox_5_5_5", 5, 5 }, { "pwilcox_330_30_30", 30, 330 } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(points); i++) {
		g_autofree char *path =
		    g_strdup_printf("quantiles/%s", points[i].name);
		const RankTest rank = rank_of(points[i].n, points[i].u);
		assert_true(rank.exact && !rank.ties);
		assert_true(rank.u == (double)points[i].u);
		assert_digits(rank.p, 2 * golden_at(root, path), 13);
	}
	for (size_t n = 2; n <= 10; n++) {
		g_autofree char *path =
		    g_strdup_printf("min_p_mann_whitney/n%zu", n);
		assert_digits(rank_of(n, 0).p, golden_at(root, path), 13);
		assert_digits(rank_of(n, 0).least_p, golden_at(root, path), 13);
	}
	json_decref(root);
}

static void
intervals_tell_the_level_that_they_have(void **state)
{
	g_auto(GStrv) lines = golden_lines(DATA "r/hl_ci_levels.csv");
	size_t checked = 0;

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++, checked++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		const size_t n = (size_t)atoi(column[0]);
		double base[10], test[10];
		for (size_t j = 0; j < n; j++) {
			base[j] = (double)j;
			test[j] = 10 * (double)(j + 1);
		}
		const ShiftTest shift =
		    stats_hodges_lehmann(base, n, test, n, .95);
		assert_digits(shift.level, atof(column[3]), 11.5);
	}
	assert_int_equal(checked, 8);
}

/* The shift algorithm on ranks without ties must say what counting says. */
static void
two_ways_to_count_agree(void **state)
{
	enum { M = 7, N = 9, ALL = M + N, LEAST = M * (M + 1) };
	size_t ranks[ALL], most = 0;

	(void)state;
	for (size_t i = 0; i < ALL; i++) {
		ranks[i] = 2 * (i + 1);
		most += i >= ALL - M ? ranks[i] : 0;
	}
	g_autofree double *counted = counts_mann_whitney(M, N);
	g_autofree double *shifted = counts_rank_sums(ranks, ALL, M, most);
	double sum = 0;
	for (size_t i = 0; i <= M * N; i++) {
		assert_digits(shifted[LEAST + 2 * i], counted[i], 12);
		sum += counted[i];
	}
	assert_digits(sum, 1, 13);
}

/* From U, the sizes, and t equal values in each of g groups. */
static double
normal_p(double u, double n, double t, double g)
{
	const double all = 2 * n;
	const double variance =
	    n * n / 12 * (all + 1 - g * (t * t * t - t) / (all * (all - 1)));

	return erfc((fabs(u - n * n / 2) - .5) / sqrt(2 * variance));
}

static void
large_sets_are_compared_by_the_normal_distribution(void **state)
{
	enum { N = 1200, TIES = 16 };
	g_autofree double *base = g_new(double, N);
	g_autofree double *test = g_new(double, N);

	(void)state;
	for (size_t i = 0; i < N; i++) {
		base[i] = (double)(i * 7 % N);
		test[i] = base[i] + 35.5;
	}
	const RankTest large = stats_mann_whitney(base, N, test, N);
	assert_false(large.exact || large.ties);
	assert_true(large.p > .001 && large.p < .1);
	assert_digits(large.p, normal_p(large.u, N, 1, 0), 10);
	/* 140 are compared exactly, and it is nearly the same. */
	for (size_t i = 0; i < 140; i++)
		test[i] = base[i] + 95.5;
	const RankTest exact = stats_mann_whitney(base, 140, test, 140);
	assert_true(exact.exact && !exact.ties);
	assert_true(exact.p > .001 && exact.p < .1);
	assert_digits(exact.p, normal_p(exact.u, 140, 1, 0), 1.5);
	/* Every value 16 times, 8 in each set, but for those at the ends. */
	for (size_t i = 0; i < N; i++)
		base[i] = test[i] = (double)(i % 150);
	for (size_t i = 0; i < N; i++)
		test[i] = fmod(test[i] + 149, 150);
	test[0] = 1;
	const RankTest tied = stats_mann_whitney(base, N, test, N);
	assert_true(tied.ties && !tied.exact);
	assert_digits(tied.p, normal_p(tied.u, N, TIES, N * 2. / TIES), 3);
	for (size_t i = 0; i < N; i++)
		base[i] = test[i] = 1;
	assert_true(stats_mann_whitney(base, N, test, N).p == 1);
}

static void
sets_without_ranks_have_no_test(void **state)
{
	const double x[] = { 1, 2, 3 }, nan[] = { 1, NAN }, same[] = { 4, 4 };

	(void)state;
	assert_true(isnan(stats_mann_whitney(x, 0, x, 3).p));
	assert_true(isnan(stats_mann_whitney(x, 3, nan, 2).p));
	assert_true(stats_mann_whitney(same, 2, same, 2).p == 1);
	assert_true(stats_mann_whitney(x, 1, x + 1, 1).p == 1);
	assert_true(
	    isnan(stats_hodges_lehmann(x, 3, nan, 2, .95).shift.estimate));
	assert_true(
	    isnan(stats_hodges_lehmann(x, 0, x, 3, .95).shift.estimate));
	assert_true(isnan(stats_hodges_lehmann(x, 3, x, 3, 1).shift.estimate));
	const ShiftTest one = stats_hodges_lehmann(x, 1, x + 1, 1, .95);
	assert_true(one.shift.estimate == 1 && isnan(one.level));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_agree_with_r),
		cmocka_unit_test(distributions_agree_with_r),
		cmocka_unit_test(intervals_tell_the_level_that_they_have),
		cmocka_unit_test(two_ways_to_count_agree),
		cmocka_unit_test(
		    large_sets_are_compared_by_the_normal_distribution),
		cmocka_unit_test(sets_without_ranks_have_no_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
