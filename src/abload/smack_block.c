#include "abload/smack_work.h"

#include <string.h>

#include "base/text.h"

/* The lines that a block may have, as the language has them. */
static const char *const query_lines[] = { "query", "type", "has_result_set",
	"parsed", NULL };
static const char *const dictionary_lines[] = { "type", "source_type", "source",
	"delim", "file_size_equiv", NULL };
static const char *const client_lines[] = { "user", "pass", "db", "host",
	"port", "socket", "query_barrel", NULL };
static const char *const table_lines[] = { "client", "create", "min_rows",
	"data_file", "gen_data_file", NULL };

static const char *const *
lines_of(const char *block)
{
	switch (block[0]) {
	case 'q':
		return query_lines;
	case 'd':
		return dictionary_lines;
	case 'c':
		return client_lines;
	default:
		return table_lines;
	}
}

void
smack_attribute_free(gpointer data)
{
	SmackAttribute *attribute = data;

	g_free(attribute->name);
	smack_word_clear(&attribute->value);
	g_free(attribute);
}

void
smack_block_line(SmackWork *work, SmackWord *name, SmackWord *value)
{
	const char *const *lines = lines_of(work->block);
	SmackAttribute *attribute = g_new0(SmackAttribute, 1);

	attribute->name = g_steal_pointer(&name->text);
	attribute->value.text = g_steal_pointer(&value->text);
	attribute->value.place = value->place;
	if (!g_strv_contains(lines, attribute->name)) {
		const char *near = text_nearest(attribute->name, lines);
		smack_mistake(work, name->place,
		    "a %s has no line \"%s\"%s%s%s", work->block,
		    attribute->name, near == NULL ? "" : ", did you mean \"",
		    near == NULL ? "" : near, near == NULL ? "" : "\"?");
	}
	g_ptr_array_add(work->attributes, attribute);
}

/* The last one counts, as in the original; NULL if there is none. */
static SmackWord *
find(const SmackWork *work, const char *name)
{
	for (guint i = work->attributes->len; i > 0; i--) {
		SmackAttribute *attribute =
		    g_ptr_array_index(work->attributes, i - 1);
		if (strcmp(attribute->name, name) == 0)
			return &attribute->value;
	}
	return NULL;
}

static char *
take(SmackWork *work, const char *name, const char *otherwise)
{
	SmackWord *word = find(work, name);

	return word == NULL || word->text == NULL
	    ? g_strdup(otherwise)
	    : g_steal_pointer(&word->text);
}

static bool
is_yes(const SmackWork *work, const char *name)
{
	const SmackWord *word = find(work, name);

	return word != NULL && (word->text[0] == 'y' || word->text[0] == 'Y');
}

static uint64_t
take_number(SmackWork *work, const char *name, int64_t most)
{
	const SmackWord *word = find(work, name);
	int64_t value = 0;

	if (word == NULL)
		return 0;
	if (!text_parse_int(word->text, 0, most, &value, NULL))
		smack_mistake(work, word->place,
		    "%s wants a number from 0 to %" G_GINT64_FORMAT
		    ", not \"%s\"",
		    name, most, word->text);
	return (uint64_t)value;
}

/* The index of a word in a list, or 0 with a mistake. */
static size_t
take_word(SmackWork *work, const char *name, const char *const *words)
{
	const SmackWord *word = find(work, name);

	if (word == NULL)
		return 0;
	for (size_t i = 0; words[i] != NULL; i++)
		if (strcmp(word->text, words[i]) == 0)
			return i;
	g_autofree char *list = g_strjoinv(", ", (char **)(uintptr_t)words);
	smack_mistake(work, word->place, "%s wants one of %s, not \"%s\"", name,
	    list, word->text);
	return 0;
}

static void
want(SmackWork *work, const SmackWord *name, const char *line)
{
	if (find(work, line) == NULL)
		smack_mistake(work, name->place, "%s \"%s\" has no line %s",
		    work->block, name->text, line);
}

static void
end_query(SmackWork *work, SmackWord *name)
{
	want(work, name, "query");
	const SmackWord *text = find(work, "query");
	SmackQuery *query = g_new0(SmackQuery, 1);
	query->result_set = is_yes(work, "has_result_set");
	query->substituted = is_yes(work, "parsed");
	query->text = take(work, "query", "");
	query->type = take(work, "type", name->text);
	query->name = g_steal_pointer(&name->text);
	query->place = text == NULL ? name->place : text->place;
	query->index = work->smack->queries->len;
	g_ptr_array_add(work->smack->queries, query);
	g_hash_table_insert(work->smack->query_names, query->name, query);
}

