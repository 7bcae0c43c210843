#include "run/undo.h"

#include <string.h>

#include "base/failure.h"
#include "run/undo_work.h"
#include "target/startup.h"

enum { STOP_MARGIN_MS = 10000 };

bool
undo_is_server(const StoreUndo *row)
{
	return strcmp(row->kind, UNDO_KIND_SERVER) == 0 ||
	    strcmp(row->kind, UNDO_KIND_SERVICE) == 0;
}

static char *
address_of(const Server *server)
{
	return server->socket != NULL
	    ? g_strdup_printf("socket %s", server->socket)
	    : g_strdup_printf("tcp %d", startup_port(server));
}

bool
undo_server_intend(Store *store, size_t target_index, const char *boot_id,
    const Server *server, GError **error)
{
	g_autofree char *address = address_of(server);
	const StoreUndo row = {
		.target = target_index,
		.kind = (char *)UNDO_KIND_SERVER,
		.name = address,
		.old_value = server->stop,
		.scope = (char *)"boot",
		.boot_id = (char *)boot_id,
	};
	const int64_t id = store_undo_intend(store, &row, error);

	return id != 0 && store_undo_set(store, id, UNDO_DONE, error);
}

bool
undo_server_stopped(Store *store, size_t target_index, GError **error)
{
	g_autoptr(GPtrArray) rows = store_undo_open(store, target_index, error);

	if (rows == NULL)
		return false;
	for (guint i = 0; i < rows->len; i++) {
		const StoreUndo *row = rows->pdata[i];
		if (strcmp(row->kind, UNDO_KIND_SERVER) == 0 &&
		    !store_undo_set(store, row->id, UNDO_UNDONE, error))
			return false;
	}
	return true;
}

static bool
is_journalled(const GPtrArray *rows, const char *service)
{
	for (guint i = 0; i < rows->len; i++) {
		const StoreUndo *row = rows->pdata[i];
		if (strcmp(row->kind, UNDO_KIND_SERVICE) == 0 &&
		    strcmp(row->name, service) == 0)
			return true;
	}
	return false;
}

bool
undo_service_intend(Store *store, Target *target, size_t target_index,
    const char *boot_id, const char *service, GError **error)
{
	g_autoptr(GPtrArray) rows = store_undo_open(store, target_index, error);

	if (rows == NULL)
		return false;
	if (is_journalled(rows, service))
		return true;
	g_autoptr(VerbAnswer) found = target_ask(
	    target, deadline_in(UNDO_CALL_MS), error, "service", service, NULL);
	if (found == NULL)
		return false;
	const char *was = verb_answer_get(found, "was");
	if (was == NULL) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_VERIFY,
		    "whether the service %s runs is not told", service);
		return false;
	}
	const StoreUndo row = {
		.target = target_index,
		.kind = (char *)UNDO_KIND_SERVICE,
		.name = (char *)service,
		.old_value = (char *)was,
		.scope = (char *)"boot",
		.boot_id = (char *)boot_id,
	};
	const int64_t id = store_undo_intend(store, &row, error);
	return id != 0 && store_undo_set(store, id, UNDO_DONE, error);
}

/* Its own settings again, and running or not as it was. */
static bool
restore_service(const UndoWork *work, const StoreUndo *row,
    UndoTroubles *troubles, bool *restored, GError **error)
{
	g_autofree char *limit = g_strdup_printf("%d", UNDO_COMMAND_MS);
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GError) failure = NULL;

	verb_call_add(
	    call, "service_restore", row->name, row->old_value, limit, NULL);
	if (!target_call(work->target, call,
		deadline_in(2 * UNDO_COMMAND_MS + STOP_MARGIN_MS), &answers,
		error))
		return false;
	*restored = verb_answer_check(answers->pdata[0], &failure);
	if (!*restored)
		undo_troubles_add(troubles,
		    g_strdup_printf("the service %s, which was %s, cannot be "
				    "put back: %s",
			row->name, row->old_value, failure->message));
	return true;
}

/* Whoever listens is taken for ours: nobody else could while ours ran. */
static bool
is_listening(
    const UndoWork *work, const StoreUndo *row, bool *listens, GError **error)
{
	g_auto(GStrv) words = g_strsplit(row->name, " ", 2);
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	verb_call_addv(call, "owner", (const char *const *)words);
	if (!target_call(
		work->target, call, deadline_in(UNDO_CALL_MS), &answers, error))
		return false;
	const VerbAnswer *answer = answers->pdata[0];
	*listens = answer->status != VERB_ABSENT;
	return true;
}

/* Runs the stop command; false only when the host cannot be asked. */
static bool
run_stop(const UndoWork *work, const StoreUndo *row, UndoTroubles *troubles,
    bool *stopped, GError **error)
{
	g_autofree char *dir = undo_directory(work, error);
	g_autofree char *limit = g_strdup_printf("%d", UNDO_COMMAND_MS);
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GError) failure = NULL;

	if (dir == NULL)
		return false;
	verb_call_add(call, "server_run", dir, "stop", limit, "", "0",
	    row->old_value, NULL);
	if (work->work_dir == NULL)
		verb_call_add(call, "remove_workdir", dir, NULL);
	if (!target_call(work->target, call,
		deadline_in(UNDO_COMMAND_MS + STOP_MARGIN_MS), &answers, error))
		return false;
	*stopped = verb_answer_check(answers->pdata[0], &failure);
	if (!*stopped)
		undo_troubles_add(troubles,
		    g_strdup_printf("a server listens at %s, and server.stop "
				    "does not stop it: %s",
			row->name, failure->message));
	return true;
}

static bool
stop_one(UndoWork *work, const StoreUndo *row, UndoTroubles *troubles,
    GError **error)
{
	bool listens = false, stopped = true;

	if (strcmp(row->kind, UNDO_KIND_SERVICE) == 0) {
		if (!restore_service(work, row, troubles, &stopped, error))
			return false;
	} else if (!is_listening(work, row, &listens, error) ||
	    (listens && !run_stop(work, row, troubles, &stopped, error)))
		return false;
	return !stopped ||
	    store_undo_set(work->store, row->id, UNDO_UNDONE, error);
}

bool
undo_servers(UndoWork *work, GError **error)
{
	g_auto(UndoTroubles) troubles;

	undo_troubles_init(&troubles, FAILURE_UNDO_FAILED);
	for (guint i = 0; i < work->rows->len; i++) {
		const StoreUndo *row = work->rows->pdata[i];
		if (undo_is_server(row) &&
		    !stop_one(work, row, &troubles, error))
			return false;
	}
	return undo_troubles_end(&troubles, work, error);
}
