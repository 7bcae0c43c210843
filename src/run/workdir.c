#include "run/workdir.h"

#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"

static StoreUndo *
find_row(const GPtrArray *rows, const char *directory)
{
	for (guint i = 0; i < rows->len; i++) {
		StoreUndo *row = rows->pdata[i];
		if (strcmp(row->kind, WORKDIR_KIND) == 0 &&
		    strcmp(row->name, directory) == 0)
			return row;
	}
	return NULL;
}

static bool
journal(Worker *worker, const char *directory, GError **error)
{
	const StoreUndo row = {
		.target = worker->index,
		.kind = (char *)WORKDIR_KIND,
		.name = (char *)directory,
		.scope = (char *)"disk",
		.boot_id = worker->boot_id,
	};
	const int64_t id = store_undo_intend(worker->store, &row, error);

	return id != 0 && store_undo_set(worker->store, id, UNDO_DONE, error);
}

bool
workdir_make(Worker *worker, GError **error)
{
	if (worker->work_dir != NULL)
		return true;
	g_autoptr(VerbAnswer) answer = target_ask(
	    worker->target, worker_deadline(), error, "workdir", NULL);
	if (answer == NULL)
		return false;
	worker->work_dir = g_strdup(verb_answer_get(answer, "dir"));
	if (worker->work_dir == NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "%s: asked for a work directory, but the answer names none",
		    worker_host(worker)->name);
		return false;
	}
	return journal(worker, worker->work_dir, error);
}

static bool
end_loads(Worker *worker, const char *directory, GError **error)
{
	g_autoptr(VerbAnswer) answer = target_ask(worker->target,
	    worker_deadline(), error, "load_kill", directory, NULL);

	if (answer == NULL)
		return false;
	g_autoptr(GPtrArray) stopped = verb_answer_all(answer, "stopped");
	for (guint i = 0; i < stopped->len; i++)
		log_info("%s: ended a load that still ran in %s",
		    worker_host(worker)->name, (const char *)stopped->pdata[i]);
	return true;
}

bool
workdir_end_loads(Worker *worker, GError **error)
{
	return worker->work_dir == NULL ||
	    end_loads(worker, worker->work_dir, error);
}

static bool
end_server(Worker *worker, const char *directory, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_auto(ServerLife) left = { 0 };

	verb_call_add(call, "server_left", directory, NULL);
	if (!target_call(
		worker->target, call, worker_deadline(), &answers, error))
		return false;
	const VerbAnswer *answer = answers->pdata[0];
	const char *pid = verb_answer_get(answer, "pid");
	if (answer->status == VERB_ABSENT)
		return true;
	if (!verb_answer_check(answer, error) ||
	    !text_parse_int(
		pid == NULL ? "" : pid, 1, INT32_MAX, &left.pid, error))
		return false;
	left.start = g_strdup(verb_answer_get(answer, "start"));
	log_info("%s: stopping the server that was left running, pid %s",
	    worker_host(worker)->name, pid);
	return server_stop(worker->control, &left, error);
}

bool
workdir_end_server(Worker *worker, GError **error)
{
	return worker->work_dir == NULL || worker->control == NULL ||
	    end_server(worker, worker->work_dir, error);
}

/* The directory is gone, and its row says so. */
static bool
remove_directory(Worker *worker, const char *directory, GError **error)
{
	g_autoptr(VerbAnswer) removed = target_ask(worker->target,
	    worker_deadline(), error, "remove_workdir", directory, NULL);
	g_autoptr(GPtrArray) rows = removed == NULL
	    ? NULL
	    : store_undo_open(worker->store, worker->index, error);

	if (rows == NULL)
		return false;
	const StoreUndo *row = find_row(rows, directory);
	return row == NULL ||
	    store_undo_set(worker->store, row->id, UNDO_UNDONE, error);
}

bool
workdir_remove(Worker *worker, GError **error)
{
	if (worker->work_dir == NULL)
		return true;
	if (!remove_directory(worker, worker->work_dir, error))
		return false;
	g_clear_pointer(&worker->work_dir, g_free);
	return true;
}

/* Processes are of the boot on which they were started. */
static bool
clear_one(Worker *worker, const StoreUndo *row, GError **error)
{
	const bool alive = g_strcmp0(row->boot_id, worker->boot_id) == 0;

	if (alive &&
	    (!end_loads(worker, row->name, error) ||
		(worker->control != NULL &&
		    !end_server(worker, row->name, error))))
		return false;
	return remove_directory(worker, row->name, error);
}

bool
workdir_clear_old(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) rows =
	    store_undo_open(worker->store, worker->index, error);

	if (rows == NULL)
		return false;
	for (guint i = 0; i < rows->len; i++) {
		const StoreUndo *row = rows->pdata[i];
		g_autoptr(GError) failure = NULL;
		if (strcmp(row->kind, WORKDIR_KIND) != 0 ||
		    g_strcmp0(row->name, worker->work_dir) == 0 ||
		    clear_one(worker, row, &failure))
			continue;
		if (!g_error_matches(
			failure, ABRUN_ERROR, ABRUN_ERROR_FAILED)) {
			g_propagate_error(error, g_steal_pointer(&failure));
			return false;
		}
		log_error("%s: %s, of an interrupted run, cannot be cleared "
			  "away: %s",
		    worker_host(worker)->name, row->name,
		    worker_reason(worker, failure));
	}
	return true;
}
