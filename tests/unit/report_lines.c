#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/lines.h"

static void
check_wrap(const char *text, size_t width, const char *want)
{
	g_autofree char *got = lines_wrap(text, "* ", "  ", width);

	assert_string_equal(got, want);
}

static void
words_are_wrapped_where_they_end(void **state)
{
	(void)state;
	check_wrap("one two three", 9, "* one two\n  three\n");
	check_wrap("one  two", 9, "* one two\n");
	check_wrap("", 9, "");
	check_wrap("one\ntwo", 20, "* one\n  two\n");
}

static void
a_per_cent_sign_stays_with_its_number(void **state)
{
	(void)state;
	check_wrap("about 12 % more", 10, "* about\n  12 %\n  more\n");
}

static void
long_words_are_broken_and_lose_nothing(void **state)
{
	(void)state;
	check_wrap("a bcdefghijklm n", 8, "* a\n  bcdefg\n  hijklm\n  n\n");
}

/* Two columns each: four of them and the indent are ten. */
static void
wide_characters_count_twice(void **state)
{
	(void)state;
	assert_int_equal(lines_width("\xe6\x97\xa5\xe6\x9c\xac"), 4);
	assert_int_equal(lines_width("e\xcc\x81"), 1);
	check_wrap("\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5"
		   "\xe6\x97\xa5",
	    10,
	    "* \xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\n"
	    "  \xe6\x97\xa5\n");
}

static void
no_width_is_too_small_to_end(void **state)
{
	(void)state;
	check_wrap("ab", 0, "* a\n  b\n");
	check_wrap(
	    "\xe6\x97\xa5\xe6\x97\xa5", 3, "* \xe6\x97\xa5\n  \xe6\x97\xa5\n");
}

static void
cells_are_padded_on_either_side(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);

	(void)state;
	lines_append(out, "ab", 4, FALSE);
	lines_append(out, "\xe6\x97\xa5", 3, TRUE);
	lines_append(out, "long", 2, TRUE);
	assert_string_equal(out->str, "ab   \xe6\x97\xa5long");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_wrapped_where_they_end),
		cmocka_unit_test(a_per_cent_sign_stays_with_its_number),
		cmocka_unit_test(long_words_are_broken_and_lose_nothing),
		cmocka_unit_test(wide_characters_count_twice),
		cmocka_unit_test(no_width_is_too_small_to_end),
		cmocka_unit_test(cells_are_padded_on_either_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
