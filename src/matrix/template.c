#include "matrix/template.h"

#include <string.h>

#include "base/quote.h"

typedef enum { PLAIN, IN_SINGLE, IN_DOUBLE } Quotes;

/* A text that is gone through. */
typedef struct {
	const char *at;
	bool is_command;
	Quotes quotes; /* of sh, that it is inside of */
} Scan;

/* The name in "{name}", or NULL if this brace begins no template. */
static char *
name_at(const char *brace)
{
	const char *c = brace + 1;

	if (!g_ascii_isalpha(*c) && *c != '_')
		return NULL;
	while (g_ascii_isalnum(*c) || *c == '_')
		c++;
	return *c == '}' ? g_strndup(brace + 1, (gsize)(c - brace - 1)) : NULL;
}

/* The state of sh's quotes after one more character. */
static Quotes
after(Quotes quotes, char c)
{
	if (c == '\'' && quotes != IN_DOUBLE)
		return quotes == PLAIN ? IN_SINGLE : PLAIN;
	if (c == '"' && quotes != IN_SINGLE)
		return quotes == PLAIN ? IN_DOUBLE : PLAIN;
	return quotes;
}

/* Whether this character and the next one stay as they are. */
static bool
keeps_next(const Scan *scan)
{
	const char *c = scan->at;

	return (c[0] == '$' && c[1] == '{') ||
	    (scan->is_command && c[0] == '\\' && c[1] != '\0' &&
		scan->quotes != IN_SINGLE);
}

/*
 * Takes what stands before the next template to before, and moves behind
 * that; NULL at the end.  Free the name.
 */
static char *
next_word(Scan *scan, GString *before)
{
	while (*scan->at != '\0') {
		const char *c = scan->at;
		char *name = NULL;
		if (keeps_next(scan)) {
			g_string_append_len(before, c, 2);
			scan->at += 2;
		} else if (c[0] == '{' && c[1] == '{') {
			g_string_append_c(before, '{');
			scan->at += 2;
		} else if (*c == '{' && (name = name_at(c)) != NULL) {
			scan->at += strlen(name) + 2;
			return name;
		} else {
			scan->quotes = after(scan->quotes, *c);
			g_string_append_c(before, *c);
			scan->at++;
		}
	}
	return NULL;
}

GPtrArray *
template_words(const char *text, bool is_command)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) before = g_string_new(NULL);
	Scan scan = { .at = text, .is_command = is_command };
	char *word;

	while ((word = next_word(&scan, before)) != NULL)
		g_ptr_array_add(words, word);
	return words;
}

static void
append_quoted(GString *text, const char *value, Quotes quotes)
{
	if (quotes == PLAIN) {
		g_autofree char *word = quote_sh(value);
		g_string_append(text, word);
		return;
	}
	for (const char *c = value; *c != '\0'; c++) {
		if (quotes == IN_SINGLE && *c == '\'')
			g_string_append(text, "'\\''");
		else if (quotes == IN_DOUBLE && strchr("\"$`\\", *c) != NULL)
			g_string_append_printf(text, "\\%c", *c);
		else
			g_string_append_c(text, *c);
	}
}

char *
template_fill(
    const char *text, bool is_command, GHashTable *values, char **unknown)
{
	GString *filled = g_string_new(NULL);
	Scan scan = { .at = text, .is_command = is_command };
	char *first = NULL;
	char *word;

	while ((word = next_word(&scan, filled)) != NULL) {
		const char *value = g_hash_table_lookup(values, word);
		if (value == NULL)
			g_string_append_printf(filled, "{%s}", word);
		else if (is_command)
			append_quoted(filled, value, scan.quotes);
		else
			g_string_append(filled, value);
		if (value == NULL && first == NULL)
			first = g_steal_pointer(&word);
		g_free(word);
	}
	if (unknown != NULL)
		*unknown = first;
	else
		g_free(first);
	return g_string_free(filled, FALSE);
}
