#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "load/load.h"
#include "matrix/template.h"

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

static char *
expand(
    const char *text, const LoadValues *values, bool is_command, GError **error)
{
	g_autofree char *unknown = NULL;
	g_autofree char *done =
	    template_fill(text, is_command, (GHashTable *)values, &unknown);

	if (unknown == NULL)
		return g_steal_pointer(&done);
	unknown_word(unknown, values, error);
	return NULL;
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

/* As the tool takes them: "1min" is 60 where seconds are wanted. */
static bool
set_types(LoadValues *values, const Load *load, GError **error)
{
	for (guint i = 0; i < load->def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(load->def->keys, i);
		g_autofree char *value =
		    loaddef_key_value(key, lookup(values, key->name), error);
		if (value == NULL) {
			g_prefix_error(
			    error, "load %s, %s: ", load->name, key->name);
			return false;
		}
		load_set_value(values, key->name, value);
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
	    !add_fallbacks(values, load, error) ||
	    !set_types(values, load, error))
		return NULL;
	return g_steal_pointer(&values);
}
