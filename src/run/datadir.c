#include "run/datadir.h"

#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "run/journal.h"

/* A large database on a slow disk. */
enum { COPY_MS = 4 * 3600 * 1000, REMOVE_MS = 3600 * 1000 };

static bool
is_kept(const GPtrArray *rows, const char *directory)
{
	for (guint i = 0; i < rows->len; i++) {
		const StoreUndo *row = rows->pdata[i];
		if (strcmp(row->kind, DATADIR_KIND) == 0 &&
		    strcmp(row->name, directory) == 0)
			return true;
	}
	return false;
}

/* Before anything is there: a row that is not needed does no harm. */
static bool
journal(Worker *worker, const Server *server, GError **error)
{
	g_autoptr(GPtrArray) rows =
	    store_undo_open(worker->store, worker->index, error);
	StoreUndo row = {
		.target = worker->index,
		.kind = (char *)DATADIR_KIND,
		.name = server->datadir,
		.new_value = server->datadir_from,
		.scope = (char *)"disk",
		.boot_id = worker->boot_id,
	};

	if (rows == NULL)
		return false;
	if (is_kept(rows, server->datadir))
		return true;
	row.id = store_undo_intend(worker->store, &row, error);
	return row.id != 0 &&
	    journal_put_now(worker->store, worker->target, &row, error) &&
	    store_undo_set(worker->store, row.id, UNDO_DONE, error);
}

bool
datadir_refresh(Worker *worker, GError **error)
{
	const Server *server = &worker_matrix(worker)->server;

	if (worker->control == NULL || server->datadir_from == NULL)
		return true;
	if (!server_clear(worker->control, worker->work_dir, error) ||
	    !journal(worker, server, error))
		return false;
	log_verbose("%s: copying %s to %s", worker_host(worker)->name,
	    server->datadir_from, server->datadir);
	g_autoptr(VerbAnswer) answer =
	    target_ask(worker->target, deadline_in(COPY_MS), error,
		"datadir_copy", server->datadir_from, server->datadir, NULL);
	return answer != NULL;
}

static bool
remove_one(Worker *worker, const StoreUndo *row, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	verb_call_add(call, "datadir_remove", row->name, NULL);
	if (!target_call(
		worker->target, call, deadline_in(REMOVE_MS), &answers, error))
		return false;
	const VerbAnswer *answer = answers->pdata[0];
	return (answer->status == VERB_ABSENT ||
		   verb_answer_check(answer, error)) &&
	    store_undo_set(worker->store, row->id, UNDO_UNDONE, error);
}

bool
datadir_remove(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) rows =
	    store_undo_open(worker->store, worker->index, error);

	if (rows == NULL)
		return false;
	for (guint i = 0; i < rows->len; i++) {
		const StoreUndo *row = rows->pdata[i];
		if (strcmp(row->kind, DATADIR_KIND) == 0 &&
		    !remove_one(worker, row, error)) {
			g_prefix_error(
			    error, "the copy of the data directory stays: ");
			return false;
		}
	}
	return true;
}
