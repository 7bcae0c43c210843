#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quote.h"
#include "base/text.h"
#include "load/load.h"

typedef enum { PLAIN, IN_SINGLE, IN_DOUBLE } Quotes;

LoadValues *
load_new_values(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

void
load_set_value(LoadValues *values, const char *name, const char *value)
{
	g_hash_table_replace(
	    values, g_strdup(name), g_strdup(value == NULL ? "" : value));
}

static const char *
lookup(const LoadValues *values, const char *name)
{
	return g_hash_table_lookup((GHashTable *)values, name);
}

/* The name in "{name}", or NULL if this brace begins no template. */
static char *
template_name(const char *brace)
{
	const char *c = brace + 1;

	if (!g_ascii_isalpha(*c) && *c != '_')
		return NULL;
	while (g_ascii_isalnum(*c) || *c == '_')
		c++;
	return *c == '}' ? g_strndup(brace + 1, (size_t)(c - brace - 1)) : NULL;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
unknown_word(const char *name, const LoadValues *values, GError **error)
{
	guint n = 0;
	g_autofree gpointer *names =
	    g_hash_table_get_keys_as_array((GHashTable *)values, &n);
	qsort(names, n, sizeof(names[0]), by_name);
	const char *near = text_nearest(name, (const char *const *)names);

	if (near != NULL)
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "{%s} is neither a variable nor a key nor built in; did "
		    "you mean {%s}? ({{%s} stands for the text itself)",
		    name, near, name);
	else
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "{%s} is neither a variable nor a key nor built in "
		    "({{%s} stands for the text itself)",
		    name, name);
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

static char *
expand(
    const char *text, const LoadValues *values, bool is_command, GError **error)
{
	g_autoptr(GString) done = g_string_new(NULL);
	Quotes quotes = PLAIN;

	for (const char *c = text; *c != '\0'; c++) {
		g_autofree char *name = NULL;

		if (is_command && *c == '\\' && quotes != IN_SINGLE &&
		    c[1] != '\0') {
			g_string_append_len(done, c, 2);
			c++;
		} else if (c[0] == '$' && c[1] == '{') {
			g_string_append(done, "${");
			c++;
		} else if (c[0] == '{' && c[1] == '{') {
			g_string_append_c(done, '{');
			c++;
		} else if (*c == '{' && (name = template_name(c)) != NULL) {
			const char *value = lookup(values, name);
			if (value == NULL) {
				unknown_word(name, values, error);
				return NULL;
			}
			if (is_command)
				append_quoted(done, value, quotes);
			else
				g_string_append(done, value);
			c += strlen(name) + 1;
		} else {
			quotes = after(quotes, *c);
			g_string_append_c(done, *c);
		}
	}
	return g_string_free(g_steal_pointer(&done), FALSE);
}

char *
load_expand_command(const char *text, const LoadValues *values, GError **error)
{
	return expand(text, values, true, error);
}

char *
load_expand_value(const char *text, const LoadValues *values, GError **error)
{
	return expand(text, values, false, error);
}

static bool
add_all(LoadValues *values, const LoadValues *more, GError **error)
{
	GHashTableIter iter;
	gpointer name = NULL;
	gpointer value = NULL;

	if (more == NULL)
		return true;
	g_hash_table_iter_init(&iter, (GHashTable *)more);
	while (g_hash_table_iter_next(&iter, &name, &value)) {
		if (lookup(values, name) != NULL) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "the variable %s is built in: the factor needs "
			    "another name",
			    (const char *)name);
			return false;
		}
		load_set_value(values, name, value);
	}
	return true;
}

static bool
add_expanded(LoadValues *values, const Load *load, const char *name,
    const char *text, GError **error)
{
	g_autofree char *value = load_expand_value(text, values, error);

	if (value == NULL) {
		g_prefix_error(error, "load %s, %s: ", load->name, name);
		return false;
	}
	load_set_value(values, name, value);
	return true;
}

static bool
add_keys(LoadValues *values, const Load *load, GError **error)
{
	for (guint i = 0; i < load->keys->len; i++) {
		const LoadKey *key = g_ptr_array_index(load->keys, i);

		if (lookup(values, key->name) != NULL) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "load %s sets %s, which a factor or abrun itself "
			    "sets too",
			    load->name, key->name);
			return false;
		}
		if (!add_expanded(values, load, key->name, key->value, error))
			return false;
	}
	return true;
}

static bool
add_fallbacks(LoadValues *values, const Load *load, GError **error)
{
	for (guint i = 0; i < load->def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(load->def->keys, i);

		if (lookup(values, key->name) != NULL)
			continue;
		if (key->fallback == NULL) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "load %s gives no %s: neither a key nor a factor "
			    "has that name",
			    load->name, key->name);
			return false;
		}
		if (!add_expanded(
			values, load, key->name, key->fallback, error))
			return false;
	}
	return true;
}

LoadValues *
load_values(const Load *load, const LoadValues *builtin,
    const LoadValues *variables, GError **error)
{
	g_autoptr(GHashTable) values = load_new_values();

	if (!add_all(values, builtin, error) ||
	    !add_all(values, variables, error) ||
	    !add_keys(values, load, error) ||
	    !add_fallbacks(values, load, error))
		return NULL;
	return g_steal_pointer(&values);
}
