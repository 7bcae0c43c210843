#include "run/journal.h"

#include <string.h>

#include "base/failure.h"
#include "base/text.h"
#include "run/undo_work.h"

/* Of one name in a message, and how many changes are named there. */
enum { SHOWN_BYTES = 300, SHOWN_ROWS = 5 };

static void
entry_free(gpointer data)
{
	JournalEntry *entry = data;

	g_free(entry->run);
	g_free(entry->id);
	journal_row_free(entry->row);
	g_free(entry);
}

bool
journal_put(VerbCall *call, Store *store, const StoreUndo *row)
{
	g_autofree char *run =
	    store_host_fact(store, row->target, JOURNAL_TOKEN);

	if (run == NULL)
		return false;
	g_autofree char *directory =
	    g_canonicalize_filename(store_directory(store), NULL);
	const JournalRow kept = {
		.undo = *row,
		.controller = (char *)g_get_host_name(),
		.user = (char *)g_get_user_name(),
		.directory = directory,
	};
	g_autofree char *text = journal_text(&kept);
	g_autofree char *id = g_strdup_printf("%" G_GINT64_FORMAT, row->id);
	verb_call_add(call, "journal_put", run, id, row->scope, text, NULL);
	return true;
}

/* A command without an undo was run for good. */
static bool
can_be_undone(const StoreUndo *row)
{
	return row->old_value != NULL ||
	    strcmp(row->kind, setting_kind_name(SETTING_COMMAND)) != 0;
}

bool
journal_keep(VerbCall *call, Store *store, size_t target, GError **error)
{
	g_autofree char *run = store_host_fact(store, target, JOURNAL_TOKEN);
	g_autoptr(GPtrArray) rows = store_undo_open(store, target, error);
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

	if (rows == NULL)
		return false;
	if (run == NULL)
		return true;
	g_ptr_array_add(words, g_strdup(run));
	for (guint i = 0; i < rows->len; i++) {
		const StoreUndo *row = rows->pdata[i];
		if (row->state != UNDO_FOREIGN && can_be_undone(row))
			g_ptr_array_add(words,
			    g_strdup_printf("%" G_GINT64_FORMAT, row->id));
	}
	g_ptr_array_add(words, NULL);
	verb_call_addv(call, "journal_keep", (const char *const *)words->pdata);
	return true;
}

/* Calls, and all verbs must be done. */
static bool
carry_out(Target *target, const VerbCall *call, GError **error)
{
	g_autoptr(GPtrArray) answers = NULL;

	if (verb_call_length(call) == 0)
		return true;
	if (!target_call(
		target, call, deadline_in(UNDO_CALL_MS), &answers, error))
		return false;
	for (guint i = 0; i < answers->len; i++)
		if (!verb_answer_check(answers->pdata[i], error)) {
			g_prefix_error(
			    error, "%s: ", target_host(target)->name);
			return false;
		}
	return true;
}

bool
journal_put_now(
    Store *store, Target *target, const StoreUndo *row, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();

	(void)journal_put(call, store, row);
	return carry_out(target, call, error);
}

bool
journal_keep_now(Store *store, Target *target, size_t index, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();

	return journal_keep(call, store, index, error) &&
	    carry_out(target, call, error);
}

bool
journal_keep_only(
    Target *target, const char *run, const GPtrArray *ids, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	g_ptr_array_add(words, (gpointer)run);
	for (guint i = 0; i < ids->len; i++)
		g_ptr_array_add(words, ids->pdata[i]);
	g_ptr_array_add(words, NULL);
	verb_call_addv(call, "journal_keep", (const char *const *)words->pdata);
	return carry_out(target, call, error);
}

GPtrArray *
journal_list(Target *target, GError **error)
{
	g_autoptr(VerbAnswer) answer = target_ask(
	    target, deadline_in(UNDO_CALL_MS), error, "journal_list", NULL);

	if (answer == NULL)
		return NULL;
	g_autoptr(GPtrArray) runs = verb_answer_all(answer, "run");
	g_autoptr(GPtrArray) ids = verb_answer_all(answer, "row");
	g_autoptr(GPtrArray) texts = verb_answer_all(answer, "text");
	GPtrArray *entries = g_ptr_array_new_with_free_func(entry_free);
	for (guint i = 0; i < MIN(runs->len, MIN(ids->len, texts->len)); i++) {
		JournalEntry *entry = g_new0(JournalEntry, 1);
		entry->run = g_strdup(runs->pdata[i]);
		entry->id = g_strdup(ids->pdata[i]);
		entry->row = journal_row_parse(texts->pdata[i]);
		g_ptr_array_add(entries, entry);
	}
	return entries;
}

bool
journal_is_open(const JournalEntry *entry, const char *boot_id)
{
	const JournalRow *row = entry->row;

	return row != NULL &&
	    (strcmp(row->undo.scope, "disk") == 0 ||
		g_strcmp0(row->undo.boot_id, boot_id) == 0);
}

/* "run directory X of U on C: A; B; and 3 more" for all rows of one run. */
static char *
tell_run(
    const GPtrArray *entries, const JournalEntry *first, const char *boot_id)
{
	g_autofree char *directory = text_printable(
	    first->row->directory != NULL ? first->row->directory : "?",
	    SHOWN_BYTES);
	g_autofree char *user = text_printable(
	    first->row->user != NULL ? first->row->user : "?", SHOWN_BYTES);
	g_autofree char *controller = text_printable(
	    first->row->controller != NULL ? first->row->controller : "?",
	    SHOWN_BYTES);
	g_autoptr(GString) text = g_string_new(NULL);
	guint n = 0;

	for (guint i = 0; i < entries->len; i++) {
		const JournalEntry *entry = entries->pdata[i];
		if (strcmp(entry->run, first->run) != 0 ||
		    !journal_is_open(entry, boot_id) || ++n > SHOWN_ROWS)
			continue;
		g_autofree char *words = journal_words(&entry->row->undo);
		g_string_append_printf(
		    text, "%s%s", text->len == 0 ? "" : "; ", words);
	}
	if (n > SHOWN_ROWS)
		g_string_append_printf(text, "; and %u more", n - SHOWN_ROWS);
	return g_strdup_printf("run directory %s of %s on %s: %s", directory,
	    user, controller, text->str);
}

bool
journal_check(Worker *worker, GError **error)
{
	if (worker->unchanged)
		return true;
	g_autofree char *ours =
	    store_host_fact(worker->store, worker->index, JOURNAL_TOKEN);
	g_autoptr(GPtrArray) entries = journal_list(worker->target, error);
	if (entries == NULL)
		return false;
	for (guint i = 0; i < entries->len; i++) {
		const JournalEntry *entry = entries->pdata[i];
		if (g_strcmp0(entry->run, ours) == 0 ||
		    !journal_is_open(entry, worker->boot_id))
			continue;
		g_autofree char *words =
		    tell_run(entries, entry, worker->boot_id);
		failure_set(error, FAILURE_LEFT_CHANGED, ABRUN_ERROR_HOST,
		    "%s: still changed by another run, %s; go on with that "
		    "run, or undo it by abrun restore of its directory or, "
		    "where that is gone, by abrun restore --matrix %s %s",
		    worker_host(worker)->name, words,
		    worker_matrix(worker)->path, worker_host(worker)->name);
		return false;
	}
	worker->unchanged = true;
	return true;
}
