#include "run/workdir.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/client.h"
#include "run/journal.h"

/* Of a list of processes, this much is told. */
enum { LIST_BYTES = 400 };

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

/* The target whose loads run in a directory on a client host; else NULL. */
static const char *
user_of(const Worker *worker)
{
	return client_is_one(worker)
	    ? matrix_host_number(worker_matrix(worker), worker->serves)->name
	    : NULL;
}

static bool
journal(Worker *worker, const char *directory, GError **error)
{
	StoreUndo row = {
		.target = worker->index,
		.kind = (char *)WORKDIR_KIND,
		.name = (char *)directory,
		.new_value = (char *)user_of(worker),
		.scope = (char *)"disk",
		.boot_id = worker->boot_id,
	};

	row.id = store_undo_intend(worker->store, &row, error);
	return row.id != 0 &&
	    store_undo_set(worker->store, row.id, UNDO_DONE, error) &&
	    journal_put_now(worker->store, worker->target, &row, error);
}

/* All values of a key in one line; NULL if there are none.  Free it. */
static char *
list_of(const VerbAnswer *answer, const char *key)
{
	g_autoptr(GPtrArray) values = verb_answer_all(answer, key);

	if (values->len == 0)
		return NULL;
	g_ptr_array_add(values, NULL);
	g_autofree char *list = g_strjoinv(", ", (char **)values->pdata);
	return text_printable(list, LIST_BYTES);
}

/* Loads and servers of another abrun disturb ours, but are not ours. */
static bool
tell_others(Worker *worker, const VerbAnswer *answer, GError **error)
{
	g_autofree char *others = list_of(answer, "other");

	if (others == NULL)
		return true;
	log_info("%s: another abrun runs here, too: %s",
	    worker_host(worker)->name, others);
	return store_event(
	    worker->store, worker->index, "another abrun", others, error);
}

/* What left its load was ended by its mark. */
static bool
tell_left(Worker *worker, const VerbAnswer *answer, GError **error)
{
	g_autofree char *left = list_of(answer, "left");

	if (left == NULL)
		return true;
	log_info("%s: ended what loads had left running: %s",
	    worker_host(worker)->name, left);
	return store_event(
	    worker->store, worker->index, "left running", left, error);
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
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "%s: asked for a work directory, but the answer names none",
		    worker_host(worker)->name);
		return false;
	}
	return journal(worker, worker->work_dir, error) &&
	    tell_others(worker, answer, error);
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
	return tell_left(worker, answer, error);
}

bool
workdir_end_loads(Worker *worker, GError **error)
{
	return worker->work_dir == NULL ||
	    end_loads(worker, worker->work_dir, error);
}

/* One line and an event: it has used the host until now. */
static bool
tell_server(Worker *worker, const char *pid, GError **error)
{
	g_autofree char *others = server_ended_too(worker->control);
	g_autofree char *text = g_strdup_printf("the server, pid %s%s%s", pid,
	    others == NULL ? "" : ", and what it had started: ",
	    others == NULL ? "" : others);

	log_info("%s: stopped what was left running: %s",
	    worker_host(worker)->name, text);
	return store_event(
	    worker->store, worker->index, "left running", text, error);
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
	return server_stop(worker->control, &left, error) &&
	    tell_server(worker, pid, error);
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
		    g_strcmp0(row->new_value, user_of(worker)) != 0 ||
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
