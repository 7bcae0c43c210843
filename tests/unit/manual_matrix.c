/*
 * abrun-matrix(5) against the parser: every key of the language is an item
 * of its section, says type, range and default, and has an example that
 * loads; the whole examples load; what cannot be run yet is said.
 */
#include "manual_check.h"
#include "manual_sections.h"

/* The keys of a section, with `command`, which the reader knows by itself. */
static const char **
keys_of(const Section *section)
{
	GPtrArray *keys = g_ptr_array_new();

	for (size_t i = 0; section->place->keys[i] != NULL; i++)
		g_ptr_array_add(keys, (gpointer)section->place->keys[i]);
	if (section->place == &place_load)
		g_ptr_array_add(keys, (gpointer) "command");
	g_ptr_array_add(keys, NULL);
	return (const char **)g_ptr_array_free(keys, FALSE);
}

static void
load_text(const char *what, const char *text, GPtrArray *findings)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Matrix) matrix =
	    matrix_parse(text, strlen(text), HERE, &error);

	if (matrix == NULL)
		page_finding(findings, "%s: %s", what, error->message);
}

static void
check_section(const Page *page, const Section *section, GPtrArray *findings)
{
	g_autofree const char **keys = keys_of(section);

	page_compare(page, section->section, keys, findings);
	for (size_t i = 0; keys[i] != NULL; i++) {
		const PageItem *item =
		    page_item(page, section->section, keys[i]);
		if (item == NULL)
			continue;
		page_check_form(item, findings);
		if (item->example == NULL)
			continue;
		g_autofree char *text =
		    section_matrix(section, item->key, item->example);
		load_text(item->key, text, findings);
	}
}

/* Every word of the language is an item somewhere. */
static void
check_words(const Page *page, GPtrArray *findings)
{
	g_autoptr(GPtrArray) words = matrix_words();

	for (guint i = 0; i < words->len; i++) {
		bool found = false;
		for (guint j = 0; j < page->items->len && !found; j++) {
			const PageItem *item = page->items->pdata[j];
			found = strcmp(item->key, words->pdata[i]) == 0;
		}
		if (!found)
			page_finding(findings, "%s is nowhere",
			    (const char *)words->pdata[i]);
	}
}

/* What the page lacks or says wrong of the keys. */
static GPtrArray *
check_keys(const char *text)
{
	g_autoptr(Page) page = page_parse(text);
	GPtrArray *findings = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
		check_section(page, &sections[i], findings);
	check_words(page, findings);
	return findings;
}

static void
every_key_is_there_with_type_range_default_and_example(void **state)
{
	g_autofree char *text = page_text(PAGE);
	g_autoptr(GPtrArray) findings = check_keys(text);

	(void)state;
	for (const ReaderPlace *const *place = words_places; *place != NULL;
	     place++) {
		bool checked = *place == &place_host; /* in place_target */
		for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
			checked |= sections[i].place == *place;
		assert_true(checked);
	}
	page_assert_none(findings);
}

/* A page without one of its items is found out, whichever it is. */
static void
an_item_that_is_missing_is_told(void **state)
{
	g_autofree char *text = page_text(PAGE);
	size_t n = 0;

	(void)state;
	for (char *item = strstr(text, ".It Ic "); item != NULL;
	     item = strstr(item + 1, ".It Ic ")) {
		g_autofree char *key =
		    g_strndup(item + 7, strcspn(item + 7, " \n"));
		const size_t line = strcspn(item, "\n");
		g_autofree char *copy = g_strdup_printf(
		    "%.*s%s", (int)(item - text), text, item + line + 1);
		g_autoptr(Page) page = page_parse(copy);
		g_autoptr(GPtrArray) findings =
		    g_ptr_array_new_with_free_func(g_free);
		for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
			g_autofree const char **keys = keys_of(&sections[i]);
			page_compare(page, sections[i].section, keys, findings);
		}
		g_autofree char *wanted =
		    g_strdup_printf(": %s is missing", key);
		assert_int_equal(findings->len, 1);
		assert_non_null(strstr(findings->pdata[0], wanted));
		n++;
	}
	assert_true(n > 80);
}

