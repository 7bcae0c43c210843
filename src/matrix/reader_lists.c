#include "matrix/reader.h"

#include <string.h>

#include "base/text.h"

char *
reader_guess(const char *word, const char *const *candidates)
{
	const char *nearest = text_nearest(word, candidates);

	return nearest == NULL || strcmp(nearest, word) == 0 || strlen(word) < 3
	    ? g_strdup("")
	    : g_strdup_printf(", did you mean \"%s\"?", nearest);
}

static bool
has_word(const char *const *words, const char *word)
{
	return words != NULL && g_strv_contains(words, word);
}

/* The keys of here and extra in one vector; free the vector alone. */
static const char **
join(const char *const *here, const char *const *extra)
{
	GPtrArray *all = g_ptr_array_new();

	for (size_t i = 0; here[i] != NULL; i++)
		g_ptr_array_add(all, (void *)here[i]);
	for (size_t i = 0; extra != NULL && extra[i] != NULL; i++)
		g_ptr_array_add(all, (void *)extra[i]);
	g_ptr_array_add(all, NULL);
	return (const char **)g_ptr_array_free(all, FALSE);
}

/* Where else the key is right, or nearly so; NULL if nowhere.  Free it. */
static char *
belongs(
    const char *key, const ReaderPlace *here, const ReaderPlace *const *others)
{
	for (size_t i = 0; others != NULL && others[i] != NULL; i++)
		if (others[i] != here && has_word(others[i]->keys, key))
			return g_strdup_printf(
			    "belongs in %s", others[i]->name);
	return NULL;
}

static char *
belongs_nearly(
    const char *key, const ReaderPlace *here, const ReaderPlace *const *others)
{
	for (size_t i = 0; others != NULL && others[i] != NULL; i++) {
		if (others[i] == here)
			continue;
		const char *near = text_nearest(key, others[i]->keys);
		if (near != NULL)
			return g_strdup_printf(
			    "did you mean \"%s\", which belongs in %s?", near,
			    others[i]->name);
	}
	return NULL;
}

void
reader_keys(Reader *reader, const ReaderNode *group, const ReaderPlace *here,
    const ReaderPlace *const *others, const char *const *extra)
{
	g_autofree const char **known = join(here->keys, extra);

	for (size_t i = 0; i < reader_length(group); i++) {
		const ReaderNode *node = reader_element(group, i);
		const char *key = reader_name(node);
		if (has_word(known, key))
			continue;
		g_autofree char *place = belongs(key, here, others);
		const char *near = text_nearest(key, known);
		g_autofree char *far = belongs_nearly(key, here, others);
		if (place != NULL)
			reader_mistake(
			    reader, node, "unknown key here, %s", place);
		else if (near != NULL)
			reader_mistake(reader, node,
			    "unknown key, did you mean \"%s\"?", near);
		else if (far != NULL)
			reader_mistake(reader, node, "unknown key, %s", far);
		else {
			g_autofree char *all = g_strjoinv(", ", (char **)known);
			reader_mistake(reader, node,
			    "unknown key, known in %s: %s", here->name, all);
		}
	}
}

GPtrArray *
reader_strings(Reader *reader, const ReaderNode *group, const char *key)
{
	GPtrArray *strings = g_ptr_array_new_with_free_func(g_free);
	const ReaderNode *node = reader_get(group, key);

	if (reader_is_string(node)) {
		char *text = reader_string(reader, group, key);
		if (text != NULL)
			g_ptr_array_add(strings, text);
	} else if (node != NULL && !reader_is_sequence(node))
		reader_mistake(reader, node,
		    "is %s, must be an array of strings such as [ \"a\", "
		    "\"b\" ]",
		    reader_type_name(node));
	for (size_t i = 0; reader_is_sequence(node) && i < reader_length(node);
	     i++) {
		const ReaderNode *element = reader_element(node, i);
		if (!reader_is_string(element))
			reader_mistake(reader, element,
			    "is %s, must be a string in quotes",
			    reader_type_name(element));
		else
			g_ptr_array_add(strings, reader_scalar(element));
	}
	return strings;
}

const ReaderNode *
reader_groups(Reader *reader, const ReaderNode *group, const char *key)
{
	const ReaderNode *node = reader_get(group, key);
	bool good = true;

	if (node == NULL)
		return NULL;
	if (!config_setting_is_list(node)) {
		reader_mistake(reader, node,
		    "is %s, must be a list of groups ( { ... }, { ... } )",
		    reader_type_name(node));
		return NULL;
	}
	for (size_t i = 0; i < reader_length(node); i++) {
		const ReaderNode *element = reader_element(node, i);
		if (reader_is_group(element))
			continue;
		reader_mistake(reader, element, "is %s, must be a group { }",
		    reader_type_name(element));
		good = false;
	}
	return good ? node : NULL;
}

const ReaderNode *
reader_group(Reader *reader, const ReaderNode *group, const char *key)
{
	const ReaderNode *node = reader_get(group, key);

	if (node == NULL || reader_is_group(node))
		return node;
	reader_mistake(
	    reader, node, "is %s, must be a group { }", reader_type_name(node));
	return NULL;
}
