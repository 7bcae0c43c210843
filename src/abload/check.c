#include "abload/check.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static void
count_row(char **fields, unsigned n, void *data)
{
	size_t *rows = data;

	(void)fields;
	(void)n;
	(*rows)++;
}

/* The query's text with one word. */
static char *
text_with(
    const Query *query, Connection *connection, const char *word, size_t length)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < query->parts->len; i++) {
		const QueryPart *part =
		    &g_array_index(query->parts, QueryPart, i);
		g_string_append_len(text, part->text, (gssize)part->length);
		if (part->words != NULL)
			connection_escape(connection, text, word, length);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static const Words *
words_of(const Query *query)
{
	for (guint i = 0; i < query->parts->len; i++) {
		const QueryPart *part =
		    &g_array_index(query->parts, QueryPart, i);
		if (part->words != NULL)
			return part->words;
	}
	return NULL;
}

static bool
check_query(const Query *query, Connection *connection, GError **error)
{
	const Words *words = words_of(query);
	const size_t n = words_count(words);
	size_t missed = 0;

	for (size_t i = 0; i < n; i++) {
		size_t length;
		size_t rows = 0;
		const char *word = words_raw(words, i, &length);
		g_autofree char *text =
		    text_with(query, connection, word, length);
		if (!connection_rows(connection, text, count_row, &rows, error))
			return false;
		missed += rows == 0 ? 1 : 0;
	}
	if (missed > 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_VERIFY,
		    "query %s finds no row for %zu of %zu words: table and "
		    "words are not of one making",
		    query->of->name, missed, n);
		return false;
	}
	(void)printf("Query %s finds each of %zu words\n", query->of->name, n);
	return true;
}

static bool
is_checked(const Query *query)
{
	return query->draws == 1 && query->must_match && query->of->result_set;
}

static bool
check_client(
    Bench *bench, const SmackClient *client, GHashTable *done, GError **error)
{
	const Login login = options_login(bench->options, client);
	g_autoptr(Connection) connection = NULL;

	for (guint i = 0; i < client->barrel->len; i++) {
		const SmackShot *shot =
		    &g_array_index(client->barrel, SmackShot, i);
		const Query *query = shot->query == NULL
		    ? NULL
		    : bench_query(bench, shot->query);
		if (query == NULL || !is_checked(query) ||
		    !g_hash_table_add(done, (gpointer)(uintptr_t)query))
			continue;
		if (connection == NULL)
			connection = connection_open(&login, error);
		if (connection == NULL ||
		    !check_query(query, connection, error))
			return false;
	}
	return true;
}

bool
check_words(Bench *bench, GError **error)
{
	g_autoptr(GHashTable) done = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < bench->smack->clients->len; i++)
		if (!check_client(bench,
			g_ptr_array_index(bench->smack->clients, i), done,
			error))
			return false;
	return true;
}
