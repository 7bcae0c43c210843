#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "analysis/wording.h"

#include "nights.h"

#define assert_words(call, want)                                               \
	do {                                                                   \
		g_autofree char *words_ = (call);                              \
		assert_string_equal(words_, (want));                           \
	} while (0)

static void
numbers_have_a_point_and_a_sign(void **state)
{
	(void)state;
	assert_words(wording_signed(7.84, 1), "+7.8");
	assert_words(wording_signed(-27.94, 1), "-27.9");
	assert_words(wording_signed(0, 1), "0.0");
	/* Below zero and rounded to it: the reader must see which side. */
	assert_words(wording_signed(-.02, 1), "-0.0");
	assert_words(wording_signed(.02, 1), "+0.0");
	assert_words(wording_number(12.5, 0), "12");
	assert_words(wording_number(NAN, 2), "n/a");
	assert_words(wording_signed(INFINITY, 2), "n/a");
	assert_words(wording_number(1.5e12, 2), "1.5e+12");
	assert_words(wording_short(1), "1");
	assert_words(wording_short(.5), "0.5");
}

static void
decimals_follow_the_width_of_the_interval(void **state)
{
	(void)state;
	assert_int_equal(wording_decimals((Interval){ 1, -4, 6 }), 1);
	assert_int_equal(wording_decimals((Interval){ 1, .8, 1.2 }), 2);
	assert_int_equal(wording_decimals((Interval){ 1, .99, 1.01 }), 3);
	assert_int_equal(wording_decimals((Interval){ 1, NAN, NAN }), 1);
}

static void
probabilities_are_short(void **state)
{
	(void)state;
	assert_words(wording_p(.0000004), "< .001");
	assert_words(wording_p(.0174), ".017");
	assert_words(wording_p(.824), ".82");
	assert_words(wording_p(.0999), ".100");
	assert_words(wording_p(1), "1");
	assert_words(wording_p(NAN), "n/a");
}

static void
rounds_are_told_in_ranges(void **state)
{
	const size_t list[] = { 1, 2, 3, 5, 8, 9 };
	g_autoptr(GArray) rounds = g_array_new(FALSE, FALSE, sizeof(size_t));

	(void)state;
	assert_words(wording_rounds(rounds), "");
	g_array_append_vals(rounds, list, 6);
	assert_words(wording_rounds(rounds), "1-3, 5 and 8-9");
}

static void
one_thing_is_singular(void **state)
{
	(void)state;
	assert_words(wording_count(0, "starts"), "0 starts");
	assert_words(wording_count(1, "starts"), "1 start");
	assert_words(wording_count(2, "starts"), "2 starts");
}

static void
levels_that_say_nothing_are_told_with_their_factor(void **state)
{
	StoreData *data = night_new("x", "x");

	(void)state;
	DataFactor *a = night_factor(data, "flush", CLASS_SERVER);
	night_level(a, "1", "");
	night_level(a, "64M", "");
	night_level(a, "default", "");
	night_level(a, "shared", "");
	night_level(a, "4BSD", "");
	DataFactor *b = night_factor(data, "other", CLASS_SERVER);
	night_level(b, "shared", "");
	assert_words(wording_level(data, 0, 0), "flush 1");
	assert_words(wording_level(data, 0, 1), "flush 64M");
	assert_words(wording_level(data, 0, 2), "flush default");
	assert_words(wording_level(data, 0, 3), "flush shared");
	assert_words(wording_level(data, 0, 4), "4BSD");
	assert_words(wording_level(data, 1, 0), "other shared");
	assert_words(wording_level(data, 0, 99), "?");
	store_data_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_a_point_and_a_sign),
		cmocka_unit_test(decimals_follow_the_width_of_the_interval),
		cmocka_unit_test(probabilities_are_short),
		cmocka_unit_test(rounds_are_told_in_ranges),
		cmocka_unit_test(one_thing_is_singular),
		cmocka_unit_test(
		    levels_that_say_nothing_are_told_with_their_factor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
