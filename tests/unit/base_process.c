#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/process.h"
#include "base/quote.h"
#include "base/text.h"

/* No command here takes more than a moment; a deadline is for a hang. */
enum { LONG_MS = 20000, BYTES = 1 << 20 };

/* A line of sh; the caller clears the result. */
static bool
run_sh(const char *line, const char *input, size_t cap, int64_t ms,
    ProcessResult *result, GError **error)
{
	const char *const argv[] = { "sh", "-c", line, NULL };

	return process_run(
	    argv, NULL, input, cap, deadline_in(ms), NULL, result, error);
}

static void
status_and_both_outputs_come_back(void **state)
{
	g_auto(ProcessResult) result = { 0 };

	(void)state;
	assert_true(run_sh(
	    "cat; echo no >&2; exit 7", "yes", BYTES, LONG_MS, &result, NULL));
	assert_string_equal(result.out->str, "yes");
	assert_string_equal(result.err->str, "no\n");
	assert_int_equal(result.status, 7);
	assert_int_equal(result.signal, 0);
	assert_false(result.truncated);
}

static void
a_signal_is_told_as_one(void **state)
{
	g_auto(ProcessResult) result = { 0 };

	(void)state;
	assert_true(
	    run_sh("kill -KILL $$", NULL, BYTES, LONG_MS, &result, NULL));
	assert_int_equal(result.status, -1);
	assert_int_equal(result.signal, SIGKILL);
}

static void
output_beyond_the_limit_is_dropped_and_told(void **state)
{
	g_auto(ProcessResult) result = { 0 };

	(void)state;
	/* More than a pipe holds, so that it must be read all the same. */
	assert_true(run_sh(
	    "head -c 1000000 /dev/zero", NULL, 10, LONG_MS, &result, NULL));
	assert_int_equal(result.status, 0);
	assert_int_equal(result.out->len, 10);
	assert_true(result.truncated);
}

static void
input_that_nobody_reads_harms_nobody(void **state)
{
	g_autofree char *much = g_strnfill(1000000, 'x');
	g_auto(ProcessResult) result = { 0 };

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	assert_true(run_sh("exit 3", much, BYTES, LONG_MS, &result, NULL));
	assert_int_equal(result.status, 3);
}

/* Gone, or a zombie that process 1 has not reaped yet. */
static bool
is_over(int64_t pid)
{
	g_autofree char *path =
	    g_strdup_printf("/proc/%" G_GINT64_FORMAT "/stat", pid);
	g_autofree char *stat = NULL;

	return !g_file_get_contents(path, &stat, NULL, NULL) ||
	    strstr(stat, ") Z ") != NULL;
}

static void
the_deadline_kills_the_whole_group(void **state)
{
	const Deadline hang = deadline_in(LONG_MS);
	int64_t child = 0;

	(void)state;
	/* A machine that is busy says the number later. */
	for (int64_t ms = 100; child == 0 && ms < LONG_MS; ms *= 2) {
		g_auto(ProcessResult) result = { 0 };
		g_autoptr(GError) error = NULL;
		assert_false(run_sh("sleep 60 & echo $!; wait", NULL, BYTES, ms,
		    &result, &error));
		assert_true(
		    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_TIMEOUT));
		(void)text_parse_int(
		    g_strchomp(result.out->str), 2, INT32_MAX, &child, NULL);
	}
	assert_int_not_equal(child, 0);
	while (!is_over(child) && !deadline_passed(hang))
		(void)cancel_sleep(NULL, deadline_in(10), NULL);
	assert_true(is_over(child));
}

static void
cancel_ends_it_at_once(void **state)
{
	const char *const argv[] = { "sleep", "60", NULL };
	g_autoptr(Cancel) cancel = cancel_new(NULL);
	g_auto(ProcessResult) result = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	cancel_request(cancel);
	assert_false(process_run(argv, NULL, NULL, BYTES, deadline_in(LONG_MS),
	    cancel, &result, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED));
}

static void
a_program_that_is_not_there_is_named(void **state)
{
	const char *const argv[] = { "/nonexistent/tool", NULL };
	g_auto(ProcessResult) result = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_false(process_run(argv, NULL, NULL, BYTES, deadline_in(LONG_MS),
	    NULL, &result, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_FAILED));
	assert_string_equal(error->message,
	    "cannot start /nonexistent/tool: No such file or directory");
}

static void
nothing_of_ours_leaks_into_it(void **state)
{
	int pipes[2];
	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	g_autofree char *line = g_strdup_printf(
	    "env | grep -c LEAK; ls -d /proc/$$/fd/%d /proc/$$/fd/%d;"
	    "grep SigBlk /proc/self/status; cut -d ' ' -f 1,5 /proc/$$/stat |"
	    "{ read -r pid group; test $pid = $group && echo leader; }",
	    pipes[0], pipes[1]);
	const char *const argv[] = { "/bin/sh", "-c", line, NULL };
	const char *const env[] = { "PATH=/usr/bin:/bin", NULL };
	g_auto(ProcessResult) result = { 0 };
	sigset_t set, before;

	(void)state;
	assert_true(g_setenv("LEAK", "1", TRUE));
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &set, &before);
	assert_true(process_run(
	    argv, env, NULL, BYTES, deadline_in(LONG_MS), NULL, &result, NULL));
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)close(pipes[0]);
	(void)close(pipes[1]);
	assert_string_equal(
	    result.out->str, "0\nSigBlk:\t0000000000000000\nleader\n");
}

/* Every byte that a C string can hold but the newline. */
static char *
all_bytes(bool newline)
{
	GString *text = g_string_new(NULL);

	for (int c = 1; c < 256; c++)
		if (newline || c != '\n')
			g_string_append_c(text, (char)c);
	return g_string_free(text, FALSE);
}

static void
any_text_survives_quoting(void **state)
{
	g_autofree char *bytes = all_bytes(true);
	g_autofree char *quoted = quote_sh(bytes);
	g_autofree char *line = g_strconcat("printf %s ", quoted, NULL);
	g_auto(ProcessResult) result = { 0 };

	(void)state;
	assert_true(run_sh(line, NULL, BYTES, LONG_MS, &result, NULL));
	assert_string_equal(result.out->str, bytes);
}

static void
a_word_for_every_shell_is_one_for_sh(void **state)
{
	g_autofree char *bytes = all_bytes(false);
	g_autofree char *quoted = quote_word(bytes, NULL);
	g_autofree char *line = g_strconcat("printf %s ", quoted, NULL);
	g_auto(ProcessResult) result = { 0 };
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(run_sh(line, NULL, BYTES, LONG_MS, &result, NULL));
	assert_string_equal(result.out->str, bytes);
	/* Inside quotes csh expands ! and fish reads \. */
	g_autofree char *hard = quote_word("a!b\\c'd", NULL);
	assert_string_equal(hard, "'a'\\!'b'\\\\'c'\\''d'");
	assert_null(quote_word("a\nb", &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_and_both_outputs_come_back),
		cmocka_unit_test(a_signal_is_told_as_one),
		cmocka_unit_test(output_beyond_the_limit_is_dropped_and_told),
		cmocka_unit_test(input_that_nobody_reads_harms_nobody),
		cmocka_unit_test(the_deadline_kills_the_whole_group),
		cmocka_unit_test(cancel_ends_it_at_once),
		cmocka_unit_test(a_program_that_is_not_there_is_named),
		cmocka_unit_test(nothing_of_ours_leaks_into_it),
		cmocka_unit_test(any_text_survives_quoting),
		cmocka_unit_test(a_word_for_every_shell_is_one_for_sh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
