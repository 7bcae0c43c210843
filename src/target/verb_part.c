#include "target/verb_part.h"

#include <stdbool.h>
#include <string.h>

static const char mark[] = "\n# abrun-verbs: ";

/* verbs: the words behind the mark, up to the end of the line. */
static bool
is_needed(const char *verbs, const VerbCall *call)
{
	g_autofree char *line = g_strndup(verbs, strcspn(verbs, "\n"));
	g_auto(GStrv) words = g_strsplit(line, " ", -1);

	for (size_t i = 0; i < verb_call_length(call); i++)
		if (g_strv_contains(
			(const char *const *)words, verb_call_verb(call, i)))
			return true;
	return false;
}

void
verb_part_append(GString *script, const char *program, const VerbCall *call)
{
	const char *part = program;
	bool needed = true; /* what is before the first mark */

	while (part != NULL) {
		const char *next = strstr(part, mark);
		if (needed && next == NULL)
			g_string_append(script, part);
		else if (needed)
			g_string_append_len(script, part, next - part);
		part = next == NULL ? NULL : next + strlen(mark);
		if (part != NULL) {
			needed = is_needed(part, call);
			part += strcspn(part, "\n");
		}
	}
}
