#include "matrix/parse.h"

#include <string.h>

#include "base/text.h"
#include "matrix/words.h"

enum { LEVEL_NAME_BYTES = 128 };

static Level *
level_new(Reader *reader, const ReaderNode *node, char *name)
{
	Level *level = g_new0(Level, 1);

	level->name = name;
	level->settings = g_ptr_array_new_with_free_func(setting_free);
	level->expect = g_ptr_array_new_with_free_func(g_free);
	level->line = reader_line(reader, node);
	return level;
}

int
factor_level(const Factor *factor, const char *name)
{
	for (guint i = 0; i < factor->levels->len; i++) {
		const Level *level = g_ptr_array_index(factor->levels, i);
		if (strcmp(level->name, name) == 0)
			return (int)i;
	}
	return -1;
}

static void
add_level(Reader *reader, const ReaderNode *node, Factor *factor, Level *level)
{
	g_autofree char *shown = text_printable(level->name, LEVEL_NAME_BYTES);

	if (*level->name == '\0')
		reader_mistake(reader, node, "a level needs a name");
	else if (strcmp(shown, level->name) != 0)
		reader_mistake(reader, node,
		    "a name is one line of at most %d bytes", LEVEL_NAME_BYTES);
	else if (factor_level(factor, level->name) >= 0)
		reader_mistake(
		    reader, node, "two levels are named \"%s\"", level->name);
	g_ptr_array_add(factor->levels, level);
}

/* What is wrong with it was told; element i must stay level i. */
static Level *
add_unnamed(Reader *reader, const ReaderNode *node, Factor *factor)
{
	Level *level = level_new(
	    reader, node, g_strdup_printf("?%u", factor->levels->len));

	g_ptr_array_add(factor->levels, level);
	return level;
}

/* One element of [ ] or ( ) that is a plain value. */
static void
read_value(Reader *reader, const ReaderNode *node, Factor *factor,
    const SettingKind *kind)
{
	Level *level = level_new(reader, node, reader_scalar(node));

	if (kind != NULL)
		read_plain(reader, node, *kind, level->name, level);
	add_level(reader, node, factor, level);
}

static void
read_group(Reader *reader, const ReaderNode *node, Factor *factor)
{
	char *name = reader_need_string(
	    reader, node, "name", "\"what the reports call this level\"");
	Level *level = name == NULL ? add_unnamed(reader, node, factor)
				    : level_new(reader, node, name);

	read_level(reader, node, level);
	if (name != NULL)
		add_level(reader, node, factor, level);
}

/* What the elements are: all plain, all groups, or both. */
static void
count_elements(const ReaderNode *node, size_t *n_plain, size_t *n_groups)
{
	*n_plain = 0;
	*n_groups = 0;
	for (size_t i = 0; i < reader_length(node); i++) {
		const ReaderNode *element = reader_element(node, i);
		*n_plain += reader_is_scalar(element);
		*n_groups += reader_is_group(element);
	}
}

static bool
check_name(Reader *reader, const ReaderNode *node, const Factor *factor)
{
	static const char *const commands[] = { "apply", "undo", "verify",
		"command", NULL };

	if (factor->variable && g_strv_contains(commands, factor->name)) {
		reader_mistake(reader, node,
		    "takes no plain values, write levels: ( { name = \"a\"; "
		    "apply = \"...\"; undo = \"...\"; } )");
		return false;
	}
	if (factor->variable &&
	    g_strv_contains(words_builtin_load, factor->name)) {
		reader_mistake(reader, node,
		    "{%s} is built in, the variable needs another name",
		    factor->name);
		return false;
	}
	if (factor->variable ? !text_is_variable(factor->name)
			     : !text_is_safe_name(factor->name)) {
		reader_mistake(reader, node,
		    "is no name for a factor, use letters, digits and _ (at "
		    "most 64)");
		return false;
	}
	return true;
}

