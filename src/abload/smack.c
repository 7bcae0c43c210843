#include "abload/smack.h"

#include <string.h>

#include "abload/smack_work.h"
#include "base/text.h"

static void
free_query(gpointer data)
{
	SmackQuery *query = data;

	g_free(query->name);
	g_free(query->text);
	g_free(query->type);
	g_free(query);
}

static void
free_dictionary(gpointer data)
{
	SmackDictionary *dictionary = data;

	g_free(dictionary->name);
	g_free(dictionary->source);
	g_free(dictionary);
}

static void
free_client(gpointer data)
{
	SmackClient *client = data;

	g_free(client->name);
	g_free(client->user);
	g_free(client->pass);
	g_free(client->db);
	g_free(client->host);
	g_free(client->socket);
	g_array_unref(client->barrel);
	g_free(client);
}

static void
free_table(gpointer data)
{
	SmackTable *table = data;

	g_free(table->name);
	g_free(table->create);
	g_free(table->data_file);
	g_free(table->generator);
	g_free(table);
}

static void
free_statement(gpointer data)
{
	SmackStatement *statement = data;

	g_free(statement->name);
	g_ptr_array_unref(statement->arguments);
	g_free(statement);
}

static Smack *
new_smack(const char *file)
{
	Smack *smack = g_new0(Smack, 1);

	smack->file = g_strdup(file);
	smack->queries = g_ptr_array_new_with_free_func(free_query);
	smack->dictionaries = g_ptr_array_new_with_free_func(free_dictionary);
	smack->clients = g_ptr_array_new_with_free_func(free_client);
	smack->tables = g_ptr_array_new_with_free_func(free_table);
	smack->statements = g_ptr_array_new_with_free_func(free_statement);
	smack->query_names = g_hash_table_new(g_str_hash, g_str_equal);
	smack->dictionary_names = g_hash_table_new(g_str_hash, g_str_equal);
	smack->client_names = g_hash_table_new(g_str_hash, g_str_equal);
	smack->table_names = g_hash_table_new(g_str_hash, g_str_equal);
	return smack;
}

void
smack_free(Smack *smack)
{
	if (smack == NULL)
		return;
	g_hash_table_unref(smack->query_names);
	g_hash_table_unref(smack->dictionary_names);
	g_hash_table_unref(smack->client_names);
	g_hash_table_unref(smack->table_names);
	g_ptr_array_unref(smack->queries);
	g_ptr_array_unref(smack->dictionaries);
	g_ptr_array_unref(smack->clients);
	g_ptr_array_unref(smack->tables);
	g_ptr_array_unref(smack->statements);
	g_free(smack->file);
	g_free(smack);
}

SmackNotes *
smack_notes_new(void)
{
	SmackNotes *notes = g_new0(SmackNotes, 1);

	notes->mistakes = g_ptr_array_new_with_free_func(g_free);
	notes->warnings = g_ptr_array_new_with_free_func(g_free);
	return notes;
}

void
smack_notes_free(SmackNotes *notes)
{
	if (notes == NULL)
		return;
	g_ptr_array_unref(notes->mistakes);
	g_ptr_array_unref(notes->warnings);
	g_free(notes);
}

static void G_GNUC_PRINTF(4, 0) note(GPtrArray *notes, const SmackWork *work,
    SmackPlace place, const char *format, va_list arguments)
{
	g_autofree char *what = g_strdup_vprintf(format, arguments);

	if (notes->len < SMACK_MAX_NOTES)
		g_ptr_array_add(notes,
		    g_strdup_printf("%s:%d:%d: %s", work->file, place.line,
			place.column, what));
	else if (notes->len == SMACK_MAX_NOTES)
		g_ptr_array_add(notes,
		    g_strdup_printf("%s: and more of this kind", work->file));
}

void
smack_mistake(SmackWork *work, SmackPlace place, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	note(work->notes->mistakes, work, place, format, arguments);
	va_end(arguments);
}

void
smack_lossy(SmackWork *work, SmackPlace place, const char *format, ...)
{
	va_list arguments;

	if (work->level == SMACK_COMPAT)
		return;
	va_start(arguments, format);
	note(work->level == SMACK_STRICT ? work->notes->mistakes
					 : work->notes->warnings,
	    work, place, format, arguments);
	va_end(arguments);
}

char *
smack_printable(const char *text, size_t length)
{
	enum { MOST = 60 };
	g_autofree char *copy = g_strndup(text, length);

	return text_printable(
	    length > 0 && copy[0] == '\0' ? "NUL" : copy, MOST);
}

void
smack_word_clear(SmackWord *word)
{
	g_clear_pointer(&word->text, g_free);
}

Smack *
smack_read(const char *file, const char *text, size_t length, SmackLevel level,
    SmackNotes *notes)
{
	SmackWork work = {
		.file = file,
		.level = level,
		.notes = notes,
		.smack = new_smack(file),
		.attributes =
		    g_ptr_array_new_with_free_func(smack_attribute_free),
		.references =
		    g_ptr_array_new_with_free_func(smack_reference_free),
		.string = g_string_new(NULL),
		.skipping = g_string_new(NULL),
		.place = { 1, 1 },
		.began = { 1, 1 },
	};

	if (length > SMACK_MAX_BYTES)
		smack_mistake(&work, work.place,
		    "a script of %zu bytes; at "
		    "most %d are read",
		    length, SMACK_MAX_BYTES);
	else if (!smack_parse(&work, text, length) && notes->mistakes->len == 0)
		smack_mistake(&work, work.place, "it cannot be read");
	if (notes->mistakes->len == 0) {
		smack_resolve(&work);
		smack_main_check(&work);
	}
	g_ptr_array_unref(work.attributes);
	g_ptr_array_unref(work.references);
	(void)g_string_free(work.string, TRUE);
	(void)g_string_free(work.skipping, TRUE);
	if (notes->mistakes->len == 0)
		return work.smack;
	smack_free(work.smack);
	return NULL;
}

const SmackQuery *
smack_query(const Smack *smack, const char *name)
{
	return g_hash_table_lookup(smack->query_names, name);
}

const SmackDictionary *
smack_dictionary(const Smack *smack, const char *name)
{
	return g_hash_table_lookup(smack->dictionary_names, name);
}

const SmackClient *
smack_client(const Smack *smack, const char *name)
{
	return g_hash_table_lookup(smack->client_names, name);
}