static void
end_dictionary(SmackWork *work, SmackWord *name)
{
	static const char *const orders[] = { "rand", "seq", "unique", NULL };
	static const char *const kinds[] = { "file", "list", "template", NULL };

	want(work, name, "source");
	const SmackWord *source = find(work, "source");
	SmackDictionary *dictionary = g_new0(SmackDictionary, 1);
	dictionary->place = source == NULL ? name->place : source->place;
	dictionary->order = (SmackOrder)take_word(work, "type", orders);
	dictionary->kind = (SmackSource)take_word(work, "source_type", kinds);
	dictionary->equivalent =
	    take_number(work, "file_size_equiv", INT32_MAX);
	g_autofree char *delimiter = take(work, "delim", "\n");
	dictionary->delimiter = delimiter[0];
	dictionary->source = take(work, "source", "");
	if ((dictionary->order == SMACK_UNIQUE) !=
	    (dictionary->kind == SMACK_TEMPLATE)) {
		if (dictionary->order == SMACK_UNIQUE)
			smack_lossy(work, name->place,
			    "the source of a unique dictionary is always a "
			    "template");
		else
			smack_mistake(work, name->place,
			    "only a unique dictionary has a template for its "
			    "source");
		dictionary->kind = SMACK_TEMPLATE;
	}
	dictionary->name = g_steal_pointer(&name->text);
	dictionary->index = work->smack->dictionaries->len;
	g_ptr_array_add(work->smack->dictionaries, dictionary);
	g_hash_table_insert(
	    work->smack->dictionary_names, dictionary->name, dictionary);
}

static void
end_client(SmackWork *work, SmackWord *name)
{
	SmackClient *client = g_new0(SmackClient, 1);

	client->user = take(work, "user", "");
	client->pass = take(work, "pass", "");
	client->db = take(work, "db", "");
	client->host = take(work, "host", "");
	client->socket = take(work, "socket", "");
	const SmackWord *port = find(work, "port");
	if (port != NULL && port->text[0] != '\0')
		client->port = (unsigned)take_number(work, "port", UINT16_MAX);
	client->barrel = g_array_new(FALSE, TRUE, sizeof(SmackShot));
	client->name = g_steal_pointer(&name->text);
	g_ptr_array_add(work->smack->clients, client);
	g_hash_table_insert(work->smack->client_names, client->name, client);
	/* Its queries may come later in the file. */
	SmackWord *barrel = find(work, "query_barrel");
	if (barrel != NULL)
		smack_barrel_add(work, client, barrel);
}

static void
end_table(SmackWork *work, SmackWord *name)
{
	want(work, name, "client");
	want(work, name, "create");
	SmackTable *table = g_new0(SmackTable, 1);
	table->rows = take_number(work, "min_rows", INT64_MAX);
	table->create = take(work, "create", "");
	table->data_file = take(work, "data_file", "");
	table->generator = take(work, "gen_data_file", "");
	table->name = g_steal_pointer(&name->text);
	g_ptr_array_add(work->smack->tables, table);
	g_hash_table_insert(work->smack->table_names, table->name, table);
	SmackWord *client = find(work, "client");
	if (client != NULL)
		smack_owner_add(work, table, client);
}

static bool
is_known(const SmackWork *work, const SmackWord *name)
{
	const Smack *smack = work->smack;

	switch (work->block[0]) {
	case 'q':
		return g_hash_table_contains(smack->query_names, name->text);
	case 'd':
		return g_hash_table_contains(
		    smack->dictionary_names, name->text);
	case 'c':
		return g_hash_table_contains(smack->client_names, name->text);
	default:
		return g_hash_table_contains(smack->table_names, name->text);
	}
}

void
smack_block_end(SmackWork *work, SmackWord *name)
{
	if (name->text[0] == '\0')
		smack_mistake(
		    work, name->place, "a %s without a name", work->block);
	if (is_known(work, name))
		smack_mistake(work, name->place, "there is a %s \"%s\" already",
		    work->block, name->text);
	switch (work->block[0]) {
	case 'q':
		end_query(work, name);
		break;
	case 'd':
		end_dictionary(work, name);
		break;
	case 'c':
		end_client(work, name);
		break;
	default:
		end_table(work, name);
	}
	g_ptr_array_set_size(work->attributes, 0);
	smack_word_clear(name);
}
