#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

/* What was written to standard error meanwhile, without the time of day. */
static char *
heard(void (*speak)(void))
{
	g_autofree char *path = NULL;
	const int file = g_file_open_tmp("abrun-log.XXXXXX", &path, NULL);
	const int before = dup(STDERR_FILENO);
	char *text = NULL;

	assert_true(file >= 0 && before >= 0);
	(void)fflush(stderr);
	assert_true(dup2(file, STDERR_FILENO) >= 0);
	speak();
	(void)fflush(stderr);
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	(void)close(before);
	(void)close(file);
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	(void)g_unlink(path);
	g_autoptr(GRegex) clock = g_regex_new(
	    "^[0-2][0-9]:[0-5][0-9]:[0-6][0-9] ", G_REGEX_MULTILINE, 0, NULL);
	char *bare = g_regex_replace(clock, text, -1, 0, "", 0, NULL);
	g_free(text);
	return bare;
}

static void
say_all(void)
{
	log_error("error %d", 1);
	log_info("info %s", "2");
	log_verbose("verbose");
	log_progress("progress");
}

static void
the_level_decides_what_is_said(void **state)
{
	(void)state;
	log_set_level(LOG_QUIET);
	g_autofree char *quiet = heard(say_all);
	assert_string_equal(quiet, "error 1\n");
	log_set_level(LOG_NORMAL);
	g_autofree char *normal = heard(say_all);
	assert_string_equal(normal, "error 1\ninfo 2\n");
	log_set_level(LOG_VERBOSE);
	g_autofree char *verbose = heard(say_all);
	assert_string_equal(verbose, "error 1\ninfo 2\nverbose\n");
}

static void
say_foreign(void)
{
	log_error("host: %s", "\033[2J\nforged\xff");
}

static void
a_host_writes_neither_lines_nor_escapes(void **state)
{
	(void)state;
	g_autofree char *text = heard(say_foreign);
	assert_string_equal(text, "host: \\x1b[2J\\nforged\\xff\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_level_decides_what_is_said),
		cmocka_unit_test(a_host_writes_neither_lines_nor_escapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
