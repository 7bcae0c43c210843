#include "target/verb_text.h"

#include <string.h>

static const char plain[] = "\\\t\n\r";
static const char letters[] = "\\tnr";

char *
verb_escape(const char *value)
{
	GString *text = g_string_sized_new(strlen(value) + 1);

	for (const char *at = value; *at != '\0'; at++) {
		const char *found = strchr(plain, *at);
		if (found == NULL) {
			g_string_append_c(text, *at);
			continue;
		}
		g_string_append_c(text, '\\');
		g_string_append_c(text, letters[found - plain]);
	}
	return g_string_free(text, FALSE);
}

char *
verb_unescape(const char *text, size_t length)
{
	g_autoptr(GString) value = g_string_sized_new(length + 1);

	for (size_t i = 0; i < length; i++) {
		if (text[i] != '\\') {
			g_string_append_c(value, text[i]);
			continue;
		}
		const char *found = ++i == length || text[i] == '\0'
		    ? NULL
		    : strchr(letters, text[i]);
		if (found == NULL)
			return NULL;
		g_string_append_c(value, plain[found - letters]);
	}
	return g_string_free(g_steal_pointer(&value), FALSE);
}
