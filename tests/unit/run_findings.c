#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/failure.h"
#include "run/check_words.h"
#include "run/findings.h"

/* Quiet ones print no line that is not to be seen in a test's output. */
static void
add(Findings *findings, FindingLevel level)
{
	g_autofree char *text = finding_text(level, "x", "y", NULL);

	assert_non_null(text);
	findings->held += level == FINDING_OK;
	findings->failed += level == FINDING_FAIL;
	findings->fails += level == FINDING_FAIL;
	findings->warnings += level == FINDING_WARN;
}

static void
a_line_begins_with_its_level_and_is_wrapped(void **state)
{
	g_autofree char *ok =
	    finding_text(FINDING_OK, "login", "root@lab1", NULL);
	g_autofree char *fail = finding_text(FINDING_FAIL,
	    "allocator=jemalloc, flush=1",
	    "WRONG_OPTION: option innodb_flush_log_at_trx_commit: wanted 1, "
	    "seen 2",
	    "see whether an option file or the server's own limits change it");

	(void)state;
	assert_string_equal(ok, "ok   login: root@lab1\n");
	assert_string_equal(fail,
	    "FAIL allocator=jemalloc, flush=1: WRONG_OPTION: option\n"
	    "     innodb_flush_log_at_trx_commit: wanted 1, seen 2\n"
	    "     -> see whether an option file or the server's own limits "
	    "change it\n");
}

static void
foreign_text_cannot_move_the_cursor(void **state)
{
	g_autofree char *line =
	    finding_text(FINDING_NOTE, "a\033[2J", "b\nc", "d\r");

	(void)state;
	assert_string_equal(line, "note a\\x1b[2J: b\\nc\n     -> d\\x0d\n");
}

static void
what_stands_in_the_way_is_counted(void **state)
{
	static const struct {
		size_t fails, warnings;
		const char *words;
	} cases[] = {
		{ 0, 0, "nothing stands in the way, no warnings" },
		{ 1, 1, "1 thing stands in the way, 1 warning" },
		{ 2, 3, "2 things stand in the way, 3 warnings" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const Findings findings = { .fails = cases[i].fails,
			.warnings = cases[i].warnings };
		g_autofree char *words = findings_words(&findings);
		assert_string_equal(words, cases[i].words);
	}
}

static void
the_status_tells_how_much_cannot_be_measured(void **state)
{
	/* w warning, o ok, f fail; of the matrix, of a host, of cells */
	static const struct {
		const char *matrix, *host, *cells;
		int status;
	} cases[] = {
		{ "o", "oww", "oo", FINDINGS_GOOD },
		{ "o", "o", "ofo", FINDINGS_SOME_CELLS },
		{ "o", "o", "ff", FINDINGS_NOTHING },
		{ "o", "of", "o", FINDINGS_NOTHING },
		{ "o", "of", "of", FINDINGS_NOTHING },
		{ "f", "o", "f", FINDINGS_BAD_MATRIX },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const char *const groups[] = { cases[i].matrix, cases[i].host,
			cases[i].cells };
		g_auto(Findings) findings = { .quiet = true };
		for (size_t g = 0; g < G_N_ELEMENTS(groups); g++) {
			findings_group(&findings, (FindingsAbout)g, "a group");
			for (const char *c = groups[g]; *c != '\0'; c++)
				add(&findings,
				    *c == 'o'       ? FINDING_OK
					: *c == 'w' ? FINDING_WARN
						    : FINDING_FAIL);
		}
		assert_int_equal(findings_status(&findings), cases[i].status);
	}
}

static void
a_second_host_does_not_hide_the_first(void **state)
{
	g_auto(Findings) findings = { .quiet = true };

	(void)state;
	findings_group(&findings, FINDINGS_CELLS, "cells on one");
	add(&findings, FINDING_FAIL);
	add(&findings, FINDING_OK);
	findings_group(&findings, FINDINGS_CELLS, "cells on two");
	add(&findings, FINDING_OK);
	assert_int_equal(findings_status(&findings), FINDINGS_SOME_CELLS);
}

static void
a_system_is_told_by_what_is_known_of_it(void **state)
{
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *nothing = check_system(facts);

	(void)state;
	assert_string_equal(nothing, "its system tells nothing");
	(void)g_hash_table_insert(facts, (char *)"kernel", (char *)"6.1.0");
	(void)g_hash_table_insert(facts, (char *)"cpus", (char *)"1");
	(void)g_hash_table_insert(
	    facts, (char *)"memory_kb", (char *)"8388608");
	g_autofree char *words = check_system(facts);
	assert_string_equal(words, "kernel 6.1.0, 1 CPU, 8.0 GB of memory");
}

static void
space_is_told_of_each_place(void **state)
{
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *nothing = check_space(facts);

	(void)state;
	assert_null(nothing);
	(void)g_hash_table_insert(
	    facts, (char *)"free_kb /srv/data", (char *)"4194304");
	(void)g_hash_table_insert(
	    facts, (char *)"tmp_free_kb", (char *)"1048576");
	g_autofree char *words = check_space(facts);
	assert_string_equal(
	    words, "1.0 GB free for temporary files, 4.0 GB for /srv/data");
}

static void
abload_must_be_of_the_same_version(void **state)
{
	g_autofree char *same = check_abload("abload " VERSION);
	g_autofree char *other = check_abload("abload 0.0.1");
	g_autofree char *none = check_abload("");
	g_autofree char *longer = check_abload("abload " VERSION "1");

	(void)state;
	assert_null(same);
	assert_string_equal(other,
	    "version wanted abload " VERSION
	    ", as that of abrun, seen abload 0.0.1");
	assert_string_equal(none,
	    "version wanted abload " VERSION
	    ", as that of abrun, seen none: it says nothing");
	assert_non_null(longer);
}

static void
a_cell_without_load_speaks_of_none(void **state)
{
	(void)state;
	assert_string_equal(
	    check_cell_reason("before the load: option x"), "option x");
	assert_string_equal(
	    check_cell_reason("after the load: option x"), "option x");
	assert_string_equal(check_cell_reason("it exited"), "it exited");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_begins_with_its_level_and_is_wrapped),
		cmocka_unit_test(foreign_text_cannot_move_the_cursor),
		cmocka_unit_test(what_stands_in_the_way_is_counted),
		cmocka_unit_test(the_status_tells_how_much_cannot_be_measured),
		cmocka_unit_test(a_second_host_does_not_hide_the_first),
		cmocka_unit_test(a_system_is_told_by_what_is_known_of_it),
		cmocka_unit_test(space_is_told_of_each_place),
		cmocka_unit_test(abload_must_be_of_the_same_version),
		cmocka_unit_test(a_cell_without_load_speaks_of_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