static void
read_elements(Reader *reader, const ReaderNode *node, Factor *factor,
    const SettingKind *kind)
{
	for (size_t i = 0; i < reader_length(node); i++) {
		const ReaderNode *element = reader_element(node, i);
		const size_t before = reader_mistakes(reader);
		if (reader_is_group(element))
			read_group(reader, element, factor);
		else if (reader_is_scalar(element))
			read_value(reader, element, factor, kind);
		else {
			reader_mistake(reader, element,
			    "is %s, must be a plain value or a group { }",
			    reader_type_name(element));
			add_unnamed(reader, element, factor);
		}
		/* A level with mistakes only looks like the others. */
		Level *level = g_ptr_array_index(factor->levels, i);
		if (reader_mistakes(reader) > before)
			level->same = true;
	}
}

static FactorClass
class_of(const Factor *factor, const SettingKind *kind)
{
	FactorClass class = factor->variable ? CLASS_LOAD : CLASS_SERVER;

	if (kind != NULL)
		class = setting_kind_class(*kind);
	for (guint i = 0; i < factor->levels->len; i++) {
		const Level *level = g_ptr_array_index(factor->levels, i);
		for (guint j = 0; j < level->settings->len; j++) {
			const Setting *setting =
			    g_ptr_array_index(level->settings, j);
			class = MAX(class, setting_kind_class(setting->kind));
		}
	}
	return class;
}

static void
read_factor(Reader *reader, const ReaderNode *node, Matrix *matrix)
{
	Factor *factor = g_new0(Factor, 1);
	SettingKind kind = SETTING_KINDS;
	size_t n_plain = 0, n_groups = 0;

	factor->name = g_strdup(reader_name(node));
	factor->levels = g_ptr_array_new_with_free_func(level_free);
	factor->line = reader_line(reader, node);
	g_ptr_array_add(matrix->factors, factor);
	if (!reader_is_sequence(node)) {
		reader_mistake(reader, node,
		    "is %s, must be its levels: [ \"a\", \"b\" ] or "
		    "( { name = \"a\"; ... }, ... )",
		    reader_type_name(node));
		return;
	}
	count_elements(node, &n_plain, &n_groups);
	const bool is_kind =
	    words_kind(factor->name, &kind) && kind != SETTING_COMMAND;
	factor->variable = !is_kind && n_groups == 0 && n_plain > 0;
	(void)check_name(reader, node, factor);
	if (reader_length(node) == 0)
		reader_mistake(reader, node, "has no levels");
	else if (reader_length(node) > MATRIX_LEVELS)
		reader_mistake(reader, node,
		    "has %zu levels, at most %d can be", reader_length(node),
		    MATRIX_LEVELS);
	else if (!is_kind && n_groups > 0 && n_plain > 0)
		reader_mistake(reader, node,
		    "mixes plain values and groups { }, write all levels as "
		    "groups");
	else
		read_elements(reader, node, factor, is_kind ? &kind : NULL);
	factor->class = class_of(factor, is_kind ? &kind : NULL);
}

void
read_factors(Reader *reader, Matrix *matrix)
{
	const ReaderNode *root = reader_root(reader);
	const ReaderNode *node = reader_group(reader, root, "factors");

	if (reader_get(root, "factors") == NULL)
		reader_mistake_key(reader, root, "factors",
		    "is missing, write factors: { preload = [ \"default\", "
		    "\"jemalloc\" ]; };");
	else if (node != NULL && reader_length(node) == 0)
		reader_mistake(reader, node, "has no factors");
	else if (reader_length(node) > MATRIX_FACTORS)
		reader_mistake(reader, node,
		    "has %zu factors, at most %d can be", reader_length(node),
		    MATRIX_FACTORS);
	for (size_t i = 0; i < MIN(reader_length(node), MATRIX_FACTORS); i++)
		read_factor(reader, reader_element(node, i), matrix);
}
