#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"

static double
parsed(const char *word)
{
	double value = -4711;

	return number_parse(word, strlen(word), &value) ? value : NAN;
}

/* The same bits as the C library's, whatever way was taken. */
static void
words_are_read_as_strtod_does(void **state)
{
	static const char *const words[] = { "0", "-0", "1", "+1.5", "-12.25",
		".5", "5.", "1e3", "1E-3", "9007199254740993", "0.1",
		"123456789012345678901234567890", "0.3e-22", "1e22", "1e23",
		"1e-400", "4.9e-324", "1.7976931348623157e308", "0x1p-3",
		"0xff", "000000000000000000000000000001.25",
		"0.000000000000000000000000000125", "1e+05", "1e00001",
		"18446744073709551616", "99999999999999999999" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		const double want = g_ascii_strtod(words[i], NULL);
		const double got = parsed(words[i]);
		if (memcmp(&want, &got, sizeof want) != 0)
			fail_msg("%s: %.17g, not %.17g", words[i], got, want);
	}
}

static void
drawn_numbers_are_read_to_the_last_bit(void **state)
{
	static const char *const shapes[] = { "%.0f", "%.2f", "%.6f", "%.10g",
		"%.15g", "%.17g", "%.20g", "%.9e", "%.16e" };
	uint64_t draw = 88172645463325252;

	(void)state;
	for (size_t i = 0; i < 100000; i++) {
		char word[400];
		draw ^= draw << 13;
		draw ^= draw >> 7;
		draw ^= draw << 17;
		const double whole = (double)(draw >> 11) / 4096;
		const double value =
		    ldexp(whole, (int)(draw % 60) - 50) * (draw & 64 ? 1 : -1);
		g_ascii_formatd(
		    word, sizeof word, shapes[i % G_N_ELEMENTS(shapes)], value);
		const double want = g_ascii_strtod(word, NULL);
		const double got = parsed(word);
		if (memcmp(&want, &got, sizeof want) != 0)
			fail_msg("%s: %.17g, not %.17g", word, got, want);
	}
}

static void
what_is_no_finite_number_is_refused(void **state)
{
	static const char *const words[] = { "", "-", "+", ".", "e5", "1e",
		"1e+", "1.2.3", "1,5", "nan", "inf", "-Infinity", "1e400", "1x",
		"0x", "--1", "1 ", "1e99999999999999999999" };
	double value = 7;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (number_parse(words[i], strlen(words[i]), &value))
			fail_msg("\"%s\" was read as %g", words[i], value);
	assert_false(number_parse("1\0002", 3, &value));
	assert_true(value == 7);
}

/* Fed in pieces of some bytes each. */
static bool
feed(Numbers *numbers, const char *text, size_t piece, GError **error)
{
	const size_t length = strlen(text);

	for (size_t at = 0; at < length; at += piece)
		if (!numbers_feed(
			numbers, text + at, MIN(piece, length - at), error))
			return false;
	return numbers_end(numbers, error);
}

static void
check(const char *text, const char *delimiters, size_t column,
    const double *want, size_t n, size_t lines)
{
	for (size_t piece = 1; piece <= 70; piece++) {
		g_auto(Numbers) numbers;
		numbers_init(&numbers, delimiters, column);
		assert_true(feed(&numbers, text, piece, NULL));
		assert_int_equal(numbers.n, n);
		for (size_t i = 0; i < n; i++)
			assert_true(numbers.values[i] == want[i]);
		assert_int_equal(numbers.lines, lines);
	}
}

static void
lines_are_read_as_ministat_does(void **state)
{
	const double all[] = { 1, -2.5, 3e2, 4, 5, 6 };
	const double second[] = { 10, 30 }, fields[] = { 1.5, 2.5 };

	(void)state;
	check("1\n-2.5\r\n\n# x\n3e2 # y\n\t 4\t9\n#5\n5   \n6", " \t", 1, all,
	    6, 9);
	check("1 10\n2\n3  30 x\n4 # 40\n", " \t", 2, second, 2, 4);
	check("a,1.5\n,, b,, 2.5 \n", ",", 2, fields, 2, 2);
	check("", " \t", 1, all, 0, 0);
	check("\n\n", " \t", 1, all, 0, 2);
}

/* A digit may be a delimiter, if somebody wants it. */
static void
delimiters_may_be_anything(void **state)
{
	const double parts[] = { 1, 3 };

	(void)state;
	check("152\n3\n", "5", 1, parts, 2, 2);
}

static void
bad_data_are_told_with_their_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "1\n2\nx\033y\n",
		    "invalid data on line 3: \"x\\x1by\" "
		    "is no finite number" },
		{ "1\n\n2,5\n",
		    "invalid data on line 3: \"2,5\" is no finite "
		    "number" },
		{ "nan",
		    "invalid data on line 1: \"nan\" is no finite number" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		for (size_t piece = 1; piece <= 9; piece++) {
			g_auto(Numbers) numbers;
			g_autoptr(GError) error = NULL;
			numbers_init(&numbers, " \t", 1);
			assert_false(
			    feed(&numbers, cases[i].text, piece, &error));
			assert_true(g_error_matches(
			    error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
			assert_string_equal(error->message, cases[i].message);
		}
}

static void
lines_may_be_long_but_not_endless(void **state)
{
	g_autofree char *spaces = g_strnfill(NUMBERS_LINE_BYTES - 1, ' ');
	g_autofree char *good = g_strdup_printf("%s7\n8\n", spaces);
	g_autofree char *bad = g_strdup_printf("1\n%s27\n", spaces);
	static const size_t pieces[] = { 1000, 65536, 200000 };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++) {
		g_auto(Numbers) numbers;
		g_auto(Numbers) endless;
		g_autoptr(GError) error = NULL;
		numbers_init(&numbers, " \t", 1);
		numbers_init(&endless, " \t", 1);
		assert_true(feed(&numbers, good, pieces[i], NULL));
		assert_int_equal(numbers.n, 2);
		assert_true(numbers.values[0] == 7);
		assert_false(feed(&endless, bad, pieces[i], &error));
		assert_string_equal(
		    error->message, "line 2 is longer than 65536 bytes");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read_as_strtod_does),
		cmocka_unit_test(drawn_numbers_are_read_to_the_last_bit),
		cmocka_unit_test(what_is_no_finite_number_is_refused),
		cmocka_unit_test(lines_are_read_as_ministat_does),
		cmocka_unit_test(delimiters_may_be_anything),
		cmocka_unit_test(bad_data_are_told_with_their_line),
		cmocka_unit_test(lines_may_be_long_but_not_endless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
