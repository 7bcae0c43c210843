#include "run/night.h"

#include "base/failure.h"
#include "base/log.h"
#include "run/arrive.h"
#include "run/boots.h"
#include "run/lost.h"
#include "run/prepare.h"
#include "run/steps.h"
#include "run/stopping.h"
#include "run/visit.h"
#include "target/boot_judge.h"

/*
 * Visits without a host before we give it up; a block that was begun so often
 * and each time lost its boot.
 */
enum { LOST_IN_A_ROW = 3, BLOCK_ATTEMPTS = 3 };
/* Before a visit that was lost is tried again. */
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
	/* Of a lost host the key may be another's, for a while. */
	return (failure_of(error) != FAILURE_HOST_KEY &&
		   boot_failure_ends_host(failure_of(error))) ||
	    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE) ||
	    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED);
}

static void
tell(const Worker *worker, const Visit *visit, VisitStatus status,
    const GError *failure)
{
	/* What cannot be stored ends the night, and is told then. */
	if (failure != NULL &&
	    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE))
		log_error("%s: round %zu, %s: visit %s: %s: %s",
		    worker_host(worker)->name, visit->round, visit->cell->name,
		    visit_status_name(status),
		    failure_name(failure_of(failure)),
		    worker_reason(worker, failure));
}

/* The host, in the boot that the visit's block wants. */
static bool
reach(Worker *worker, const Visit *visit, GError **error)
{
	if (worker->lost > 0 &&
	    !cancel_sleep(worker->work, deadline_in(PAUSE_MS), error))
		return false;
	worker->no_boot = false;
	return lost_reach(worker, error) && boots_have(worker, visit, error);
}

/*
 * What a block is compared within is one boot.  Where that of its earlier
 * visits is lost they count no more, and *lost says that the block begins
 * again.
 */
static bool
leave_lost_boot(Worker *worker, const Visit *visit, bool *lost, GError **error)
{
	size_t n = 0;

	if (!store_supersede(worker->store, worker->index, visit->round,
		visit->block, worker->boot,
		"its boot was lost before its block was complete", &n, error))
		return false;
	*lost = n > 0;
	if (n == 0)
		return true;
	g_autofree char *text = g_strdup_printf(
	    "round %zu: %zu %s of a boot that was lost; all of the block is "
	    "made again",
	    visit->round, n, n == 1 ? "visit is" : "visits are");
	log_error("%s: %s", worker_host(worker)->name, text);
	return store_event(
	    worker->store, worker->index, "block repeated", text, error);
}

/* Calls of verbs made by the session that is open; a new one begins at 0. */
static size_t
round_trips(const Worker *worker)
{
	return worker->target == NULL ? 0 : target_round_trips(worker->target);
}

/*
 * How an attempt ended.  A start that was lost says nothing yet: it is made
 * again, and once more lost it is the cell's failure.
 */
static VisitStatus
status_of_attempt(Worker *worker, const GError *failure, int attempt)
{
	const bool again = worker->start_lost && attempt < STORE_ATTEMPTS;

	worker->start_lost = false;
	return again ? VISIT_SUPERSEDED : status_of(failure);
}

/*
 * Begins, runs and ends one attempt; *again says whether another may do
 * better, *lost that none was begun since the block begins again.  False when
 * the night is over.
 */
