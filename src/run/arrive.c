#include "run/arrive.h"

#include "base/failure.h"
#include "run/boots_back.h"
#include "run/kernels.h"
#include "run/lost.h"

/* Between two looks at a host that goes down or comes up. */
enum { PAUSE_MS = 1000 };

static bool
is_away(const GError *failure)
{
	return failure_of(failure) == FAILURE_HOST_LOST ||
	    failure_of(failure) == FAILURE_UNEXPECTED_REBOOT;
}

bool
arrive_log_in(Worker *worker, GError **error)
{
	GError *failure = NULL;

	if (worker_connect(worker, worker->work, &failure))
		return true;
	if (!is_away(failure) || !boots_are_open(worker)) {
		g_propagate_error(error, failure);
		return false;
	}
	g_error_free(failure);
	return lost_reach(worker, error);
}

/* What it cannot tell is not over; *failure is why it was not asked. */
static bool
is_over(Worker *worker, GError **failure)
{
	GError *why = NULL;
	g_autoptr(VerbAnswer) answer = target_ask(
	    worker->target, worker_deadline(), &why, "boot_finished", NULL);

	if (answer != NULL)
		return g_strcmp0(verb_answer_get(answer, "finished"), "yes") ==
		    0;
	if (failure_of(why) == FAILURE_PROOF_UNKNOWN)
		g_error_free(why);
	else
		g_propagate_error(failure, why);
	return false;
}

bool
arrive_settle(Worker *worker, GError **error)
{
	const Deadline end = deadline_in(worker_host(worker)->patience_ms);

	while (boots_are_open(worker) && !deadline_passed(end)) {
		GError *failure = NULL;
		/* It is there as long as the first question takes. */
		if (is_over(worker, &failure) &&
		    kernels_prepare(worker, &failure))
			return true;
		if (failure == NULL) {
			if (!cancel_sleep(
				worker->work, deadline_in(PAUSE_MS), error))
				return false;
			continue;
		}
		if (!is_away(failure)) {
			g_propagate_error(error, failure);
			return false;
		}
		g_error_free(failure);
		/* A session that failed is not trusted again. */
		worker->unsettled = true;
		worker_disconnect(worker);
		if (!lost_reach(worker, error))
			return false;
	}
	return true;
}
