#include "matrix/parse.h"

#include <string.h>

#include "matrix/template.h"
#include "matrix/words.h"

/* The values a command has for the first levels of all variables. */
static GHashTable *
first_values(const Matrix *matrix, const Load *load)
{
	GHashTable *values =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (guint i = 0; i < load->variables->len; i++) {
		const char *name = g_ptr_array_index(load->variables, i);
		const Factor *factor = matrix_factor(matrix, name);
		const Level *level = g_ptr_array_index(factor->levels, 0);
		g_hash_table_insert(
		    values, g_strdup(name), g_strdup(level->name));
	}
	return values;
}

/* The command with the keys' values in it, those with variables in them. */
static char *
filled_command(const Load *load, GHashTable *variables)
{
	g_autoptr(GHashTable) values =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (guint i = 0; i < load->def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(load->def->keys, i);
		const char *given = load_key(load, key->name);
		const char *text = given != NULL ? given
		    : g_hash_table_contains(variables, key->name)
		    ? NULL
		    : key->fallback;
		if (text != NULL)
			g_hash_table_insert(values, g_strdup(key->name),
			    template_fill(text, false, variables, NULL));
	}
	GHashTableIter iter;
	gpointer name = NULL, value = NULL;
	g_hash_table_iter_init(&iter, variables);
	while (g_hash_table_iter_next(&iter, &name, &value))
		if (!g_hash_table_contains(values, name))
			g_hash_table_insert(
			    values, g_strdup(name), g_strdup(value));
	return template_fill(load->command, true, values, NULL);
}

/*
 * Whether a command of the load matches what its definition says of writing
 * ones, for any level of a variable.
 */
static bool
writes_somewhere(const Matrix *matrix, const Load *load)
{
	g_autoptr(GRegex) regex = g_regex_new(load->def->writes,
	    G_REGEX_MULTILINE | G_REGEX_RAW | G_REGEX_NEWLINE_LF, 0, NULL);
	g_autoptr(GHashTable) values = first_values(matrix, load);
	g_autofree char *first = filled_command(load, values);

	if (regex == NULL || g_regex_match(regex, first, 0, NULL))
		return true;
	for (guint i = 0; i < load->variables->len; i++) {
		const char *name = g_ptr_array_index(load->variables, i);
		const Factor *factor = matrix_factor(matrix, name);
		for (guint j = 1; j < factor->levels->len; j++) {
			const Level *level =
			    g_ptr_array_index(factor->levels, j);
			g_hash_table_insert(
			    values, g_strdup(name), g_strdup(level->name));
			g_autofree char *text = filled_command(load, values);
			if (g_regex_match(regex, text, 0, NULL))
				return true;
		}
	}
	return false;
}

static void
check_reset(Reader *reader, const ReaderNode *node, const Load *load)
{
	if (load->writes && reader_get(node, "reset") == NULL)
		reader_mistake_key(reader, node, "reset",
		    "is missing, this load writes: write reset = \"run\", "
		    "\"start\" or \"round\" to put the data back, or "
		    "\"never\"");
	if (load->reset != RESET_NEVER && load->restore == NULL &&
	    (load->cleanup == NULL || load->setup == NULL))
		reader_mistake_key(reader, node, "reset",
		    "has nothing to do it with, write restore, or both "
		    "cleanup and setup");
}

void
check_loads(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *list = reader_get(reader_root(reader), "loads");

	for (guint i = 0; i < matrix->loads->len; i++) {
		Load *load = g_ptr_array_index(matrix->loads, i);
		const ReaderNode *node = reader_element(list, i);
		const LoadDef *def = load->def;
		if (def == NULL || load->command == NULL)
			continue;
		if (def->writes != NULL && !load->writes)
			load->writes = writes_somewhere(matrix, load);
		check_reset(reader, node, load);
		if (matrix->design.warmup_ms > 0 && def->warmup_key == NULL &&
		    def->length_key == NULL)
			reader_mistake_key(reader,
			    reader_get(reader_root(reader), "design"), "warmup",
			    "%s cannot run for a length of time, write a "
			    "number of runs",
			    load->use);
	}
}
