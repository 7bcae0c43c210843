/*
 * What a manual page must say of a set of keys.  Findings are collected, so
 * that a test tells all of them, and so that the checks can be tested.
 */
#ifndef TESTS_MANUAL_CHECK_H
#define TESTS_MANUAL_CHECK_H

#include "manual_page.h"

static const PageItem *
page_item(const Page *page, const char *section, const char *key)
{
	for (guint i = 0; i < page->items->len; i++) {
		const PageItem *item = page->items->pdata[i];
		if (strcmp(item->section, section) == 0 &&
		    strcmp(item->key, key) == 0)
			return item;
	}
	return NULL;
}

static void G_GNUC_PRINTF(2, 3)
    page_finding(GPtrArray *findings, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_ptr_array_add(findings, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

/* Keys that the section does not have, and items that are no keys. */
static void
page_compare(const Page *page, const char *section, const char *const *keys,
    GPtrArray *findings)
{
	for (size_t i = 0; keys[i] != NULL; i++)
		if (page_item(page, section, keys[i]) == NULL)
			page_finding(
			    findings, "%s: %s is missing", section, keys[i]);
	for (guint i = 0; i < page->items->len; i++) {
		const PageItem *item = page->items->pdata[i];
		if (strcmp(item->section, section) == 0 &&
		    !g_strv_contains(keys, item->key))
			page_finding(findings, "%s: there is no key %s",
			    section, item->key);
	}
}

/*
 * What the first sentence of every setting says: its type, its range where
 * the type has one, and its default or that it is required.
 */
static void
page_check_form(const PageItem *item, GPtrArray *findings)
{
	static const char *const types[] = { "String", "Strings", "Integer",
		"Number", "Boolean", "Word", "Name", "Duration", "Percentage",
		"Path here", "Path there", "Command", "Group", "List", NULL };
	const char *says = item->says;
	g_autofree char *first = g_strndup(says, strcspn(says, ",;"));
	bool known = false;

	for (size_t i = 0; types[i] != NULL && !known; i++)
		known = strcmp(first, types[i]) == 0 ||
		    (g_str_has_prefix(first, types[i]) &&
			g_str_has_prefix(first + strlen(types[i]), " or "));
	if (!known)
		page_finding(findings, "%s: %s: \"%s\" is no type",
		    item->section, item->key, first);
	if (strstr(says, "default") == NULL && strstr(says, "required") == NULL)
		page_finding(findings, "%s: %s: neither default nor required",
		    item->section, item->key);
	if ((strcmp(first, "Integer") == 0 && strstr(says, " to ") == NULL) ||
	    (strcmp(first, "Duration") == 0 &&
		strstr(says, "at least") == NULL) ||
	    (strcmp(first, "Word") == 0 && strstr(says, ".Cm") == NULL))
		page_finding(
		    findings, "%s: %s: no range", item->section, item->key);
	if (item->example == NULL)
		page_finding(
		    findings, "%s: %s: no example", item->section, item->key);
}

static void
page_assert_none(const GPtrArray *findings)
{
	for (guint i = 0; i < findings->len; i++)
		print_error("%s\n", (const char *)findings->pdata[i]);
	assert_int_equal(findings->len, 0);
}

#endif
