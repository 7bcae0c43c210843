/*
 * abrun-troubleshooting(7) against the table of failures: every name is an
 * item that says what the table says, and every item is a name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/failure.h"
#include "base/file.h"

#define PAGE "src/man/abrun-troubleshooting.7"

static char *
page_text(void)
{
	GError *error = NULL;
	char *text = file_read(PAGE, 1 << 20, NULL, &error);

	if (text == NULL)
		fail_msg("%s", error->message);
	return text;
}

static void G_GNUC_PRINTF(2, 3)
    finding(GPtrArray *findings, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_ptr_array_add(findings, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

/* Name to what its item says; of all lists of names between these two. */
static GHashTable *
items_of(const char *text)
{
	GHashTable *items =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	const char *begin = strstr(text, "\n.Sh FAILURES\n");
	const char *end = strstr(text, "\n.Sh SEE ALSO\n");

	assert_true(begin != NULL && end != NULL);
	g_autofree char *part = g_strndup(begin, (gsize)(end - begin));
	g_auto(GStrv) lines = g_strsplit(part, "\n", -1);
	for (size_t i = 0; lines[i] != NULL; i++) {
		if (!g_str_has_prefix(lines[i], ".It Li "))
			continue;
		g_autoptr(GString) says = g_string_new(NULL);
		size_t j = i + 1;
		for (; lines[j] != NULL && *lines[j] != '.'; j++)
			g_string_append_printf(
			    says, "%s%s", says->len > 0 ? " " : "", lines[j]);
		assert_true(g_hash_table_insert(items,
		    g_strdup(lines[i] + strlen(".It Li ")),
		    g_strdup(says->str)));
	}
	return items;
}

/* "the host is lost" becomes "The host is lost." */
static char *
sentence(const char *text)
{
	if (g_str_has_prefix(text, "abrun"))
		return g_strdup_printf("%s.", text);
	return g_strdup_printf("%c%s.", g_ascii_toupper(*text), text + 1);
}

static GPtrArray *
check(const char *text)
{
	g_autoptr(GHashTable) items = items_of(text);
	GPtrArray *findings = g_ptr_array_new_with_free_func(g_free);

	for (int i = FAILURE_NONE + 1; i < FAILURES; i++) {
		const Failure failure = (Failure)i;
		const char *name = failure_name(failure);
		const char *says = g_hash_table_lookup(items, name);
		g_autofree char *meaning = sentence(failure_meaning(failure));
		g_autofree char *advice = sentence(failure_advice(failure));
		g_autofree char *wanted =
		    g_strdup_printf("%s %s", meaning, advice);
		if (says == NULL)
			finding(findings, "%s is missing", name);
		else if (!g_str_has_prefix(says, wanted))
			finding(findings, "%s: wanted \"%s\", seen \"%s\"",
			    name, wanted, says);
	}
	GHashTableIter iter;
	gpointer name;
	g_hash_table_iter_init(&iter, items);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		if (failure_named(name) == FAILURE_NONE)
			finding(findings, "there is no failure %s",
			    (const char *)name);
	return findings;
}

static void
every_failure_is_there_as_the_table_has_it(void **state)
{
	g_autofree char *text = page_text();
	g_autoptr(GPtrArray) findings = check(text);

	(void)state;
	for (guint i = 0; i < findings->len; i++)
		print_error("%s\n", (const char *)findings->pdata[i]);
	assert_int_equal(findings->len, 0);
}

/* The page with one line changed; must give one finding. */
static void
assert_told(const char *from, const char *to, const char *wanted)
{
	g_autofree char *text = page_text();
	g_autoptr(GString) copy = g_string_new(text);

	assert_int_equal(g_string_replace(copy, from, to, 1), 1);
	g_autoptr(GPtrArray) findings = check(copy->str);
	for (guint i = 0; i < findings->len; i++)
		if (strstr(findings->pdata[i], wanted) != NULL)
			return;
	fail_msg("not told: %s", wanted);
}

static void
a_failure_that_is_missing_is_told(void **state)
{
	(void)state;
	assert_told(".It Li NO_RESULT\n", ".It Li NO_RESULTS\n",
	    "NO_RESULT is missing");
	assert_told(".It Li NO_RESULT\n", ".It Li NO_RESULTS\n",
	    "there is no failure NO_RESULTS");
}

static void
another_advice_is_told(void **state)
{
	(void)state;
	assert_told("\nThe load says that it failed.", "\nIt failed.",
	    "LOAD_FAILED: wanted");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_failure_is_there_as_the_table_has_it),
		cmocka_unit_test(a_failure_that_is_missing_is_told),
		cmocka_unit_test(another_advice_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
