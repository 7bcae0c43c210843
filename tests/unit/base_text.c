#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

static void
durations_need_a_unit(void **state)
{
	int64_t ms = -1;

	(void)state;
	assert_true(text_parse_duration("1h30min", &ms, NULL));
	assert_int_equal(ms, 5400000);
	assert_true(text_parse_duration("250ms", &ms, NULL));
	assert_int_equal(ms, 250);
	assert_false(text_parse_duration("3", &ms, NULL));
	assert_false(text_parse_duration("", &ms, NULL));
	assert_false(text_parse_duration("3 parsecs", &ms, NULL));
	assert_int_equal(ms, 250);
}

static void
sizes_are_powers_of_1024(void **state)
{
	uint64_t bytes = 0;

	(void)state;
	assert_true(text_parse_size("1.5K", &bytes, NULL));
	assert_int_equal(bytes, 1536);
	assert_false(text_parse_size("64MB", &bytes, NULL));
}

static void
swapped_letters_are_guessed(void **state)
{
	static const char *const words[] = { "rounds", "runs", NULL };

	(void)state;
	assert_string_equal(text_nearest("ruonds", words), "rounds");
	assert_null(text_nearest("elephant", words));
}

static void
remote_text_cannot_move_the_cursor(void **state)
{
	(void)state;
	char *text = text_printable("a\033[2J\xe2\x80\xae\xff b\n", 100);
	assert_string_equal(text, "a\\x1b[2J\\xe2\\x80\\xae\\xff b\\n");
	g_free(text);
	/* An Arabic letter mark, a line separator, and C1's own escape. */
	text = text_printable("\xd8\x9c\xe2\x80\xa8\xc2\x9b\x7f", 100);
	assert_string_equal(text, "\\xd8\\x9c\\xe2\\x80\\xa8\\xc2\\x9b\\x7f");
	g_free(text);
	text = text_printable_lines("a\tb\n\033[2Jc\r\n");
	assert_string_equal(text, "a\tb\n\\x1b[2Jc\\x0d\n");
	g_free(text);
}

static void
foreign_text_is_cut_between_letters(void **state)
{
	(void)state;
	g_autofree char *cut = text_printable("abcdef", 3);
	assert_string_equal(cut, "abc...");
	g_autofree char *whole = text_printable("abc", 3);
	assert_string_equal(whole, "abc");
	g_autofree char *letter = text_printable("a\xc3\xa4z", 2);
	assert_string_equal(letter, "a\xc3\xa4...");
}

static void
whole_numbers_keep_to_their_range(void **state)
{
	static const char *const wrong[] = { "", " 1", "1 ", "1x", "0x10",
		"--1", "11", "-2", "99999999999999999999",
		"-99999999999999999999" };
	int64_t value = 77;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++)
		assert_false(text_parse_int(wrong[i], -1, 10, &value, NULL));
	assert_int_equal(value, 77);
	assert_true(text_parse_int("-1", -1, 10, &value, NULL));
	assert_int_equal(value, -1);
	assert_true(text_parse_int("10", -1, 10, &value, NULL));
	assert_int_equal(value, 10);
	assert_true(text_parse_int(
	    "9223372036854775807", INT64_MIN, INT64_MAX, &value, NULL));
	assert_true(value == INT64_MAX);
	assert_false(text_parse_int(
	    "9223372036854775808", INT64_MIN, INT64_MAX, &value, NULL));
}

static void
numbers_have_a_point_and_an_end(void **state)
{
	static const char *const wrong[] = { "", " 1", "1,5", "1.5 ", "inf",
		"nan", "1e999", "x" };
	double value = 7;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++)
		assert_false(text_parse_double(wrong[i], &value, NULL));
	assert_true(value == 7);
	assert_true(text_parse_double("-2.5e3", &value, NULL));
	assert_true(value == -2500);
}

static void
sizes_and_durations_end_where_their_types_end(void **state)
{
	uint64_t bytes = 0;
	int64_t ms = 0;

	(void)state;
	assert_true(text_parse_size("8388607T", &bytes, NULL));
	assert_true(bytes == UINT64_C(8388607) << 40);
	assert_false(text_parse_size("8388608T", &bytes, NULL));
	assert_false(text_parse_size("1.2.3K", &bytes, NULL));
	assert_false(text_parse_size("-1", &bytes, NULL));
	assert_true(text_parse_duration("2h 5min 1s", &ms, NULL));
	assert_int_equal(ms, 7501000);
	assert_true(text_parse_duration("1.5d", &ms, NULL));
	assert_int_equal(ms, 129600000);
	assert_false(text_parse_duration("99999999999999999d", &ms, NULL));
	assert_int_equal(ms, 129600000);
}

