#include "run/worker.h"

#include "base/failure.h"
#include "base/log.h"
#include "run/client.h"
#include "run/power_back.h"
#include "run/prepare.h"

/* Between two tries to reach a host that must be put back. */
enum { AGAIN_MS = 2000 };

void
worker_give_up_storing(Worker *worker)
{
	g_autoptr(GError) failure = NULL;

	cancel_request(worker->work);
	if (!store_go_on_in_memory(worker->store, &failure))
		log_error("%s: %s", worker_host(worker)->name,
		    worker_reason(worker, failure));
}

/* With a session of its own: the one before may have been cancelled. */
static bool
put_back(Worker *worker, GError **error)
{
	g_autoptr(GError) lost = NULL;

	if (!worker_connect_alone(worker, worker->cleanup, error))
		return false;
	/* Without its client host a target is put back all the same. */
	(void)client_connect(worker, worker->cleanup, &lost);
	if (!prepare_finish(worker, error))
		return false;
	if (lost == NULL)
		return true;
	g_propagate_error(error, g_steal_pointer(&lost));
	return false;
}

/*
 * Whether its power is the last way.  Where the host lets us in it is put back
 * once more, which *done tells; else *failure is what keeps us from it.
 */
static bool
is_last_way(Worker *worker, bool *done, GError **failure)
{
	GError *why = NULL;
	const PowerNeed need = power_need(worker, worker->cleanup, &why);

	if (need == POWER_NO_WAY)
		return false;
	g_clear_error(failure);
	if (need == POWER_NOT_NEEDED)
		*done = put_back(worker, failure);
	else
		*failure = why;
	return need == POWER_LAST_WAY;
}

/*
 * A host that cannot be reached while another kernel than its default may run
 * there: it is waited for as in the midst of the night, and then its power is
 * cut.
 */
static bool
put_back_by_power(Worker *worker, GError **failure)
{
	const Deadline deadline = deadline_in(worker_host(worker)->patience_ms);
	bool done = false;

	if (failure_of(*failure) != FAILURE_HOST_LOST || !worker->rebooted ||
	    !is_last_way(worker, &done, failure))
		return done;
	while (failure_of(*failure) == FAILURE_HOST_LOST &&
	    !deadline_passed(deadline)) {
		if (!cancel_sleep(worker->cleanup, deadline_in(AGAIN_MS), NULL))
			return false;
		g_clear_error(failure);
		if (put_back(worker, failure))
			return true;
	}
	if (failure_of(*failure) != FAILURE_HOST_LOST ||
	    !is_last_way(worker, &done, failure))
		return done;
	g_clear_error(failure);
	return power_bring_back(worker, failure) && put_back(worker, failure);
}

void
worker_finish(Worker *worker)
{
	g_autoptr(GError) failure = NULL;

	/* Never got in, or no further: there is nothing to undo. */
	if (!worker->rebooted &&
	    (worker->boot_id == NULL ||
		(worker->work_dir == NULL && !store_undo_due(worker->store))))
		return;
	(void)(put_back(worker, &failure) ||
	    put_back_by_power(worker, &failure));
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE)) {
		worker_give_up_storing(worker);
		if (worker->end == NULL)
			worker->end = g_steal_pointer(&failure);
		g_clear_error(&failure);
		(void)(put_back(worker, &failure) ||
		    put_back_by_power(worker, &failure));
	}
	if (failure != NULL) {
		log_error("%s: not everything could be undone: %s",
		    worker_host(worker)->name, worker_reason(worker, failure));
		(void)store_event(worker->store, worker->index, "not undone",
		    worker_reason(worker, failure), NULL);
	}
	worker_disconnect(worker);
	g_clear_pointer(&worker->lock, host_lock_free);
}
