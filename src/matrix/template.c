#include "matrix/template.h"

#include "base/quote.h"

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

/*
 * Takes what stands before the next template to before, and moves *at behind
 * that; NULL at the end.  *quote: the quote of sh it is inside of, or NUL.
 */
static char *
next_word(const char **at, bool is_command, GString *before, char *quote)
{
	for (const char *c = *at; *c != '\0'; c++) {
		if (*c == '{' && c[1] == '{') {
			g_string_append_c(before, '{');
			c++;
			continue;
		}
		char *name = *c == '{' ? name_at(c) : NULL;
		if (name != NULL) {
			while (*c != '}')
				c++;
			*at = c + 1;
			return name;
		}
		g_string_append_c(before, *c);
		if ((*c == '\\' && is_command && *quote != '\'' &&
			c[1] != '\0') ||
		    (*c == '$' && c[1] == '{'))
			g_string_append_c(before, *++c);
		else if (*c == *quote)
			*quote = '\0';
		else if ((*c == '\'' || *c == '"') && *quote == '\0')
			*quote = *c;
	}
	return NULL;
}

GPtrArray *
template_words(const char *text, bool is_command)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) before = g_string_new(NULL);
	char quote = '\0';

	for (char *word = next_word(&text, is_command, before, &quote);
	     word != NULL; word = next_word(&text, is_command, before, &quote))
		g_ptr_array_add(words, word);
	return words;
}

char *
template_fill(const char *text, bool is_command, GHashTable *values)
{
	GString *filled = g_string_new(NULL);
	char quote = '\0';

	for (char *word = next_word(&text, is_command, filled, &quote);
	     word != NULL;
	     word = next_word(&text, is_command, filled, &quote)) {
		const char *value = g_hash_table_lookup(values, word);
		g_autofree char *quoted =
		    value != NULL && is_command ? quote_sh(value) : NULL;
		if (value != NULL)
			g_string_append(
			    filled, quoted != NULL ? quoted : value);
		else
			g_string_append_printf(filled, "{%s}", word);
		g_free(word);
	}
	return g_string_free(filled, FALSE);
}
