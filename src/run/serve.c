#include "run/serve.h"

#include "run/undo.h"

/* Where nothing of ours may run any more, nothing is left to be stopped. */
static bool
settle(Worker *worker, GError **error)
{
	return server_may_run(worker->control) ||
	    undo_server_stopped(worker->store, worker->index, error);
}

/*
 * A server that only its stop command stops needs a row before it is started,
 * but not where somebody else listens: that is not ours to stop.
 */
static bool
intend(Worker *worker, GError **error)
{
	g_autoptr(GError) failure = NULL;
	const bool clear =
	    server_clear(worker->control, worker->work_dir, &failure);

	if (!settle(worker, error))
		return false;
	if (!clear) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	return undo_server_intend(worker->store, worker->index, worker->boot_id,
	    &worker->server, error);
}

bool
serve_start(Worker *worker, const GPtrArray *settings, GError **error)
{
	const bool command = worker->server.kind == SERVER_OTHER;
	g_autoptr(GError) failure = NULL;

	if (worker->control == NULL)
		return true;
	if (command && !intend(worker, error))
		return false;
	if (worker->server.kind == SERVER_SERVICE &&
	    !undo_service_intend(worker->store, worker->target, worker->index,
		worker->boot_id, worker->server.service, error))
		return false;
	if (server_start(worker->control, settings, worker->subjects,
		worker->work_dir, &worker->life, &failure))
		return true;
	if (command && !settle(worker, error))
		return false;
	g_propagate_error(error, g_steal_pointer(&failure));
	return false;
}

bool
serve_stop(Worker *worker, GError **error)
{
	if (worker->control == NULL || worker->life.pid == 0)
		return true;
	server_set_directory(worker->control, worker->work_dir);
	return server_stop(worker->control, &worker->life, error) &&
	    (worker->server.kind != SERVER_OTHER ||
		undo_server_stopped(worker->store, worker->index, error));
}
