/*
 * A manual page as the tests of manuals see it: the items `.It Ic key` of
 * each section, what they say, their examples, and the marked blocks.
 */
#ifndef TESTS_MANUAL_PAGE_H
#define TESTS_MANUAL_PAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"

/* `.It Ic key No = value` and the lines up to the next item. */
typedef struct {
	char *section; /* title of its .Sh or .Ss */
	char *key;
	char *example; /* "key = value", or NULL */
	char *says;    /* its first sentence, macros and all */
} PageItem;

/* A literal block after a comment `.\" KIND: NAME`. */
typedef struct {
	char *kind;
	char *name;
	char *text;
} PageBlock;

typedef struct {
	GPtrArray *items;  /* PageItem */
	GPtrArray *blocks; /* PageBlock */
} Page;

static void
page_item_free(gpointer data)
{
	PageItem *item = data;

	g_free(item->section);
	g_free(item->key);
	g_free(item->example);
	g_free(item->says);
	g_free(item);
}

static void
page_block_free(gpointer data)
{
	PageBlock *block = data;

	g_free(block->kind);
	g_free(block->name);
	g_free(block->text);
	g_free(block);
}

static void
page_free(Page *page)
{
	g_ptr_array_unref(page->items);
	g_ptr_array_unref(page->blocks);
	g_free(page);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Page, page_free)

/* The text that roff makes of a line without macros. */
static char *
page_plain(const char *line)
{
	GString *text = g_string_new(line);

	(void)g_string_replace(text, "\\&", "", 0);
	(void)g_string_replace(text, "\\(dq", "\"", 0);
	(void)g_string_replace(text, "\\e", "\\", 0);
	return g_string_free(text, FALSE);
}

/* The lines from *i on to the end of the display that begins there. */
static char *
page_display(char **lines, size_t *i)
{
	GString *text = g_string_new(NULL);

	for (++*i; lines[*i] != NULL && strcmp(lines[*i], ".Ed") != 0; ++*i) {
		g_autofree char *plain = page_plain(lines[*i]);
		g_string_append_printf(text, "%s\n", plain);
	}
	return g_string_free(text, FALSE);
}

static PageItem *
page_add_item(Page *page, const char *section, const char *head)
{
	PageItem *item = g_new0(PageItem, 1);
	const char *value = strstr(head, " No = ");

	item->section = g_strdup(section);
	item->key = g_strndup(head, strcspn(head, " "));
	if (value != NULL) {
		g_autofree char *plain = page_plain(value + strlen(" No = "));
		item->example = g_strdup_printf("%s = %s", item->key, plain);
	}
	item->says = g_strdup("");
	g_ptr_array_add(page->items, item);
	return item;
}

/* A display or a line of an item that has its example nowhere yet. */
static void
page_take_example(PageItem *item, const char *text)
{
	g_autofree char *assigns = g_strdup_printf("%s = ", item->key);
	g_autofree char *opens = g_strdup_printf("%s: ", item->key);

	if (item->example == NULL &&
	    (g_str_has_prefix(text, assigns) || g_str_has_prefix(text, opens)))
		item->example = g_strdup(text);
}

/* Sentences end where lines end. */
static void
page_take_sentence(PageItem *item, const char *line)
{
	const size_t length = strlen(item->says);

	if (length > 0 && item->says[length - 1] == '.')
		return;
	char *more = g_strconcat(item->says, length > 0 ? " " : "", line, NULL);
	g_free(item->says);
	item->says = more;
}

static void
page_take_mark(const char *line, char **kind, char **name)
{
	const char *mark = line + strlen(".\\\" ");
	const char *colon = strstr(mark, ": ");

	g_clear_pointer(kind, g_free);
	g_clear_pointer(name, g_free);
	if (colon == NULL)
		return;
	*kind = g_strndup(mark, (gsize)(colon - mark));
	*name = g_strdup(colon + 2);
}

static Page *
page_parse(const char *text)
{
	Page *page = g_new0(Page, 1);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autofree char *section = g_strdup("");
	g_autofree char *kind = NULL, *name = NULL;
	PageItem *item = NULL;

	page->items = g_ptr_array_new_with_free_func(page_item_free);
	page->blocks = g_ptr_array_new_with_free_func(page_block_free);
	for (size_t i = 0; lines[i] != NULL; i++) {
		const char *line = lines[i];
		if (g_str_has_prefix(line, ".Sh ") ||
		    g_str_has_prefix(line, ".Ss ")) {
			g_free(section);
			section = g_strdup(line + 4);
			item = NULL;
		} else if (g_str_has_prefix(line, ".It Ic "))
			item = page_add_item(page, section, line + 7);
		else if (g_str_has_prefix(line, ".\\\" "))
			page_take_mark(line, &kind, &name);
		else if (g_str_has_prefix(line, ".Bd -literal")) {
			g_autofree char *shown = page_display(lines, &i);
			if (item != NULL)
				page_take_example(item, shown);
			if (kind == NULL)
				continue;
			PageBlock *block = g_new0(PageBlock, 1);
			block->kind = g_steal_pointer(&kind);
			block->name = g_steal_pointer(&name);
			block->text = g_steal_pointer(&shown);
			g_ptr_array_add(page->blocks, block);
		} else if (item != NULL && g_str_has_prefix(line, ".Dl ")) {
			g_autofree char *shown = page_plain(line + 4);
			page_take_example(item, shown);
		} else if (item != NULL)
			page_take_sentence(item, line);
	}
	return page;
}

static char *
page_text(const char *path)
{
	GError *error = NULL;
	char *text = file_read(path, 1 << 20, NULL, &error);

	if (text == NULL)
		fail_msg("%s", error->message);
	return text;
}

#endif
