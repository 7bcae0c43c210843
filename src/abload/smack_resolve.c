#include "abload/smack_work.h"

#include <string.h>

#include "base/text.h"

/* A reference whose object may come later in the file. */
typedef struct {
	SmackClient *client; /* with the barrel in word, or */
	SmackTable *table;   /* with the client's name in word */
	SmackWord word;
} Reference;

static void
add(SmackWork *work, SmackClient *client, SmackTable *table, SmackWord *word)
{
	Reference *reference = g_new0(Reference, 1);

	reference->client = client;
	reference->table = table;
	reference->word.text = g_steal_pointer(&word->text);
	reference->word.place = word->place;
	g_ptr_array_add(work->references, reference);
}

void
smack_barrel_add(SmackWork *work, SmackClient *client, SmackWord *barrel)
{
	add(work, client, NULL, barrel);
}

void
smack_owner_add(SmackWork *work, SmackTable *table, SmackWord *client)
{
	add(work, NULL, table, client);
}

void
smack_reference_free(gpointer data)
{
	Reference *reference = data;

	smack_word_clear(&reference->word);
	g_free(reference);
}

static const char *
nearest_query(const SmackWork *work, const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < work->smack->queries->len; i++) {
		const SmackQuery *query =
		    g_ptr_array_index(work->smack->queries, i);
		g_ptr_array_add(names, query->name);
	}
	g_ptr_array_add(names, NULL);
	return text_nearest(name, (const char *const *)names->pdata);
}

/* "-0.25": so many seconds without a query. */
static bool
add_pause(SmackWork *work, const Reference *reference, const char *text)
{
	static const double longest = 86400;
	double seconds;

	if (!text_parse_double(text + 1, &seconds, NULL) || seconds < 0 ||
	    seconds > longest) {
		smack_mistake(work, reference->word.place,
		    "the barrel of client \"%s\" has \"%s\"; a pause is - and "
		    "seconds, at most a day",
		    reference->client->name, text);
		return false;
	}
	const SmackShot shot = { .pause_us = (int64_t)(seconds * 1e6) };
	g_array_append_val(reference->client->barrel, shot);
	return true;
}

static void
tell_unknown(SmackWork *work, const Reference *reference, const char *name)
{
	const char *client = reference->client->name;

	if (name == NULL) {
		smack_mistake(work, reference->word.place,
		    "the barrel of client \"%s\" ends behind a number", client);
		return;
	}
	const char *near = nearest_query(work, name);
	smack_mistake(work, reference->word.place,
	    "the barrel of client \"%s\" names a query \"%s\" that is not in "
	    "this file%s%s%s",
	    client, name, near == NULL ? "" : ", did you mean \"",
	    near == NULL ? "" : near, near == NULL ? "" : "\"?");
}

static bool
add_shots(SmackWork *work, const Reference *reference, const char *count,
    const char *name)
{
	SmackShot shot = { 0 };
	int64_t number;

	if (!text_parse_int(count, 1, INT32_MAX, &number, NULL)) {
		smack_mistake(work, reference->word.place,
		    "the barrel of client \"%s\" has \"%s\" where a number of "
		    "queries, from 1 on, is wanted",
		    reference->client->name, count);
		return false;
	}
	if (name != NULL)
		shot.query = smack_query(work->smack, name);
	if (shot.query == NULL) {
		tell_unknown(work, reference, name);
		return false;
	}
	shot.count = (uint64_t)number;
	g_array_append_val(reference->client->barrel, shot);
	return true;
}

static void
fill_barrel(SmackWork *work, const Reference *reference)
{
	g_auto(GStrv) words =
	    g_strsplit_set(reference->word.text, " \t\r\n", -1);
	size_t n = 0;

	for (size_t i = 0; words[i] != NULL; i++)
		if (words[i][0] != '\0')
			words[n++] = words[i];
		else
			g_free(words[i]);
	words[n] = NULL;
	for (size_t i = 0; i < n; i++)
		if (words[i][0] == '-') {
			if (!add_pause(work, reference, words[i]))
				return;
		} else {
			if (!add_shots(work, reference, words[i], words[i + 1]))
				return;
			i++;
		}
}

/* Each client counts each type apart. */
static void
check_types(SmackWork *work, const Reference *reference)
{
	enum { MOST = 1000 };
	const GArray *barrel = reference->client->barrel;
	g_autoptr(GHashTable) types = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < barrel->len; i++) {
		const SmackQuery *query =
		    g_array_index(barrel, SmackShot, i).query;
		if (query != NULL)
			g_hash_table_add(types, query->type);
	}
	if (g_hash_table_size(types) > MOST)
		smack_mistake(work, reference->word.place,
		    "the barrel of client \"%s\" has queries of %u types, and "
		    "at most %d are counted apart",
		    reference->client->name, g_hash_table_size(types), MOST);
}

static void
find_owner(SmackWork *work, const Reference *reference)
{
	reference->table->client =
	    smack_client(work->smack, reference->word.text);
	if (reference->table->client == NULL)
		smack_mistake(work, reference->word.place,
		    "table \"%s\" names a client \"%s\" that is not in this "
		    "file",
		    reference->table->name, reference->word.text);
}

void
smack_resolve(SmackWork *work)
{
	for (guint i = 0; i < work->references->len; i++) {
		const Reference *reference =
		    g_ptr_array_index(work->references, i);
		if (reference->client == NULL) {
			find_owner(work, reference);
			continue;
		}
		fill_barrel(work, reference);
		check_types(work, reference);
	}
}
