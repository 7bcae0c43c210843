#include "run/journal_text.h"

#include <string.h>

#include "base/text.h"
#include "matrix/matrix.h"
#include "run/undo_work.h"
#include "target/verb_text.h"

#define FIRST "abrun\tundo 1\n"
#define LAST "end\tyes\n"

/* Of one value in a line for a person. */
enum { SHOWN_BYTES = 200 };

static void
add(GString *text, const char *key, const char *value)
{
	if (value == NULL)
		return;
	g_autofree char *escaped = verb_escape(value);
	g_string_append_printf(text, "%s\t%s\n", key, escaped);
}

char *
journal_text(const JournalRow *row)
{
	GString *text = g_string_new(FIRST);
	const StoreUndo *undo = &row->undo;

	add(text, "controller", row->controller);
	add(text, "user", row->user);
	add(text, "directory", row->directory);
	add(text, "kind", undo->kind);
	add(text, "name", undo->name);
	add(text, "old", undo->old_value);
	add(text, "new", undo->new_value);
	add(text, "scope", undo->scope);
	add(text, "boot_id", undo->boot_id);
	g_string_append(text, LAST);
	return g_string_free(text, FALSE);
}

/* Where the value of a key goes; NULL for a key that is not known. */
static char **
place(JournalRow *row, const char *key)
{
	const struct {
		const char *key;
		char **value;
	} places[] = {
		{ "controller", &row->controller },
		{ "user", &row->user },
		{ "directory", &row->directory },
		{ "kind", &row->undo.kind },
		{ "name", &row->undo.name },
		{ "old", &row->undo.old_value },
		{ "new", &row->undo.new_value },
		{ "scope", &row->undo.scope },
		{ "boot_id", &row->undo.boot_id },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(places); i++)
		if (strcmp(places[i].key, key) == 0)
			return places[i].value;
	return NULL;
}

static bool
take_line(JournalRow *row, const char *line)
{
	const char *tab = strchr(line, '\t');

	if (tab == NULL)
		return false;
	g_autofree char *key = g_strndup(line, (gsize)(tab - line));
	char **value = place(row, key);
	if (value == NULL || *value != NULL)
		return false;
	*value = verb_unescape(tab + 1, strlen(tab + 1));
	return *value != NULL;
}

/* What the store's table asks for. */
static bool
is_whole(const StoreUndo *undo)
{
	return undo->kind != NULL && undo->name != NULL &&
	    undo->scope != NULL &&
	    (strcmp(undo->scope, "process") == 0 ||
		strcmp(undo->scope, "disk") == 0 ||
		(strcmp(undo->scope, "boot") == 0 && undo->boot_id != NULL));
}

JournalRow *
journal_row_parse(const char *text)
{
	g_autoptr(JournalRow) row = g_new0(JournalRow, 1);

	if (!g_str_has_prefix(text, FIRST) || !g_str_has_suffix(text, LAST))
		return NULL;
	g_autofree char *body = g_strndup(text + strlen(FIRST),
	    strlen(text) - MIN(strlen(text), strlen(FIRST) + strlen(LAST)));
	g_auto(GStrv) lines = g_strsplit(body, "\n", -1);
	for (char **line = lines; *line != NULL; line++)
		if (**line != '\0' && !take_line(row, *line))
			return NULL;
	return is_whole(&row->undo) ? g_steal_pointer(&row) : NULL;
}

void
journal_row_free(JournalRow *row)
{
	if (row == NULL)
		return;
	g_free(row->controller);
	g_free(row->user);
	g_free(row->directory);
	g_free(row->undo.kind);
	g_free(row->undo.name);
	g_free(row->undo.old_value);
	g_free(row->undo.new_value);
	g_free(row->undo.scope);
	g_free(row->undo.boot_id);
	g_free(row);
}

char *
journal_words(const StoreUndo *undo)
{
	g_autofree char *name = text_printable(undo->name, SHOWN_BYTES);
	g_autofree char *old = text_printable(
	    undo->old_value == NULL ? "absent" : undo->old_value, SHOWN_BYTES);
	g_autofree char *new = text_printable(
	    undo->new_value == NULL ? "absent" : undo->new_value, SHOWN_BYTES);

	if (strcmp(undo->kind, setting_kind_name(SETTING_COMMAND)) == 0)
		return g_strdup_printf("command \"%s\": %s%s%s", name,
		    undo->old_value == NULL ? "has no undo" : "undone by \"",
		    undo->old_value == NULL ? "" : old,
		    undo->old_value == NULL ? "" : "\"");
	if (strcmp(undo->kind, UNDO_KIND_SERVICE) == 0)
		return g_strdup_printf("service %s, which was %s", name, old);
	if (strcmp(undo->kind, UNDO_KIND_SERVER) == 0)
		return g_strdup_printf(
		    "server at %s: stopped by \"%s\"", name, old);
	if (undo->old_value == NULL && undo->new_value == NULL)
		return g_strdup_printf("%s %s", undo->kind, name);
	return g_strdup_printf("%s%s%s: was %s, set to %s", undo->kind,
	    *name == '\0' ? "" : " ", name, old, new);
}
