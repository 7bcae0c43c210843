#include "abload/query.h"

#include <string.h>

#include "base/error.h"

static void
clear_part(gpointer data)
{
	QueryPart *part = data;

	g_free(part->text);
}

static bool
is_name_byte(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static void
add_part(Query *query, GString *text, const Words *words, size_t dictionary)
{
	const QueryPart part = { .text = g_strndup(text->str, text->len),
		.length = text->len,
		.words = words,
		.dictionary = dictionary };

	query->longest += text->len;
	if (words != NULL) {
		query->longest += words_longest(words);
		query->draws++;
	}
	g_array_append_val(query->parts, part);
	g_string_truncate(text, 0);
}

/* The name behind a $, if it is one that is drawn; NULL: a $ as it stands. */
static char *
name_at(const char *at, bool compat)
{
	size_t length = 0;

	while (is_name_byte(at[length]))
		length++;
	/* The original draws when it meets the byte behind the name. */
	if (length == 0 || (compat && at[length] == '\0'))
		return NULL;
	return g_strndup(at, length);
}

static bool
split(Query *query, const Smack *smack, const GPtrArray *words, bool compat,
    GError **error)
{
	const char *at = query->of->text;
	g_autoptr(GString) text = g_string_new(NULL);
	bool looked_at = query->of->substituted;

	for (; *at != '\0'; at++) {
		if (compat && *at == '\\')
			looked_at = false;
		g_autofree char *name =
		    looked_at && *at == '$' ? name_at(at + 1, compat) : NULL;
		if (name == NULL) {
			if (!(compat && looked_at && *at == '$')) {
				g_string_append_c(text, *at);
				continue;
			}
			/* Lost, with the name behind it. */
			while (is_name_byte(at[1]))
				at++;
			continue;
		}
		const SmackDictionary *dictionary =
		    smack_dictionary(smack, name);
		if (dictionary == NULL) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "%s:%d:%d: query \"%s\" draws from $%s, and there "
			    "is no such dictionary",
			    smack->file, query->of->place.line,
			    query->of->place.column, query->of->name, name);
			return false;
		}
		add_part(query, text,
		    g_ptr_array_index(words, dictionary->index),
		    dictionary->index);
		at += strlen(name);
	}
	add_part(query, text, NULL, 0);
	return true;
}

/* '$word' as a whole becomes a question mark. */
static char *
as_prepared(const Query *query, char **why)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool behind = false; /* a draw */

	for (guint i = 0; i < query->parts->len; i++) {
		const QueryPart *part =
		    &g_array_index(query->parts, QueryPart, i);
		const char *from = part->text;
		size_t length = part->length;
		if (behind && (length == 0 || from[0] != '\''))
			break;
		if (behind) {
			from++;
			length--;
		}
		if (part->words != NULL &&
		    (length == 0 || from[length - 1] != '\''))
			break;
		if (part->words == NULL) {
			g_string_append_len(text, from, (gssize)length);
			return g_string_free(g_steal_pointer(&text), FALSE);
		}
		g_string_append_len(text, from, (gssize)(length - 1));
		g_string_append_c(text, '?');
		behind = true;
	}
	*why = g_strdup_printf("query \"%s\" draws a word that is not alone in "
			       "its '', and is sent as text",
	    query->of->name);
	return NULL;
}

static bool
begins_with(const char *text, const char *word)
{
	while (g_ascii_isspace(*text))
		text++;
	return g_ascii_strncasecmp(text, word, strlen(word)) == 0;
}

Query *
query_new(const SmackQuery *query, const Smack *smack, const GPtrArray *words,
    bool compat, char **why_text, GError **error)
{
	g_autoptr(Query) made = g_new0(Query, 1);

	made->of = query;
	made->parts = g_array_new(FALSE, FALSE, sizeof(QueryPart));
	g_array_set_clear_func(made->parts, clear_part);
	if (!split(made, smack, words, compat, error))
		return NULL;
	*why_text = NULL;
	made->prepared = as_prepared(made, why_text);
	made->must_match = made->draws > 0 &&
	    (begins_with(query->text, "select") ||
		begins_with(query->text, "update"));
	return g_steal_pointer(&made);
}

void
query_free(Query *query)
{
	if (query == NULL)
		return;
	g_array_unref(query->parts);
	g_free(query->prepared);
	g_free(query);
}

size_t
query_fill(const Query *query, WordDraw *draws, WordSource *source, char *to)
{
	const QueryPart *parts = (const QueryPart *)(void *)query->parts->data;
	char *at = to;

	for (guint i = 0; i < query->parts->len; i++) {
		memcpy(at, parts[i].text, parts[i].length);
		at += parts[i].length;
		if (parts[i].words != NULL)
			at += words_draw(parts[i].words,
			    &draws[parts[i].dictionary], source, true, at);
	}
	return (size_t)(at - to);
}
