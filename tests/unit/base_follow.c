/*
 * base/follow.h: what a command prints meanwhile, kept and bounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "base/cancel.h"
#include "base/follow.h"

enum { PATIENCE_MS = 10000 };

static const char *const env[] = { "PATH=/usr/bin:/bin", "WORD=seen", NULL };

typedef struct {
	char *path;
} Place;

static int
make_place(void **state)
{
	Place *place = g_new0(Place, 1);
	const int fd = g_file_open_tmp("follow-XXXXXX", &place->path, NULL);

	*state = place;
	return fd < 0 || close(fd) != 0;
}

static int
remove_place(void **state)
{
	Place *place = *state;

	(void)g_unlink(place->path);
	g_free(place->path);
	g_free(place);
	return 0;
}

static char *
text_of(const Place *place)
{
	char *text = NULL;

	assert_true(g_file_get_contents(place->path, &text, NULL, NULL));
	return text;
}

/* Until the file has it. */
static void
wait_for(const Place *place, const char *word)
{
	const Deadline deadline = deadline_in(PATIENCE_MS);

	for (;;) {
		g_autofree char *text = text_of(place);
		if (strstr(text, word) != NULL)
			return;
		assert_false(deadline_passed(deadline));
		(void)cancel_sleep(NULL, deadline_in(10), NULL);
	}
}

static Follow *
started(const Place *place, const char *command)
{
	Follow *follow = follow_start(command, env, place->path, NULL);

	assert_non_null(follow);
	return follow;
}

static void
each_line_has_its_time(void **state)
{
	const Place *place = *state;
	Follow *follow = started(place,
	    "echo one $WORD; echo two >&2; printf 'with'; sleep 0.1; "
	    "echo 'out end'; exec sleep 100");

	wait_for(place, "out end\n");
	g_autofree char *last = follow_end(follow);
	g_autofree char *text = text_of(place);
	assert_string_equal(text, last);
	assert_true(
	    g_regex_match_simple("^[0-9]{2}:[0-9]{2}:[0-9]{2} one seen\n"
				 "[0-9:]{8} two\n[0-9:]{8} without end\n$",
		text, 0, 0));
}

static gsize
size_of(const char *path)
{
	g_autofree char *text = NULL;
	gsize length = 0;

	assert_true(g_file_get_contents(path, &text, &length, NULL));
	return length;
}

/* Also what it has left in the background, and what does not want to. */
static void
all_of_it_is_ended(void **state)
{
	const Place *place = *state;
	g_autofree char *ticks = g_strdup_printf("%s.ticks", place->path);
	g_autofree char *command = g_strdup_printf(
	    "while :; do echo >>%s; sleep 0.01; done & trap '' TERM; "
	    "sleep 0.1; echo ready; while :; do sleep 1; done",
	    ticks);
	Follow *follow = started(place, command);

	wait_for(place, "ready\n");
	g_autofree char *last = follow_end(follow);
	assert_non_null(strstr(last, "ready"));
	const gsize size = size_of(ticks);
	assert_true(size > 0);
	(void)cancel_sleep(NULL, deadline_in(300), NULL);
	assert_int_equal(size_of(ticks), size);
	assert_int_equal(g_unlink(ticks), 0);
}

static void
one_that_ends_by_itself_is_no_trouble(void **state)
{
	const Place *place = *state;
	Follow *follow = started(place, "echo gone; exit 3");

	wait_for(place, "gone\n");
	g_autofree char *last = follow_end(follow);
	assert_non_null(strstr(last, "gone"));
}

static void
a_flood_is_bounded_and_its_end_is_kept(void **state)
{
	const Place *place = *state;
	g_autofree char *done = g_strdup_printf("%s.done", place->path);
	g_autofree char *command = g_strdup_printf(
	    "echo begin; yes 0123456789012345678901234567890123456789 | "
	    "head -n 100000; echo the end; : >%s",
	    done);
	Follow *follow = started(place, command);

	/* Of the end the file has nothing yet. */
	for (int i = 0; i < 1000 && g_access(done, F_OK) != 0; i++)
		(void)cancel_sleep(NULL, deadline_in(10), NULL);
	g_autofree char *last = follow_end(follow);
	assert_int_equal(g_unlink(done), 0);
	g_autofree char *text = text_of(place);
	assert_true(strlen(text) < (1 << 20) + (3 << 16));
	assert_non_null(strstr(text, " begin\n"));
	assert_non_null(strstr(text, "bytes are left out here]\n"));
	assert_true(g_str_has_suffix(text, " the end\n"));
	assert_true(strlen(last) <= FOLLOW_LAST_BYTES);
	assert_true(g_str_has_suffix(last, " the end\n"));
}

static void
what_cannot_be_started_is_told(void **state)
{
	GError *failure = NULL;

	(void)state;
	assert_null(follow_start("true", env, "/nonexistent/file", &failure));
	assert_non_null(failure);
	g_error_free(failure);
}

static void
last_lines_are_one_line(void **state)
{
	(void)state;
	g_autofree char *all = follow_last_lines("a\r\n\nb \nc\n", 100);
	assert_string_equal(all, "a / b / c");
	g_autofree char *some = follow_last_lines("aaaa\nbbbb\ncccc\n", 11);
	assert_string_equal(some, "bbbb / cccc");
	g_autofree char *none = follow_last_lines("\n\n", 10);
	assert_string_equal(none, "");
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_place, remove_place)
	const struct CMUnitTest tests[] = {
		TEST(each_line_has_its_time),
		TEST(all_of_it_is_ended),
		TEST(one_that_ends_by_itself_is_no_trouble),
		TEST(a_flood_is_bounded_and_its_end_is_kept),
		cmocka_unit_test(what_cannot_be_started_is_told),
		cmocka_unit_test(last_lines_are_one_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