/* The page with one text in place of another is refused with that word. */
static void
assert_told(const char *from, const char *to, const char *wanted)
{
	g_autofree char *text = page_text(PAGE);
	GString *copy = g_string_new(text);

	assert_int_equal(g_string_replace(copy, from, to, 1), 1);
	g_autoptr(GPtrArray) findings = check_keys(copy->str);
	(void)g_string_free(copy, TRUE);
	assert_true(findings->len > 0);
	if (strstr(findings->pdata[0], wanted) == NULL)
		fail_msg("%s", (const char *)findings->pdata[0]);
}

static void
what_is_wrong_with_an_item_is_told(void **state)
{
	(void)state;
	assert_told(".It Ic rounds No = 10", ".It Ic rounds No = 0",
	    "rounds: " HERE ":1: design.rounds: is 0");
	assert_told(
	    ".It Ic rounds No = 10", ".It Ic rounds", "rounds: no example");
	assert_told(".It Ic rounds No = 10", ".It Ic ruonds No = 10",
	    "rounds is missing");
	assert_told(".It Ic aa No = true", ".It Ic ab\n.It Ic aa No = true",
	    "DESIGN: there is no key ab");
	assert_told("Integer, 1 to 100000; default 5.", "A number; default 5.",
	    "rounds: \"A number\" is no type");
	assert_told("Integer, 1 to 100000; default 5.", "Integer; default 5.",
	    "rounds: no range");
	assert_told("Integer, 1 to 100000; default 5.", "Integer, 1 to 100000.",
	    "rounds: neither default nor required");
}

static void
the_examples_load_and_can_be_run(void **state)
{
	g_autofree char *text = page_text(PAGE);
	g_autoptr(Page) page = page_parse(text);

	(void)state;
	assert_int_equal(page->blocks->len, 5);
	for (guint i = 0; i < page->blocks->len; i++) {
		const PageBlock *block = page->blocks->pdata[i];
		g_autoptr(GError) error = NULL;
		g_autoptr(Matrix) matrix = matrix_parse(
		    block->text, strlen(block->text), HERE, &error);
		if (matrix == NULL)
			fail_msg("%s: %s", block->name, error->message);
		g_autofree char *not_yet = matrix_not_yet(matrix);
		if (not_yet != NULL)
			fail_msg("%s: %s", block->name, not_yet);
	}
}

/* The words of the language that a line "not yet: ..." names. */
static void
check_line(const char *line, const char *said, GPtrArray *findings)
{
	g_autoptr(GPtrArray) words = matrix_words();
	g_autoptr(GRegex) names = g_regex_new("[a-z_]+", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	g_ptr_array_add(words, NULL);
	for (g_regex_match(names, line, 0, &match); g_match_info_matches(match);
	     g_match_info_next(match, NULL)) {
		g_autofree char *word = g_match_info_fetch(match, 0);
		g_autofree char *pattern = g_strdup_printf("\\b%s\\b", word);
		if (g_strv_contains((const char *const *)words->pdata, word) &&
		    !g_regex_match_simple(pattern, said, 0, 0))
			page_finding(findings, "NOT YET: no word of %s", line);
	}
}

static void
check_not_yet(const char *path, const char *said, GPtrArray *findings)
{
	g_autoptr(Matrix) matrix = matrix_load(path, NULL);

	assert_non_null(matrix);
	g_autofree char *text = matrix_not_yet(matrix);
	assert_non_null(text);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (size_t i = 0; lines[i] != NULL; i++)
		check_line(lines[i], said, findings);
}

static void
what_cannot_be_run_yet_is_said(void **state)
{
	g_autofree char *text = page_text(PAGE);
	const char *said = strstr(text, ".Sh NOT YET");
	g_autoptr(GPtrArray) findings = g_ptr_array_new_with_free_func(g_free);

	(void)state;
	assert_non_null(said);
	g_autofree char *section =
	    g_strndup(said, (gsize)(strstr(said + 1, ".Sh ") - said));
	check_not_yet("tests/data/matrix/full.cfg", section, findings);
	page_assert_none(findings);

	check_line("not yet: design.margin", section, findings);
	assert_int_equal(findings->len, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_key_is_there_with_type_range_default_and_example),
		cmocka_unit_test(an_item_that_is_missing_is_told),
		cmocka_unit_test(what_is_wrong_with_an_item_is_told),
		cmocka_unit_test(the_examples_load_and_can_be_run),
		cmocka_unit_test(what_cannot_be_run_yet_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
