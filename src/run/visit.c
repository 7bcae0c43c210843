#include "run/visit.h"

#include "base/failure.h"
#include "base/log.h"
#include "run/client.h"
#include "run/datadir.h"
#include "run/during.h"
#include "run/lock.h"
#include "run/measure.h"
#include "run/monitor.h"
#include "run/prove.h"
#include "run/serve.h"
#include "run/state.h"
#include "run/undo.h"
#include "run/watch.h"
#include "run/workdir.h"

/* What dies at its start has died by then. */
enum { REHEARSED_MS = 500 };

bool
visit_reach(Worker *worker, GError **error)
{
	if (!cancel_check(worker->work, error) ||
	    (worker->target == NULL &&
		!worker_connect(worker, worker->work, error)) ||
	    !lock_host(worker, error) || !client_lock(worker, error))
		return false;
	/* Nothing is measured beside it. */
	if (worker->unsettled &&
	    (!workdir_end_loads(worker, error) ||
		!during_forget(worker, error) ||
		!client_end_loads(worker, error)))
		return false;
	monitors_forget(worker);
	worker->unsettled = false;
	return true;
}

static bool
configure(Worker *worker, const Visit *visit, GError **error)
{
	return undo_apply(worker->store, worker->target, worker->index,
		   visit->settings, worker->subjects, worker->boot_id,
		   worker->work_dir, error) &&
	    during_apply(worker, visit, error);
}

/* The same program as in all starts before; each proof then holds it fast. */
static bool
same_binary(const Worker *worker, GError **error)
{
	if (g_strcmp0(worker->life.exe_sha256, worker->server_sha256) == 0)
		return true;
	failure_set(error, FAILURE_SOFTWARE_CHANGED, ABRUN_ERROR_VERIFY,
	    "the server %s has changed since the first start: sha256 wanted "
	    "%s, seen %s",
	    worker->life.exe, worker->server_sha256, worker->life.exe_sha256);
	return false;
}

/* A start of the server, once it is known which process it is. */
static bool
keep_start(Worker *worker, const Visit *visit, size_t index, int64_t *id,
    GError **error)
{
	*id = 0;
	if (worker->control == NULL)
		return true;
	log_verbose("%s: round %zu, %s: server %s runs as pid %" G_GINT64_FORMAT
		    ", ready after %" G_GINT64_FORMAT " ms",
	    worker_host(worker)->name, visit->round, visit->cell->name,
	    worker->life.version == NULL ? worker->life.exe
					 : worker->life.version,
	    worker->life.pid, worker->life.ready_ms);
	*id = store_start(worker->store, visit->id, index, worker->life.pid,
	    worker->life.version, worker->life.exe_sha256,
	    worker->life.ready_ms, error);
	return *id != 0 && same_binary(worker, error);
}

/* Starts the server and proves it; *id is the start's row in the store. */
static bool
start(Worker *worker, const Visit *visit, size_t index, int64_t *id,
    GError **error)
{
	g_auto(ProofSide) side = { 0 };

	if (!datadir_refresh(worker, error) ||
	    !serve_start(worker, visit->settings, error))
		return false;
	if (!worker->rehearsal)
		watch_gate(worker);
	return prove_look(worker, visit, &side, error) &&
	    keep_start(worker, visit, index, id, error) &&
	    prove_judge(worker, visit, &side, false, error);
}

static bool
prove_again(Worker *worker, const Visit *visit, GError **error)
{
	g_auto(ProofSide) side = { 0 };

	return prove_look(worker, visit, &side, error) &&
	    prove_judge(worker, visit, &side, true, error);
}

bool
visit_rehearse(Worker *worker, const Visit *visit, GError **error)
{
	int64_t id;

	watch_begin(worker);
	return configure(worker, visit, error) &&
	    start(worker, visit, 0, &id, error) &&
	    cancel_sleep(worker->work, deadline_in(REHEARSED_MS), error) &&
	    prove_again(worker, visit, error);
}

static bool
measure(Worker *worker, const Visit *visit, const PlanStart *steps,
    int64_t start_id, GError **error)
{
	for (size_t i = 0; i < steps->n_steps; i++)
		if (!measure_step(
			worker, visit, start_id, &steps->steps[i], error))
			return false;
	return true;
}

bool
visit_run(Worker *worker, const Visit *visit, GError **error)
{
	watch_begin(worker);
	if (!configure(worker, visit, error))
		return false;
	for (size_t i = 0; i < visit->plan->n_starts; i++) {
		int64_t id;
		if (!start(worker, visit, i, &id, error) ||
		    !state_start(worker, visit->round, error) ||
		    !measure(
			worker, visit, &visit->plan->starts[i], id, error) ||
		    !prove_again(worker, visit, error))
			return false;
	}
	return watch_keep(worker, visit, error);
}