static void
a_duration_is_told_in_two_units_at_most(void **state)
{
	static const struct {
		int64_t ms;
		const char *text;
	} known[] = { { 0, "0 ms" }, { 999, "999 ms" }, { 1000, "1 s" },
		{ 1499, "1 s" }, { 1500, "2 s" }, { 59499, "59 s" },
		{ 60000, "1 min" }, { 105000, "1 min 45 s" },
		{ 3599499, "59 min 59 s" }, { 3600000, "1 h 0 min" },
		{ 28320000, "7 h 52 min" } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		g_autofree char *text = text_duration(known[i].ms);
		assert_string_equal(text, known[i].text);
	}
}

static void
guesses_are_within_a_third_of_the_word(void **state)
{
	static const char *const words[] = { "seed", "warmup", "restart",
		NULL };
	g_autofree char *endless = g_strnfill(1000, 'x');

	(void)state;
	assert_string_equal(text_nearest("sed", words), "seed");
	assert_string_equal(text_nearest("seeds", words), "seed");
	assert_null(text_nearest("sods", words));
	assert_string_equal(text_nearest("wramups", words), "warmup");
	assert_null(text_nearest("wrmaups", words));
	assert_null(text_nearest("restored", words));
	assert_null(text_nearest(endless, words));
	assert_null(text_nearest("", words));
}

static void
names_that_may_be_paths_are_plain(void **state)
{
	static const char *const wrong[] = { "", ".", "..", ".a", "-a", "a/b",
		"a b", "a\n", "\xc3\xa4" };
	g_autofree char *longest = g_strnfill(64, 'a');
	g_autofree char *longer = g_strnfill(65, 'a');

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		assert_false(text_is_safe_name(wrong[i]));
		g_autofree char *made = text_safe_name(wrong[i]);
		assert_true(text_is_safe_name(made));
	}
	assert_true(text_is_safe_name("lab1.a-b_C"));
	assert_true(text_is_safe_name(longest));
	assert_false(text_is_safe_name(longer));
	g_autofree char *cut = text_safe_name(longer);
	assert_string_equal(cut, longest);
	g_autofree char *kept = text_safe_name("lab1.a-b_C");
	assert_string_equal(kept, "lab1.a-b_C");
}

static void
variables_are_named_as_in_sh(void **state)
{
	(void)state;
	assert_true(text_is_variable("_A9"));
	assert_false(text_is_variable("9A"));
	assert_false(text_is_variable(""));
	assert_false(text_is_variable("A-B"));
	assert_false(text_is_variable("A=B"));
}

static void
a_sum_is_that_of_the_standard(void **state)
{
	(void)state;
	/* FIPS 180-2, appendix B.1. */
	g_autofree char *sum = text_sha256("abc", 3);
	assert_string_equal(sum,
	    "ba7816bf8f01cfea414140de5dae2223"
	    "b00361a396177a9cb410ff61f20015ad");
}

static void
lines_are_wrapped_at_their_width(void **state)
{
	(void)state;
	g_autofree char *text = text_wrap("one two  three\nfour", "  ", 9);
	assert_string_equal(text, "  one two\n  three\n  four\n");
	g_autofree char *wide = text_wrap("abcdefghijkl x", " ", 4);
	assert_string_equal(wide, " abcdefghijkl\n x\n");
	g_autofree char *letters =
	    text_wrap("\xc3\xa4\xc3\xa4 \xc3\xa4", "", 4);
	assert_string_equal(letters, "\xc3\xa4\xc3\xa4 \xc3\xa4\n");
	g_autofree char *nothing = text_wrap(" \n ", "> ", 10);
	assert_string_equal(nothing, "");
}

static void
lines_of_a_program_become_one(void **state)
{
	(void)state;
	g_autofree char *text =
	    text_one_line("\nfirst\r\n\n  FATAL: no\nfirst\nlast\033\n", 400);
	assert_string_equal(text, "first; FATAL: no; last\\x1b");
	g_autofree char *cut = text_one_line("one\ntwo", 5);
	assert_string_equal(cut, "one; ...");
	g_autofree char *nothing = text_one_line(" \n", 5);
	assert_string_equal(nothing, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_need_a_unit),
		cmocka_unit_test(sizes_are_powers_of_1024),
		cmocka_unit_test(swapped_letters_are_guessed),
		cmocka_unit_test(remote_text_cannot_move_the_cursor),
		cmocka_unit_test(foreign_text_is_cut_between_letters),
		cmocka_unit_test(whole_numbers_keep_to_their_range),
		cmocka_unit_test(numbers_have_a_point_and_an_end),
		cmocka_unit_test(sizes_and_durations_end_where_their_types_end),
		cmocka_unit_test(a_duration_is_told_in_two_units_at_most),
		cmocka_unit_test(guesses_are_within_a_third_of_the_word),
		cmocka_unit_test(names_that_may_be_paths_are_plain),
		cmocka_unit_test(variables_are_named_as_in_sh),
		cmocka_unit_test(a_sum_is_that_of_the_standard),
		cmocka_unit_test(lines_are_wrapped_at_their_width),
		cmocka_unit_test(lines_of_a_program_become_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
