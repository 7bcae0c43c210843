#include "matrix/parse.h"

#include <string.h>

#include "matrix/template.h"

/* A value of a key of a load, and whom to blame if it is wrong. */
typedef struct {
	Reader *reader;
	const ReaderNode *at;
	const LoadDefKey *key;
} Value;

/* False when told. */
static bool
is_right(const Value *value, const char *text)
{
	g_autoptr(GError) why = NULL;
	g_autofree char *right = loaddef_key_value(value->key, text, &why);

	if (right == NULL)
		reader_mistake(value->reader, value->at, "%s", why->message);
	return right != NULL;
}

/* The factor's levels are the values. */
static void
check_levels_of(const Value *value, const Factor *factor)
{
	for (guint i = 0; i < factor->levels->len; i++) {
		const Level *level = g_ptr_array_index(factor->levels, i);
		Value of_level = *value;
		of_level.at = reader_element(value->at, i);
		(void)is_right(&of_level, level->name);
	}
}

/*
 * Text with variables in it, each with all of its levels in turn while the
 * others have their first.  What is built in has its values in a run only.
 */
static void
check_filled(const Value *value, const Matrix *matrix, const char *text)
{
	g_autoptr(GPtrArray) words = template_words(text, false);
	g_autoptr(GHashTable) values =
	    g_hash_table_new_full(g_str_hash, g_str_equal, NULL, NULL);

	for (guint i = 0; i < words->len; i++) {
		char *word = g_ptr_array_index(words, i);
		const Factor *factor = matrix_factor(matrix, word);
		const Level *first = factor == NULL || !factor->variable
		    ? NULL
		    : g_ptr_array_index(factor->levels, 0);
		if (first == NULL)
			return;
		(void)g_hash_table_insert(values, word, first->name);
	}
	for (guint i = 0; i < words->len; i++) {
		char *word = g_ptr_array_index(words, i);
		const Factor *factor = matrix_factor(matrix, word);
		char *first = g_hash_table_lookup(values, word);
		for (guint j = 0; j < factor->levels->len; j++) {
			const Level *level =
			    g_ptr_array_index(factor->levels, j);
			(void)g_hash_table_insert(values, word, level->name);
			g_autofree char *filled =
			    template_fill(text, false, values, NULL);
			if (!is_right(value, filled))
				return;
		}
		(void)g_hash_table_insert(values, word, first);
	}
	if (words->len == 0)
		(void)is_right(value, text);
}

static void
check_load_keys(Reader *reader, const Matrix *matrix, const ReaderNode *node,
    const Load *load)
{
	const ReaderNode *factors = reader_get(reader_root(reader), "factors");

	for (guint i = 0; load->def != NULL && i < load->def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(load->def->keys, i);
		const char *given = load_key(load, key->name);
		const Factor *factor = matrix_factor(matrix, key->name);
		Value value = { .reader = reader, .key = key };
		if (given != NULL) {
			value.at = reader_get(node, key->name);
			check_filled(&value, matrix, given);
		} else if (factor != NULL && factor->variable) {
			value.at = reader_get(factors, key->name);
			check_levels_of(&value, factor);
		}
	}
}

void
check_keys(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *list = reader_get(reader_root(reader), "loads");

	for (guint i = 0; i < matrix->loads->len; i++)
		check_load_keys(reader, matrix, reader_element(list, i),
		    g_ptr_array_index(matrix->loads, i));
}
