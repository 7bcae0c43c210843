#include "base/quote.h"

#include <string.h>

#include "base/error.h"

char *
quote_word(const char *word, GError **error)
{
	if (strchr(word, '\n') != NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "a word for a login shell must not hold a newline: %s",
		    word);
		return NULL;
	}

	GString *quoted = g_string_new("'");
	for (const char *c = word; *c != '\0'; c++) {
		if (*c == '\'' || *c == '!' || *c == '\\')
			g_string_append_printf(quoted, "'\\%c'", *c);
		else
			g_string_append_c(quoted, *c);
	}
	g_string_append_c(quoted, '\'');
	return g_string_free(quoted, FALSE);
}

char *
quote_sh(const char *word)
{
	GString *quoted = g_string_new("'");

	for (const char *c = word; *c != '\0'; c++) {
		if (*c == '\'')
			g_string_append(quoted, "'\\''");
		else
			g_string_append_c(quoted, *c);
	}
	g_string_append_c(quoted, '\'');
	return g_string_free(quoted, FALSE);
}
