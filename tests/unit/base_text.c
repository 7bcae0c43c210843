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
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_need_a_unit),
		cmocka_unit_test(sizes_are_powers_of_1024),
		cmocka_unit_test(swapped_letters_are_guessed),
		cmocka_unit_test(remote_text_cannot_move_the_cursor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
