#include "run/night.h"

#include "base/error.h"
#include "base/log.h"
#include "run/prepare.h"
#include "run/visit.h"

/* Attempts at one visit; visits without a host before we give it up. */
enum { ATTEMPTS = 2, LOST_IN_A_ROW = 3 };
/* A host that is lost may come back: 1, 2, 4... s, a minute in all. */
enum { PAUSE_MS = 1000 };

/* A host that is lost says nothing about the cell: its visit is still due. */
static VisitStatus
status_of(const GError *error)
{
	if (error == NULL)
		return VISIT_VALID;
	if (g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_VERIFY))
		return VISIT_INVALID;
	if (g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED) ||
	    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_HOST))
		return VISIT_INTERRUPTED;
	return VISIT_FAILED;
}

static bool
ends_the_night(const GError *error)
{
	return g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE) ||
	    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED);
}

static void
tell(const Worker *worker, const Visit *visit, VisitStatus status,
    const GError *failure)
{
	/* What cannot be stored ends the night, and is told then. */
	if (failure != NULL &&
	    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE))
		log_error("%s: round %zu, %s: visit %s: %s",
		    worker_host(worker)->name, visit->round, visit->cell->name,
		    visit_status_name(status), worker_reason(worker, failure));
}

static bool
reach(Worker *worker, GError **error)
{
	if (worker->lost > 0 &&
	    !cancel_sleep(worker->work,
		deadline_in((int64_t)PAUSE_MS << (worker->lost - 1)), error))
		return false;
	return visit_reach(worker, error);
}

/* Calls of verbs made by the session that is open; a new one begins at 0. */
static size_t
round_trips(const Worker *worker)
{
	return worker->target == NULL ? 0 : target_round_trips(worker->target);
}

/*
 * Begins, runs and ends one attempt; *again says whether another may do
 * better.  False when the night is over.
 */
static bool
attempt_visit(
    Worker *worker, Visit *visit, int attempt, bool *again, GError **error)
{
	g_autoptr(GError) failure = NULL;
	const size_t before = round_trips(worker);
	/* First, since it tells the boot that the visit is on. */
	const bool reached = reach(worker, &failure);

	visit->id = store_visit_begin(worker->store, worker->index,
	    visit->round, visit->block, visit->plan->server, worker->boot,
	    attempt, error);
	if (visit->id == 0)
		return false;
	if (reached)
		worker->unsettled = !visit_run(worker, visit, &failure);
	log_verbose("%s: round %zu, %s: visit took %zu round trips",
	    worker_host(worker)->name, visit->round, visit->cell->name,
	    round_trips(worker) - before);
	const VisitStatus status = status_of(failure);
	tell(worker, visit, status, failure);
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	if (!store_visit_end(worker->store, visit->id, status,
		failure == NULL ? NULL : worker_reason(worker, failure), error))
		return false;
	const bool lost =
	    g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_HOST);
	worker->lost = lost ? worker->lost + 1 : 0;
	*again = lost || status == VISIT_FAILED;
	/* A session that failed once is not trusted with the next visit. */
	if (*again)
		worker_disconnect(worker);
	if (ends_the_night(failure)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	return true;
}

/* A failed visit is tried once more; an invalid one would be so again. */
static bool
run_visit(Worker *worker, Visit *visit, GError **error)
{
	bool again = true;

	for (int attempt = 1; attempt <= ATTEMPTS && again; attempt++)
		if (!attempt_visit(worker, visit, attempt, &again, error))
			return false;
	worker->failures = again ? worker->failures + 1 : 0;
	progress_visit(worker->progress);
	return true;
}

static size_t
visits_of(const PlanRound *round)
{
	size_t visits = 0;

	for (size_t b = 0; b < round->n_blocks; b++)
		visits += round->blocks[b].n_visits;
	return visits;
}

/*
 * One cell that cannot be had must not cost the others; but where the host is
 * gone, or every cell of a round has failed, more of it is no use.
 */
static bool
give_up(Worker *worker, const PlanRound *round, GError **error)
{
	g_autofree char *reason = NULL;

	if (worker->lost >= (size_t)LOST_IN_A_ROW * ATTEMPTS)
		reason = g_strdup_printf(
		    "%d visits were lost one after the other for want of the "
		    "host; run the matrix again when it is back",
		    LOST_IN_A_ROW);
	else if (worker->failures >= MAX(visits_of(round), LOST_IN_A_ROW))
		reason = g_strdup_printf(
		    "the last %zu visits, a whole round or more, have failed",
		    worker->failures);
	if (reason == NULL)
		return false;
	g_set_error(
	    error, ABRUN_ERROR, ABRUN_ERROR_HOST, "given up: %s", reason);
	return true;
}

static bool
is_done(const Worker *worker, GHashTable *done, const PlanRound *round,
    size_t block, size_t visit)
{
	g_autofree char *key = store_visit_key(worker->index, round->round,
	    block, round->blocks[block].visits[visit].server);

	return g_hash_table_contains(done, key);
}

static bool
run_round(
    Worker *worker, const PlanRound *round, GHashTable *done, GError **error)
{
	for (size_t b = 0; b < round->n_blocks; b++) {
		const PlanBlock *block = &round->blocks[b];
		for (size_t v = 0; v < block->n_visits; v++) {
			if (is_done(worker, done, round, b, v))
				continue;
			if (give_up(worker, round, error))
				return false;
			const Cell *cell = plan_server_cell(
			    worker->plan, block->visits[v].server);
			g_autoptr(GPtrArray) settings =
			    worker_settings(worker, cell);
			Visit visit = { .plan = &block->visits[v],
				.round = round->round,
				.block = b,
				.cell = cell,
				.settings = settings };
			if (!run_visit(worker, &visit, error))
				return false;
		}
	}
	return true;
}

static bool
any_left(const Worker *worker, GHashTable *done)
{
	for (size_t r = 1; r <= worker->rounds; r++) {
		g_autoptr(PlanRound) round = plan_round(worker->plan, r);
		for (size_t b = 0; b < round->n_blocks; b++)
			for (size_t v = 0; v < round->blocks[b].n_visits; v++)
				if (!is_done(worker, done, round, b, v))
					return true;
	}
	return false;
}

bool
night_run(Worker *worker, GError **error)
{
	g_autoptr(GHashTable) done = store_done(worker->store, error);

	if (done == NULL || !worker_remember(worker, error) ||
	    !worker_connect(worker, worker->work, error))
		return false;
	if (!any_left(worker, done))
		return true;
	if (!prepare_undo(worker, error) || !prepare_target(worker, error))
		return false;
	for (size_t r = 1; r <= worker->rounds; r++) {
		g_autoptr(PlanRound) round = plan_round(worker->plan, r);
		if (!run_round(worker, round, done, error))
			return false;
	}
	return true;
}
