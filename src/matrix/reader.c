#include "matrix/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "matrix/mistakes.h"
#include "matrix/prescan.h"
#include "matrix/source.h"

struct Reader {
	char *path;
	config_t config;
	Source *source;
	Mistakes *mistakes;
};

/* What libconfig's few words mean to a person. */
static const char *
explain(const char *text)
{
	if (strcmp(text, "duplicate setting name") == 0)
		return "the same name is given twice in one group";
	if (strcmp(text, "mismatched element type in array") == 0)
		return "values of an array [ ] must be of one type, write a "
		       "list ( )";
	if (strcmp(text, "syntax error") == 0)
		return "syntax error here or just before: look for a missing "
		       "quote, comma, bracket or semicolon";
	return text;
}

/* Takes the source. */
static Reader *
reader_new(Source *source, Mistakes *mistakes, const char *path, GError **error)
{
	Reader *reader = g_new0(Reader, 1);

	reader->path = g_strdup(path);
	reader->source = source;
	reader->mistakes = mistakes;
	config_init(&reader->config);
	const bool parse = prescan(source, mistakes) && source_is_whole(source);
	/*
	 * What cannot be read whole is not parsed: its syntax errors would
	 * mislead.
	 */
	if (parse &&
	    !config_read_string(&reader->config, source_text(source))) {
		const size_t line =
		    (size_t)MAX(config_error_line(&reader->config), 1);
		g_autofree char *place = source_place(source, line);
		const char *text = config_error_text(&reader->config);
		mistakes_add(mistakes, line,
		    g_strdup_printf("%s: %s", place,
			explain(text == NULL ? "syntax error" : text)));
	}
	if (mistakes_finish(mistakes, error))
		return reader;
	reader_free(reader);
	return NULL;
}

Reader *
reader_open(const char *path, GError **error)
{
	Mistakes *mistakes = mistakes_new();

	return reader_new(source_read(path, mistakes), mistakes, path, error);
}

Reader *
reader_parse(const char *text, size_t length, const char *path, GError **error)
{
	Mistakes *mistakes = mistakes_new();

	return reader_new(
	    source_parse(text, length, path, mistakes), mistakes, path, error);
}

void
reader_free(Reader *reader)
{
	if (reader == NULL)
		return;
	config_destroy(&reader->config);
	source_free(reader->source);
	mistakes_free(reader->mistakes);
	g_free(reader->path);
	g_free(reader);
}

bool
reader_finish(const Reader *reader, GError **error)
{
	return mistakes_finish(reader->mistakes, error);
}

size_t
reader_mistakes(const Reader *reader)
{
	return mistakes_count(reader->mistakes);
}

const ReaderNode *
reader_root(const Reader *reader)
{
	return config_root_setting(&reader->config);
}

const char *
reader_text(const Reader *reader)
{
	return source_text(reader->source);
}

const char *
reader_path(const Reader *reader)
{
	return reader->path;
}

/* The node's line in the expanded text. */
static size_t
order_of(const ReaderNode *node)
{
	return node == NULL ? 1 : config_setting_source_line(node);
}

int
reader_line(const Reader *reader, const ReaderNode *node)
{
	return source_line(reader->source, order_of(node));
}

/* "design.stop.looks", "targets[0].name" */
static char *
path_of(const ReaderNode *node)
{
	GString *path = g_string_new(NULL);

	for (; node != NULL && !config_setting_is_root(node);
	     node = config_setting_parent(node)) {
		const char *name = config_setting_name(node);
		g_autofree char *part = name != NULL
		    ? g_strdup(name)
		    : g_strdup_printf("[%d]", config_setting_index(node));
		if (path->len > 0 && path->str[0] != '[')
			g_string_prepend_c(path, '.');
		g_string_prepend(path, part);
	}
	return g_string_free(path, FALSE);
}

static void
mistake_at(Reader *reader, size_t order, const char *path, const char *what)
{
	g_autofree char *place = source_place(reader->source, order);

	mistakes_add(reader->mistakes, order,
	    *path == '\0' ? g_strdup_printf("%s: %s", place, what)
			  : g_strdup_printf("%s: %s: %s", place, path, what));
}

void
reader_mistake(Reader *reader, const ReaderNode *node, const char *format, ...)
{
	va_list arguments;
	g_autofree char *path = path_of(node);

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	mistake_at(reader, order_of(node), path, what);
}

void
reader_mistake_key(Reader *reader, const ReaderNode *group, const char *key,
    const char *format, ...)
{
	va_list arguments;
	const ReaderNode *node = reader_get(group, key);
	g_autofree char *above = path_of(group);
	g_autofree char *path = *above == '\0'
	    ? g_strdup(key)
	    : g_strdup_printf("%s.%s", above, key);

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	mistake_at(reader, order_of(node != NULL ? node : group), path, what);
}

void
reader_adopt(Reader *reader, const ReaderNode *node, const GError *report)
{
	mistakes_add(
	    reader->mistakes, order_of(node), g_strdup(report->message));
}

const ReaderNode *
reader_get(const ReaderNode *group, const char *key)
{
	if (group == NULL || !config_setting_is_group(group))
		return NULL;
	return config_setting_get_member(group, key);
}

size_t
reader_length(const ReaderNode *node)
{
	if (node == NULL || !config_setting_is_aggregate(node))
		return 0;
	return (size_t)config_setting_length(node);
}

const ReaderNode *
reader_element(const ReaderNode *node, size_t index)
{
	return config_setting_get_elem(node, (unsigned)index);
}

const char *
reader_name(const ReaderNode *node)
{
	const char *name = config_setting_name(node);

	return name == NULL ? "" : name;
}

bool
reader_is_group(const ReaderNode *node)
{
	return node != NULL && config_setting_is_group(node);
}

bool
reader_is_sequence(const ReaderNode *node)
{
	return node != NULL &&
	    (config_setting_is_array(node) || config_setting_is_list(node));
}

bool
reader_is_string(const ReaderNode *node)
{
	return node != NULL && config_setting_type(node) == CONFIG_TYPE_STRING;
}

bool
reader_is_scalar(const ReaderNode *node)
{
	return node != NULL && config_setting_is_scalar(node);
}

const char *
reader_type_name(const ReaderNode *node)
{
	switch (config_setting_type(node)) {
	case CONFIG_TYPE_GROUP:
		return "a group { }";
	case CONFIG_TYPE_ARRAY:
		return "an array [ ]";
	case CONFIG_TYPE_LIST:
		return "a list ( )";
	case CONFIG_TYPE_STRING:
		return "a string";
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		return "an integer";
	case CONFIG_TYPE_FLOAT:
		return "a number";
	case CONFIG_TYPE_BOOL:
		return "true or false";
	}
	return "nothing";
}
