/*
 * abrun-hooks(7) against the reader of load definitions: every key is an item
 * with type, default and an example that loads, and the whole definition of
 * the page loads and judges an output.
 */
#include "manual_check.h"

#include "load_case.h"

#define PAGE "src/man/abrun-hooks.7"

/* How a key's example becomes a definition: as in manual_sections.h. */
typedef struct {
	const char *section;
	const char *before;
	const char *with[6];
	const char *after;
} Section;

#define HELP "help = \"h\";"
#define NUMBERS                                                                \
	"numbers = ( { name = \"transactions\"; regex = \"(a)\"; },"           \
	" { name = \"seconds\"; regex = \"(a)\"; },"                           \
	" { name = \"threads_used\"; regex = \"(a)\"; },"                      \
	" { name = \"errors\"; regex = \"(a)\"; },"                            \
	" { name = \"done\"; regex = \"(a)\"; } );"

static const Section sections[] = {
	{ "The definition", "",
	    { HELP, NUMBERS,
		"keys = ( { name = \"threads\"; help = \"h\"; },"
		" { name = \"file\"; help = \"h\"; },"
		" { name = \"warmup\"; help = \"h\"; },"
		" { name = \"time\"; help = \"h\"; } );",
		"metrics = ( { name = \"tps\"; regex = \"(a)\"; } );" },
	    "" },
	{ "A key", HELP "keys = ( {",
	    { "name = \"k\";", HELP, "type = \"integer\";" }, "} );" },
	{ "A metric", HELP NUMBERS "metrics = ( {",
	    { "name = \"m\";", "regex = \"(a)\";" }, "} );" },
	{ "A check", HELP NUMBERS "checks = ( {",
	    { "what = \"w\";", "left = \"1\";", "right = \"1\";" }, "} );" },
};

static LoadDef *
parse(const char *text, GError **error)
{
	return loaddef_parse(text, strlen(text), "x.cfg", "x", error);
}

/* The definition around an assignment of that key. */
static char *
definition(const Section *section, const char *key, const char *assignment)
{
	g_autoptr(GString) with = g_string_new("");

	for (size_t i = 0;
	     i < G_N_ELEMENTS(section->with) && section->with[i] != NULL; i++) {
		const char *member = section->with[i];
		const bool is_key = strncmp(member, key, strlen(key)) == 0 &&
		    member[strlen(key)] == ' ';
		const bool instead = strcmp(key, "formula") == 0 &&
		    g_str_has_prefix(member, "regex");
		if (!is_key && !instead)
			g_string_append(with, member);
	}
	return g_strdup_printf("%s %s %s%s %s", section->before, with->str,
	    assignment, g_str_has_suffix(assignment, ";") ? "" : ";",
	    section->after);
}

/* What the reader itself says that it knows there; free with g_strfreev(). */
static char **
known_keys(const Section *section)
{
	g_autofree char *text = definition(section, "", "zzzzzzzzzzzz = 1");
	g_autoptr(GError) error = NULL;
	g_autoptr(LoadDef) def = parse(text, &error);

	assert_null(def);
	const char *known = strstr(error->message, "known in ");
	assert_non_null(known);
	g_autofree char *list = g_strdup(strstr(known, ": ") + 2);
	list[strcspn(list, "\n")] = '\0';
	return g_strsplit(list, ", ", -1);
}

static GPtrArray *
check_keys(const char *text)
{
	g_autoptr(Page) page = page_parse(text);
	GPtrArray *findings = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
		const Section *section = &sections[i];
		g_auto(GStrv) keys = known_keys(section);
		page_compare(page, section->section, (const char *const *)keys,
		    findings);
		for (size_t j = 0; keys[j] != NULL; j++) {
			const PageItem *item =
			    page_item(page, section->section, keys[j]);
			if (item == NULL)
				continue;
			page_check_form(item, findings);
			if (item->example == NULL)
				continue;
			g_autofree char *tried = definition(
			    section, keys[j], g_strchomp(item->example));
			g_autoptr(GError) error = NULL;
			g_autoptr(LoadDef) def = parse(tried, &error);
			if (def == NULL)
				page_finding(findings, "%s: %s", keys[j],
				    error->message);
		}
	}
	return findings;
}

static void
every_key_is_there_with_type_default_and_example(void **state)
{
	g_autofree char *text = page_text(PAGE);
	g_autoptr(GPtrArray) findings = check_keys(text);

	(void)state;
	page_assert_none(findings);
}

/* For each item of the four sections, whichever is left out. */
static void
an_item_that_is_missing_is_told(void **state)
{
	g_autofree char *text = page_text(PAGE);
	const char *end = strstr(text, ".Ss Regular expressions");
	size_t n = 0;

	(void)state;
	for (char *item = strstr(strstr(text, ".Ss The definition"), ".It Ic ");
	     item != NULL && item < end; item = strstr(item + 1, ".It Ic ")) {
		g_autofree char *key =
		    g_strndup(item + 7, strcspn(item + 7, " \n"));
		g_autofree char *copy = g_strdup_printf("%.*s%s",
		    (int)(item - text), text, item + strcspn(item, "\n") + 1);
		g_autofree char *wanted =
		    g_strdup_printf(": %s is missing", key);
		g_autoptr(GPtrArray) findings = check_keys(copy);
		assert_int_equal(findings->len, 1);
		assert_non_null(strstr(findings->pdata[0], wanted));
		n++;
	}
	assert_int_equal(n, 40);
}

static void
an_example_that_does_not_load_is_told(void **state)
{
	g_autofree char *text = page_text(PAGE);
	GString *copy = g_string_new(text);

	(void)state;
	assert_int_equal(g_string_replace(copy, ".It Ic choice No = \\(dqonly",
			     ".It Ic choice No = \\(dqlonely", 0),
	    1);
	g_autoptr(GPtrArray) findings = check_keys(copy->str);
	(void)g_string_free(copy, TRUE);
	assert_int_equal(findings->len, 1);
	assert_non_null(strstr(findings->pdata[0], "choice: x.cfg:1: "));
}

static void
the_example_loads_and_judges(void **state)
{
	g_autofree char *text = page_text(PAGE);
	g_autoptr(Page) page = page_parse(text);
	LoadCase test;

	(void)state;
	const PageBlock *block = NULL;
	for (guint i = 0; i < page->blocks->len && block == NULL; i++) {
		const PageBlock *candidate = page->blocks->pdata[i];
		if (strcmp(candidate->kind, "definition") == 0)
			block = candidate;
	}
	assert_non_null(block);
	case_parse(&test, block->text);
	case_key(&test, "file", "/srv/linux.tar");
	if (!case_says(&test, "in 4000000\nout 1000000\n"))
		fail_msg("%s", test.error->message);
	assert_sample(&test, "ratio", 4);
	assert_sample(&test, "speed", 4.0 / 3);
	assert_false(case_says(&test, "in 4000000\nout 5000000\n"));
	assert_reason(&test, "no larger than what went in");
	assert_false(case_says(&test, "in 4000000\nout 0\n"));
	assert_reason(&test, "bytes_out = 0 is not between 32 and");
	assert_false(case_says(&test, "in 4000000\n"));
	assert_reason(&test, "no bytes_out");
	case_close(&test);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_key_is_there_with_type_default_and_example),
		cmocka_unit_test(an_item_that_is_missing_is_told),
		cmocka_unit_test(an_example_that_does_not_load_is_told),
		cmocka_unit_test(the_example_loads_and_judges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
