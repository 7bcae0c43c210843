#include "matrix/reader.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* "is a list ( ), must be an integer" */
static void
tell_type(Reader *reader, const ReaderNode *node, const char *must)
{
	reader_mistake(
	    reader, node, "is %s, must be %s", reader_type_name(node), must);
}

static bool
is_int(const ReaderNode *node)
{
	const int type = config_setting_type(node);

	return type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
}

/* The shortest text that reads back as the same number. */
static char *
double_text(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	static const char *const formats[] = { "%.6g", "%.15g", "%.16g",
		"%.17g" };

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		(void)g_ascii_formatd(text, sizeof(text), formats[i], value);
		if (!(g_ascii_strtod(text, NULL) < value) &&
		    !(g_ascii_strtod(text, NULL) > value))
			break;
	}
	return g_strdup(text);
}

char *
reader_scalar(const ReaderNode *node)
{
	switch (config_setting_type(node)) {
	case CONFIG_TYPE_STRING:
		return g_strdup(config_setting_get_string(node));
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64:
		return g_strdup_printf("%lld", config_setting_get_int64(node));
	case CONFIG_TYPE_FLOAT:
		return double_text(config_setting_get_float(node));
	case CONFIG_TYPE_BOOL:
		return g_strdup(
		    config_setting_get_bool(node) ? "true" : "false");
	}
	return NULL;
}

char *
reader_string_or_empty(Reader *reader, const ReaderNode *group, const char *key)
{
	const ReaderNode *node = reader_get(group, key);

	if (node == NULL)
		return NULL;
	if (!reader_is_string(node)) {
		tell_type(reader, node, "a string in quotes");
		return NULL;
	}
	return g_strdup(config_setting_get_string(node));
}

char *
reader_string(Reader *reader, const ReaderNode *group, const char *key)
{
	g_autofree char *text = reader_string_or_empty(reader, group, key);

	if (text != NULL && *text == '\0') {
		reader_mistake_key(reader, group, key,
		    "is empty, write a value or leave the key out");
		return NULL;
	}
	return g_steal_pointer(&text);
}

char *
reader_need_string(
    Reader *reader, const ReaderNode *group, const char *key, const char *right)
{
	if (reader_get(group, key) == NULL) {
		reader_mistake_key(reader, group, key,
		    "is missing, write %s = %s", key, right);
		return NULL;
	}
	return reader_string(reader, group, key);
}

bool
reader_bool(
    Reader *reader, const ReaderNode *group, const char *key, bool *value)
{
	const ReaderNode *node = reader_get(group, key);

	if (node == NULL)
		return false;
	if (config_setting_type(node) != CONFIG_TYPE_BOOL) {
		tell_type(reader, node, "true or false without quotes");
		return false;
	}
	*value = config_setting_get_bool(node) != 0;
	return true;
}

bool
reader_int(Reader *reader, const ReaderNode *group, const char *key,
    int64_t min, int64_t max, int64_t *value)
{
	const ReaderNode *node = reader_get(group, key);

	if (node == NULL)
		return false;
	if (!is_int(node)) {
		tell_type(reader, node, "an integer without quotes");
		return false;
	}
	const int64_t number = config_setting_get_int64(node);
	if (number < min || number > max) {
		reader_mistake(reader, node,
		    "is %" G_GINT64_FORMAT ", must be from %" G_GINT64_FORMAT
		    " to %" G_GINT64_FORMAT,
		    number, min, max);
		return false;
	}
	*value = number;
	return true;
}

bool
reader_double(Reader *reader, const ReaderNode *group, const char *key,
    double min, double max, double *value)
{
	const ReaderNode *node = reader_get(group, key);

	if (node == NULL)
		return false;
	if (!is_int(node) && config_setting_type(node) != CONFIG_TYPE_FLOAT) {
		tell_type(reader, node, "a number without quotes");
		return false;
	}
	const double number = is_int(node)
	    ? (double)config_setting_get_int64(node)
	    : config_setting_get_float(node);
	if (!isfinite(number) || number < min || number > max) {
		g_autofree char *seen = double_text(number);
		g_autofree char *low = double_text(min);
		g_autofree char *high = double_text(max);
		reader_mistake(reader, node, "is %s, must be from %s to %s",
		    seen, low, high);
		return false;
	}
	*value = number;
	return true;
}

bool
reader_duration(Reader *reader, const ReaderNode *group, const char *key,
    int64_t min_ms, int64_t *ms)
{
	const ReaderNode *node = reader_get(group, key);
	int64_t parsed = 0;

	if (node == NULL)
		return false;
	if (!reader_is_string(node)) {
		tell_type(reader, node,
		    "a duration in quotes such as \"3s\", \"5min\" or \"2h\"");
		return false;
	}
	g_autoptr(GError) why = NULL;
	if (!text_parse_duration(
		config_setting_get_string(node), &parsed, &why)) {
		reader_mistake(reader, node, "%s", why->message);
		return false;
	}
	if (parsed < min_ms) {
		g_autofree char *least = text_duration(min_ms);
		reader_mistake(reader, node, "is %s, must be at least %s",
		    config_setting_get_string(node), least);
		return false;
	}
	*ms = parsed;
	return true;
}

bool
reader_percent(
    Reader *reader, const ReaderNode *group, const char *key, double *percent)
{
	const ReaderNode *node = reader_get(group, key);

	if (!reader_is_string(node))
		return reader_double(reader, group, key, 0, 100, percent);
	const char *text = config_setting_get_string(node);
	const size_t length = strlen(text);
	g_autofree char *digits = g_strndup(text, length > 0 ? length - 1 : 0);
	double value = 0;
	if (length < 2 || text[length - 1] != '%' ||
	    !text_parse_double(g_strchomp(digits), &value, NULL) || value < 0 ||
	    value > 100) {
		reader_mistake(reader, node,
		    "\"%s\" is not from \"0%%\" to \"100%%\", write a share "
		    "such as \"1%%\"",
		    text);
		return false;
	}
	*percent = value;
	return true;
}

bool
reader_enum(Reader *reader, const ReaderNode *group, const char *key,
    const char *const *words, int *value)
{
	g_autofree char *text = reader_string(reader, group, key);

	if (text == NULL)
		return false;
	for (int i = 0; words[i] != NULL; i++)
		if (strcmp(words[i], text) == 0) {
			*value = i;
			return true;
		}
	g_autofree char *guess = reader_guess(text, words);
	g_autofree char *all = g_strjoinv("\", \"", (char **)words);
	reader_mistake_key(reader, group, key,
	    "\"%s\" is unknown%s must be one of \"%s\"", text,
	    *guess == '\0' ? "," : guess, all);
	return false;
}
