#include "run/lost.h"

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/notify.h"
#include "run/power_back.h"
#include "run/visit.h"

/* Between two tries: 1, 2, 4... s at first, not more than this later. */
enum { PAUSE_MS = 1000, PAUSE_MAX_MS = 15000 };

/* Another key is another machine; who has a lock may keep it all night. */
static bool
may_come_back(const GError *error)
{
	return g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_HOST) &&
	    failure_of(error) != FAILURE_HOST_KEY &&
	    failure_of(error) != FAILURE_LOCKED;
}

/* What is not for the host to mend ends the wait. */
static bool
may_wait(GError **last, GError **error)
{
	if (may_come_back(*last))
		return true;
	g_propagate_error(error, g_steal_pointer(last));
	return false;
}

static bool
tell_lost(Worker *worker, const GError *why, GError **error)
{
	const Host *host = worker_host(worker);
	g_autofree char *limit = text_duration(host->patience_ms);
	g_autofree char *text = g_strdup_printf("%s: %s; waiting for %s",
	    failure_name(failure_of(why)), worker_reason(worker, why), limit);

	if (!store_event(worker->store, worker->index, LOST_EVENT, text, error))
		return false;
	log_error("%s: the host is lost: %s", host->name, text);
	notify_tell(worker_matrix(worker), worker->store,
	    &(Notice){ .event = "host-lost",
		.text = text,
		.target = host->name,
		.failure = failure_name(failure_of(why)) });
	progress_now(worker->progress, host->name, "waiting for the host");
	return true;
}

static bool
tell_back(Worker *worker, int64_t began_us, GError **error)
{
	g_autofree char *time =
	    text_duration((deadline_now_us() - began_us) / 1000);
	g_autofree char *text = g_strdup_printf("after %s", time);

	log_info("%s: the host is back %s", worker_host(worker)->name, text);
	notify_tell(worker_matrix(worker), worker->store,
	    &(Notice){ .event = "host-back",
		.text = text,
		.target = worker_host(worker)->name });
	return store_event(
	    worker->store, worker->index, LOST_EVENT_BACK, text, error);
}

static void
set_gone(Worker *worker, const GError *why, GError **error)
{
	g_autofree char *limit =
	    text_duration(worker_host(worker)->patience_ms);

	worker->gone = true;
	failure_set(error, FAILURE_HOST_LOST, ABRUN_ERROR_HOST,
	    "it did not come back within %s (last: %s)", limit,
	    worker_reason(worker, why));
}

/* Until the deadline; *last is why it is not *back. */
static bool
try_until(Worker *worker, Deadline deadline, GError **last, bool *back,
    GError **error)
{
	for (int64_t pause_ms = PAUSE_MS; !*back && !deadline_passed(deadline);
	     pause_ms = MIN(2 * pause_ms, PAUSE_MAX_MS)) {
		if (!cancel_sleep(worker->work,
			deadline_min(deadline, deadline_in(pause_ms)), error))
			return false;
		g_clear_error(last);
		*back = visit_reach(worker, last);
		if (!*back && !may_wait(last, error))
			return false;
	}
	return true;
}

static void
replace(GError **last, GError *failure)
{
	g_clear_error(last);
	*last = failure;
}

static bool
bring_back(Worker *worker, GError **last, bool *back, GError **error)
{
	const int64_t patience_ms = worker_host(worker)->patience_ms;
	GError *failure = NULL;

	if (power_bring_back(worker, &failure))
		return try_until(
		    worker, deadline_in(patience_ms), last, back, error);
	replace(last, failure);
	if (!g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE) &&
	    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED))
		return true;
	g_propagate_error(error, g_steal_pointer(last));
	return false;
}

/* The last way to have it back. */
static bool
try_power(Worker *worker, GError **last, bool *back, GError **error)
{
	GError *failure = NULL;

	switch (power_need(worker, worker->work, &failure)) {
	case POWER_NO_WAY:
		break;
	case POWER_OTHER_WAY:
		replace(last, failure);
		return may_wait(last, error);
	case POWER_NOT_NEEDED:
		/* With its client host, too. */
		worker_disconnect(worker);
		g_clear_error(last);
		*back = visit_reach(worker, last);
		return *back || may_wait(last, error);
	case POWER_LAST_WAY:
		replace(last, failure);
		return bring_back(worker, last, back, error);
	}
	return true;
}

static bool
wait_for_host(Worker *worker, GError *why, GError **error)
{
	const int64_t began_us = deadline_now_us();
	const Deadline deadline = deadline_in(worker_host(worker)->patience_ms);
	g_autoptr(GError) last = why;
	bool back = false;

	if (!tell_lost(worker, why, error) ||
	    !try_until(worker, deadline, &last, &back, error) ||
	    (!back && !try_power(worker, &last, &back, error)))
		return false;
	if (back)
		return tell_back(worker, began_us, error);
	set_gone(worker, last, error);
	return false;
}

bool
lost_reach(Worker *worker, GError **error)
{
	GError *why = NULL;

	if (visit_reach(worker, &why))
		return true;
	/* It is there, in another boot: all that was known of it is not. */
	if (failure_of(why) == FAILURE_UNEXPECTED_REBOOT) {
		g_clear_error(&why);
		worker_disconnect(worker);
		if (visit_reach(worker, &why))
			return true;
	}
	if (!may_come_back(why)) {
		g_propagate_error(error, why);
		return false;
	}
	/* A session that failed is not trusted again. */
	worker_disconnect(worker);
	return wait_for_host(worker, why, error);
}

void
lost_tell_end(Worker *worker)
{
	const Failure failure = failure_of(worker->end);
	const char *name = worker_host(worker)->name;
	const char *reason = worker_reason(worker, worker->end);
	g_autofree char *why =
	    g_strdup_printf("%s: %s", failure_name(failure), reason);

	(void)store_event(worker->store, worker->index,
	    failure == FAILURE_GIVEN_UP          ? GIVEN_UP_EVENT
		: failure == FAILURE_QUARANTINED ? QUARANTINED_EVENT
						 : "ended",
	    why, NULL);
	/* Of a signal, main has told. */
	if (failure == FAILURE_INTERRUPTED)
		return;
	log_error("%s: %s", name, why);
	notify_tell(worker_matrix(worker), worker->store,
	    &(Notice){ .event = "given-up",
		.text = reason,
		.target = name,
		.failure = failure_name(failure) });
}
