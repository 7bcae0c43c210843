#include "matrix/loaddef.h"

#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "matrix/template.h"

/* "at least 1", "from 1 to 64"; free it. */
static char *
range_text(const LoadDefKey *key)
{
	if (key->max >= LOADDEF_KEY_MOST)
		return g_strdup_printf("at least %.15g", key->min);
	return g_strdup_printf("from %.15g to %.15g", key->min, key->max);
}

static void
tell(
    const LoadDefKey *key, const char *text, const char *wanted, GError **error)
{
	g_autofree char *range = range_text(key);

	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "\"%s\" must be %s, %s", text, wanted, range);
}

static bool
in_range(const LoadDefKey *key, double value)
{
	return value >= key->min && value <= key->max;
}

static char *
integer_value(const LoadDefKey *key, const char *text, GError **error)
{
	int64_t value = 0;

	if (text_parse_int(text, INT64_MIN, INT64_MAX, &value, NULL) &&
	    in_range(key, (double)value))
		return g_strdup_printf("%" G_GINT64_FORMAT, value);
	tell(key, text, "an integer", error);
	return NULL;
}

static char *
number_value(const LoadDefKey *key, const char *text, GError **error)
{
	double value = 0;

	if (text_parse_double(text, &value, NULL) && in_range(key, value))
		return g_strdup(text);
	tell(key, text, "a number", error);
	return NULL;
}

static char *
seconds_value(const LoadDefKey *key, const char *text, GError **error)
{
	int64_t seconds = 0;
	int64_t ms = 0;

	if ((text_parse_int(text, INT64_MIN, INT64_MAX, &seconds, NULL) ||
		(text_parse_duration(text, &ms, NULL) && ms % 1000 == 0 &&
		    (seconds = ms / 1000) >= 0)) &&
	    in_range(key, (double)seconds))
		return g_strdup_printf("%" G_GINT64_FORMAT, seconds);
	tell(key, text,
	    "whole seconds, as 30 or a duration such as \"30s\" or \"5min\"",
	    error);
	return NULL;
}

static char *
words_value(const char *text, GError **error)
{
	g_autoptr(GError) why = NULL;

	if (g_shell_parse_argv(text, NULL, NULL, &why) ||
	    g_error_matches(why, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
		return g_strdup(text);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "\"%s\" must be words quoted as for sh, but ends within quotes",
	    text);
	return NULL;
}

static char *
text_value(const LoadDefKey *key, const char *text, GError **error)
{
	if (*text != '\0' || key->fallback != NULL)
		return g_strdup(text);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "is empty, must be: %s", key->help);
	return NULL;
}

char *
loaddef_key_value(const LoadDefKey *key, const char *text, GError **error)
{
	g_autoptr(GPtrArray) open = template_words(text, false);

	if (open->len > 0)
		return g_strdup(text);
	switch (key->type) {
	case KEY_TEXT:
		return text_value(key, text, error);
	case KEY_WORDS:
		return words_value(text, error);
	case KEY_INTEGER:
		return integer_value(key, text, error);
	case KEY_NUMBER:
		return number_value(key, text, error);
	case KEY_SECONDS:
		return seconds_value(key, text, error);
	}
	g_assert_not_reached();
}
