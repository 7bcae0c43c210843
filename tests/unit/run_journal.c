#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/journal_text.h"

static const char odd[] = "a\tb\nc\rd\\e \\t\x01\xff end\tyes\n";

static char *
text_of(const char *old, const char *new)
{
	const JournalRow row = {
		.undo = { .kind = (char *)"sysctl",
		    .name = (char *)odd,
		    .old_value = (char *)old,
		    .new_value = (char *)new,
		    .scope = (char *)"boot",
		    .boot_id = (char *)"b" },
		.controller = (char *)"ctl",
		.user = (char *)"me",
		.directory = (char *)odd,
	};

	return journal_text(&row);
}

static void
any_bytes_survive(void **state)
{
	g_autofree char *text = text_of(odd, "");
	g_autoptr(JournalRow) row = journal_row_parse(text);

	(void)state;
	assert_non_null(row);
	assert_string_equal(row->undo.kind, "sysctl");
	assert_string_equal(row->undo.name, odd);
	assert_string_equal(row->undo.old_value, odd);
	assert_string_equal(row->undo.new_value, "");
	assert_string_equal(row->undo.scope, "boot");
	assert_string_equal(row->undo.boot_id, "b");
	assert_string_equal(row->controller, "ctl");
	assert_string_equal(row->user, "me");
	assert_string_equal(row->directory, odd);
}

static void
absent_is_not_empty(void **state)
{
	g_autofree char *text = text_of(NULL, NULL);
	g_autoptr(JournalRow) row = journal_row_parse(text);

	(void)state;
	assert_non_null(row);
	assert_null(row->undo.old_value);
	assert_null(row->undo.new_value);
}

/* E71: a text cut at any byte is no row, never another one. */
static void
a_text_that_was_cut_is_no_row(void **state)
{
	g_autofree char *text = text_of("60", "10");

	(void)state;
	for (size_t n = 0; n < strlen(text); n++) {
		g_autofree char *cut = g_strndup(text, n);
		assert_null(journal_row_parse(cut));
	}
}

static void
what_is_not_known_is_no_row(void **state)
{
	static const char *const texts[] = {
		"abrun\tundo 2\nkind\tk\nname\tn\nscope\tdisk\nend\tyes\n",
		"abrun\tundo 1\nend\tyes\n",
		"abrun\tundo 1\nkind\tk\nname\tn\nscope\tmoon\nend\tyes\n",
		"abrun\tundo 1\nkind\tk\nname\tn\nscope\tboot\nend\tyes\n",
		"abrun\tundo 1\nkind\tk\nname\tn\nscope\tdisk\nx\ty\n"
		"end\tyes\n",
		"abrun\tundo 1\nkind\tk\nkind\tk\nname\tn\nscope\tdisk\n"
		"end\tyes\n",
		"abrun\tundo 1\nkind\tk\nname\tn\\x\nscope\tdisk\nend\tyes\n",
		"abrun\tundo 1\nkind\nname\tn\nscope\tdisk\nend\tyes\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		assert_null(journal_row_parse(texts[i]));
	g_autoptr(JournalRow) good = journal_row_parse(
	    "abrun\tundo 1\nkind\tk\nname\tn\nscope\tdisk\nend\tyes\n");
	assert_non_null(good);
}

static void
rows_are_told_in_words(void **state)
{
	const struct {
		StoreUndo undo;
		const char *words;
	} rows[] = {
		{ { .kind = (char *)"sysctl",
		      .name = (char *)"vm.swappiness",
		      .old_value = (char *)"60",
		      .new_value = (char *)"10" },
		    "sysctl vm.swappiness: was 60, set to 10" },
		{ { .kind = (char *)"thp",
		      .name = (char *)"",
		      .old_value = (char *)"always",
		      .new_value = (char *)"never" },
		    "thp: was always, set to never" },
		{ { .kind = (char *)"workdir", .name = (char *)"/tmp/abrun.x" },
		    "workdir /tmp/abrun.x" },
		{ { .kind = (char *)"command",
		      .name = (char *)"on\033[2J",
		      .old_value = (char *)"off" },
		    "command \"on\\x1b[2J\": undone by \"off\"" },
		{ { .kind = (char *)"command", .name = (char *)"on" },
		    "command \"on\": has no undo" },
		{ { .kind = (char *)"service",
		      .name = (char *)"mariadb",
		      .old_value = (char *)"inactive" },
		    "service mariadb, which was inactive" },
		{ { .kind = (char *)"server",
		      .name = (char *)"tcp 7000",
		      .old_value = (char *)"stop it" },
		    "server at tcp 7000: stopped by \"stop it\"" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *words = journal_words(&rows[i].undo);
		assert_string_equal(words, rows[i].words);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_bytes_survive),
		cmocka_unit_test(absent_is_not_empty),
		cmocka_unit_test(a_text_that_was_cut_is_no_row),
		cmocka_unit_test(what_is_not_known_is_no_row),
		cmocka_unit_test(rows_are_told_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
