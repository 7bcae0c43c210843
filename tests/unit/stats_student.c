#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/stats.h"

#include "stats_pairs.h"

static void
check_student(const GArray *base, const GArray *test, const json_t *golden)
{
	const json_t *r = json_object_get(golden, "student");
	const Summary x = stats_summary(golden_values(base), base->len);
	const Summary y = stats_summary(golden_values(test), test->len);
	const StudentTest student = stats_student(&x, &y, .95);

	assert_true(student.mean.valid);
	assert_digits(student.mean.t, golden_at(r, "t"), 12);
	assert_true(student.mean.df == golden_at(r, "df"));
	assert_digits(student.mean.p, golden_at(r, "p"), 12);
	assert_digits(student.mean.difference.low, golden_at(r, "ci95/0"), 12);
	assert_digits(student.mean.difference.high, golden_at(r, "ci95/1"), 12);
	assert_digits(student.pooled_sd, golden_at(r, "pooled_s"), 12);
	assert_digits(student.percent, golden_at(golden, "pct"), 12);
	assert_digits(student.percent_error, golden_at(r, "err_pct_new"), 12);
}

static void
student_agrees_with_r(void **state)
{
	(void)state;
	golden_check_pairs(check_student);
}

/* Of the posts whose values are not known, only what they printed. */
static void
published_summaries_give_what_r_gives(void **state)
{
	static const struct {
		const char *name;
		Summary base, test;
	} posts[] = {
		{ "seed000",
		    { 30, 45910, 45911, NAN, 45910.616, 745.54679, NAN },
		    { 30, 66254, 66255, NAN, 66254.815, 1953.4324, NAN } },
		{ "seed004", { 10, 8381, 8382, NAN, 8381.652, 39.682672, NAN },
		    { 10, 10551, 10552, NAN, 10551.599, 39.893907, NAN } },
	};
	json_t *root = golden_json(DATA "r/published_summaries.json");

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(posts); i++) {
		const json_t *r = json_object_get(root, posts[i].name);
		const StudentTest student =
		    stats_student(&posts[i].base, &posts[i].test, .95);
		assert_digits(
		    student.mean.difference.estimate, golden_at(r, "diff"), 12);
		assert_digits(student.mean.difference.high -
			student.mean.difference.estimate,
		    golden_at(r, "err"), 11);
		assert_digits(student.percent, golden_at(r, "pct"), 12);
		assert_digits(
		    student.percent_error, golden_at(r, "pct_err_new"), 12);
		assert_digits(student.pooled_sd, golden_at(r, "pooled_s"), 12);
	}
	json_decref(root);
}

static StudentTest
student_of(const double *x, size_t n, const double *y, size_t m)
{
	const Summary base = stats_summary(x, n), test = stats_summary(y, m);

	return stats_student(&base, &test, .95);
}

static void
sets_that_tell_nothing_have_no_test(void **state)
{
	const double still[] = { 5, 5, 5 }, other[] = { 6, 6, 6 };
	const double tiny[] = { 1e-20, 2e-20, 3e-20 }, zero[] = { -1, 0, 1 };
	const double below[] = { -10, -11, -12 };
	const double nan[] = { 1, NAN, 2 }, inf[] = { 1, INFINITY, 2 };

	(void)state;
	const StudentTest none = student_of(still, 3, other, 3);
	assert_false(none.mean.valid);
	assert_true(none.mean.difference.estimate == 1);
	assert_digits(none.percent, 20, 14);
	assert_true(isnan(none.mean.p) && isnan(none.pooled_sd));
	assert_false(student_of(still, 1, other, 1).mean.valid);
	assert_false(student_of(still, 0, other, 3).mean.valid);
	/* What is not finite is no value, whatever the other set holds. */
	assert_false(student_of(nan, 3, below, 3).mean.valid);
	assert_false(student_of(below, 3, inf, 3).mean.valid);
	assert_true(isnan(student_of(below, 3, inf, 3).mean.p));
	assert_true(isnan(student_of(below, 3, nan, 3).percent_error));
	/* One value and two: a degree of freedom. */
	const double two[] = { 1, 2 };
	assert_true(student_of(still, 1, two, 2).mean.valid);
	assert_true(student_of(still, 1, two, 2).mean.df == 1);
	/* Small is a matter of the unit. */
	assert_true(student_of(tiny, 3, tiny, 3).mean.valid);
	const StudentTest of_zero = student_of(zero, 3, other, 3);
	assert_true(of_zero.mean.valid);
	assert_true(isnan(of_zero.percent) && isnan(of_zero.percent_error));
	assert_true(student_of(below, 3, other, 3).percent_error > 0);
}

static void
check_margin(const RatioTest *test, double margin, const json_t *r)
{
	const Equivalence got = stats_equivalence(test, margin, .05);

	assert_digits(got.p_low, golden_at(r, "p_lower_noninferior"), 11.5);
	assert_digits(got.p_high, golden_at(r, "p_upper"), 11.5);
	assert_digits(got.p, golden_at(r, "p_tost"), 11.5);
	assert_digits(got.ratio.low, golden_at(r, "gmr_ci90/0"), 12);
	assert_digits(got.ratio.high, golden_at(r, "gmr_ci90/1"), 12);
	assert_true((got.p < .05) ==
	    (got.ratio.low > 1 - margin && got.ratio.high < 1 / (1 - margin)));
}

static void
check_equivalence(const GArray *base, const GArray *test, const json_t *golden)
{
	const RatioTest logs = stats_welch_log(golden_values(base), base->len,
	    golden_values(test), test->len, .95);

	check_margin(&logs, .01, json_object_get(golden, "tost_1pct"));
	check_margin(&logs, .05, json_object_get(golden, "tost_5pct"));
}

static void
equivalence_agrees_with_r(void **state)
{
	const double x[] = { 100, 101, 102 };

	(void)state;
	golden_check_pairs(check_equivalence);
	const RatioTest same = stats_welch_log(x, 3, x, 3, .95);
	assert_true(stats_equivalence(&same, .05, .05).p < .05);
	assert_true(stats_equivalence(&same, .005, .05).p > .05);
	assert_true(isnan(stats_equivalence(&same, 0, .05).p));
	assert_true(isnan(stats_equivalence(&same, 1, .05).p));
	const RatioTest none = stats_welch_log(x, 1, x, 3, .95);
	assert_true(isnan(stats_equivalence(&none, .05, .05).p));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_agrees_with_r),
		cmocka_unit_test(published_summaries_give_what_r_gives),
		cmocka_unit_test(sets_that_tell_nothing_have_no_test),
		cmocka_unit_test(equivalence_agrees_with_r),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
