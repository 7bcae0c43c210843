#include "run/collect.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "run/client.h"

enum {
	LOGIN_MS = 30000,    /* one attempt to reach the host */
	PATIENCE_MS = 15000, /* at least, while it cannot be reached */
	PAUSE_MS = 250,      /* between attempts: doubled each time */
	PAUSE_LAST_MS = 8000,
};

/* The server that the load works on; the whole is proved after the load. */
static bool
same_server(const Worker *worker, const VerbAnswer *answer, GError **error)
{
	const char *start = verb_answer_get(answer, "start");

	if (answer->status == VERB_DONE &&
	    g_strcmp0(start, worker->life.start) == 0)
		return true;
	if (answer->status != VERB_ABSENT && start == NULL)
		return verb_answer_check(answer, error);
	failure_set(error, FAILURE_SERVER_EXITED, ABRUN_ERROR_VERIFY,
	    "the server is gone: wanted pid %" G_GINT64_FORMAT
	    " started at %s, seen %s",
	    worker->life.pid, worker->life.start,
	    start == NULL ? "no such process" : start);
	return false;
}

static void
ask_server(const Worker *worker, VerbCall *call)
{
	g_autofree char *pid =
	    g_strdup_printf("%" G_GINT64_FORMAT, worker->life.pid);

	verb_call_add(call, "process", pid, worker->life.exe_identity, NULL);
}

/* The same where the load ran on another host than the server. */
static bool
same_server_apart(Worker *worker, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	if (worker->life.pid == 0 || !client_is_apart(worker))
		return true;
	ask_server(worker, call);
	return target_call(
		   worker->target, call, worker_deadline(), &answers, error) &&
	    same_server(worker, answers->pdata[0], error);
}

/* Logs in, until patience is at its end; in another boot nothing is left. */
static bool
reach(Worker *client, Deadline patience, GError **error)
{
	int64_t pause_ms = PAUSE_MS;

	for (;;) {
		g_autoptr(GError) failure = NULL;
		g_autoptr(VerbAnswer) answer = target_ask(client->target,
		    deadline_min(patience, deadline_in(LOGIN_MS)), &failure,
		    "boot_id", NULL);
		if (answer != NULL)
			return true;
		const bool passing =
		    failure_of(failure) != FAILURE_UNEXPECTED_REBOOT &&
		    (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_HOST) ||
			g_error_matches(
			    failure, ABRUN_ERROR, ABRUN_ERROR_TIMEOUT));
		if (!passing || deadline_passed(patience)) {
			g_propagate_error(error, g_steal_pointer(&failure));
			return false;
		}
		if (!cancel_sleep(target_cancel(client->target),
			deadline_min(patience, deadline_in(pause_ms)), error))
			return false;
		pause_ms = MIN(2 * pause_ms, PAUSE_LAST_MS);
	}
}

/* Waits for the load's end; NULL without error: the link broke again. */
static VerbAnswer *
await(Worker *worker, const char *run, Deadline deadline, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GError) failure = NULL;
	g_autofree char *wait_ms =
	    g_strdup_printf("%d", deadline_left_ms(deadline));
	Worker *client = worker->client;
	const bool with_server =
	    worker->life.pid != 0 && !client_is_apart(worker);

	verb_call_add(call, "load_collect", run, wait_ms, NULL);
	if (with_server)
		ask_server(worker, call);
	if (!target_call(client->target, call,
		deadline_in(deadline_left_ms(deadline) + LOGIN_MS), &answers,
		&failure)) {
		if (!target_broke(client->target))
			g_propagate_error(error, g_steal_pointer(&failure));
		return NULL;
	}
	const VerbAnswer *load = answers->pdata[0];
	if (with_server && !same_server(worker, answers->pdata[1], error))
		return NULL;
	if (load->status != VERB_DONE) {
		const char *why = verb_answer_get(load, "error");
		failure_set(error, FAILURE_HOST_LOST, ABRUN_ERROR_HOST,
		    "the load cannot be collected: %s",
		    why == NULL ? "it was never begun" : why);
		return NULL;
	}
	return g_ptr_array_steal_index(answers, 0);
}

VerbAnswer *
collect_load(Worker *worker, const char *run, int64_t began_us,
    Deadline deadline, const GError *broken, GError **error)
{
	g_autoptr(GError) failure = NULL;
	Worker *client = worker->client;
	VerbAnswer *answer = NULL;

	log_info("%s: %s; logging in again to collect the load",
	    worker_host(client)->name, worker_reason(client, broken));
	while (answer == NULL && failure == NULL) {
		const int64_t ran_ms = (deadline_now_us() - began_us) / 1000;
		const Deadline patience = deadline_min(
		    deadline, deadline_in(MAX(ran_ms, PATIENCE_MS)));
		if (reach(client, patience, &failure))
			answer = await(worker, run, deadline, &failure);
	}
	if (answer != NULL && same_server_apart(worker, &failure)) {
		log_info("%s: the load has gone on meanwhile and is collected",
		    worker_host(client)->name);
		return answer;
	}
	verb_answer_free(answer);
	/* What takes too long is lost as well. */
	const AbrunError code =
	    g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_TIMEOUT)
	    ? ABRUN_ERROR_HOST
	    : failure->code;
	failure_set(error, failure_of(failure), code, "%s, and then: %s",
	    worker_reason(worker, broken), worker_reason(client, failure));
	return NULL;
}