static bool
attempt_visit(Worker *worker, Visit *visit, int attempt, bool *again,
    bool *lost, GError **error)
{
	g_autoptr(GError) failure = NULL;
	const size_t before = round_trips(worker);
	if (!store_has_room(worker->store, error))
		return false;
	/* First, since it tells the boot that the visit is on. */
	const bool reached = reach(worker, visit, &failure);

	if (reached && !leave_lost_boot(worker, visit, lost, error))
		return false;
	if (*lost)
		return true;
	visit->id = store_visit_begin(worker->store, worker->index,
	    visit->round, visit->block, visit->plan->server, worker->boot,
	    worker->no_boot ? STORE_ATTEMPTS : attempt, error);
	if (visit->id == 0)
		return false;
	if (reached)
		worker->unsettled = !steps_visit(worker, visit, &failure);
	log_verbose("%s: round %zu, %s: visit took %zu round trips",
	    worker_host(worker)->name, visit->round, visit->cell->name,
	    round_trips(worker) - before);
	const VisitStatus status = status_of_attempt(worker, failure, attempt);
	tell(worker, visit, status, failure);
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	if (!store_visit_end(worker->store, visit->id, status,
		failure_of(failure),
		failure == NULL ? NULL : worker_reason(worker, failure), error))
		return false;
	const bool gone =
	    g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_HOST);
	worker->lost = gone ? worker->lost + 1 : 0;
	*again = !worker->no_boot &&
	    ((gone && !worker->gone) || status == VISIT_FAILED ||
		status == VISIT_SUPERSEDED);
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
run_visit(Worker *worker, Visit *visit, bool *lost, GError **error)
{
	bool again = true;

	for (int attempt = 1; attempt <= STORE_ATTEMPTS && again; attempt++) {
		if (!attempt_visit(worker, visit, attempt, &again, lost, error))
			return false;
		if (*lost)
			return true;
	}
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

/* A host that cannot be booted is left alone. */
static bool
quarantine(const Worker *worker, GError **error)
{
	g_autoptr(GString) kernels = g_string_new(NULL);

	if (!boots_are_over(worker))
		return false;
	for (guint i = 0; i < worker->missed->len; i++)
		g_string_append_printf(kernels, "%s%s", i == 0 ? "" : ", ",
		    (const char *)worker->missed->pdata[i]);
	failure_set(error, FAILURE_QUARANTINED, ABRUN_ERROR_HOST,
	    "quarantined: the boots of %zu blocks in a row were not had "
	    "(kernel %s), so it is not booted any more; run the matrix again "
	    "when it is mended",
	    worker->missed_blocks, kernels->str);
	return true;
}

/*
 * One cell that cannot be had must not cost the others; but where the host is
 * gone, or every cell of a round has failed, more of it is no use.
 */
static bool
give_up(Worker *worker, const PlanRound *round, GError **error)
{
	g_autofree char *reason = NULL;

	if (worker->gone)
		reason = g_strdup("the host did not come back; run the matrix "
				  "again when it has");
	else if (worker->lost >= (size_t)LOST_IN_A_ROW * STORE_ATTEMPTS)
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
	failure_set(
	    error, FAILURE_GIVEN_UP, ABRUN_ERROR_HOST, "given up: %s", reason);
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

/* The visits of a block that are missing; *lost: it begins again. */
static bool
run_missing(Worker *worker, const PlanRound *round, size_t b, GHashTable *done,
    bool *lost, GError **error)
{
	const PlanBlock *block = &round->blocks[b];

	for (size_t v = 0; v < block->n_visits && !*lost; v++) {
		if (is_done(worker, done, round, b, v))
			continue;
		if (quarantine(worker, error) || give_up(worker, round, error))
			return false;
		const Cell *cell =
		    plan_server_cell(worker->plan, block->visits[v].server);
		g_autoptr(GPtrArray) settings = worker_settings(worker, cell);
		Visit visit = { .plan = &block->visits[v],
			.round = round->round,
			.block = b,
			.cell = cell,
			.settings = settings };
		if (!run_visit(worker, &visit, lost, error))
			return false;
	}
	return true;
}

static bool
run_block(Worker *worker, const PlanRound *round, size_t b, GError **error)
{
	for (int i = 0; i < BLOCK_ATTEMPTS; i++) {
		g_autoptr(GHashTable) done = store_done(worker->store, error);
		bool lost = false;
		if (done == NULL ||
		    !run_missing(worker, round, b, done, &lost, error))
			return false;
		if (!lost)
			return true;
	}
	failure_set(error, FAILURE_GIVEN_UP, ABRUN_ERROR_HOST,
	    "given up: in round %zu its boot was lost %d times before a block "
	    "was complete; find out why it reboots",
	    round->round, BLOCK_ATTEMPTS);
	return false;
}

static bool
is_made(const Worker *worker, GHashTable *done, const PlanRound *round)
{
	for (size_t b = 0; b < round->n_blocks; b++)
		for (size_t v = 0; v < round->blocks[b].n_visits; v++)
			if (!is_done(worker, done, round, b, v))
				return false;
	return true;
}

static bool
any_left(const Worker *worker, GHashTable *done)
{
	for (size_t r = 1; r <= worker->rounds; r++) {
		g_autoptr(PlanRound) round = plan_round(worker->plan, r);
		if (!is_made(worker, done, round))
			return true;
	}
	return false;
}

/* *stop: it was not begun, for want of time. */
static bool
run_round(Worker *worker, NightClock *clock, const PlanRound *round, bool *stop,
    GError **error)
{
	if (!stopping_begin(worker, clock, round->round, stop, error))
		return false;
	for (size_t b = 0; b < round->n_blocks && !*stop; b++)
		if (!run_block(worker, round, b, error))
			return false;
	stopping_end(clock);
	return true;
}

/* A host that was lost at its last visit is not waited for at the look. */
static bool
is_absent(Worker *worker, GError **error)
{
	if ((!worker->gone && !boots_are_over(worker)) ||
	    !stopping_is_due(worker))
		return false;
	g_autoptr(PlanRound) last = plan_round(worker->plan, worker->rounds);

	return quarantine(worker, error) || give_up(worker, last, error);
}

/* Those that are planned, and those that looking at them adds. */
static bool
run_rounds(Worker *worker, GHashTable *done, GError **error)
{
	NightClock clock = stopping_clock(worker);
	bool stop = false;

	for (size_t r = 1; !stop; r++) {
		if (r > worker->rounds &&
		    (is_absent(worker, error) || !stopping_look(worker, error)))
			return false;
		if (r > worker->rounds)
			return true;
		g_autoptr(PlanRound) round = plan_round(worker->plan, r);
		if (!is_made(worker, done, round) &&
		    !run_round(worker, &clock, round, &stop, error))
			return false;
	}
	return true;
}

bool
night_run(Worker *worker, GError **error)
{
	g_autoptr(GHashTable) done = store_has_room(worker->store, error)
	    ? store_done(worker->store, error)
	    : NULL;

	if (done == NULL || !worker_remember(worker, error) ||
	    !arrive_log_in(worker, error))
		return false;
	if (!any_left(worker, done) && !stopping_is_due(worker))
		return true;
	return arrive_settle(worker, error) && prepare_undo(worker, error) &&
	    prepare_target(worker, error) && run_rounds(worker, done, error);
}
