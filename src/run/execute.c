#include "base/failure.h"
#include "run/client.h"
#include "run/collect.h"
#include "run/credentials.h"
#include "run/measure.h"
#include "target/load_proof.h"

/* Output of one run kept per stream: the rest is cut with a mark. */
enum { OUTPUT_BYTES = 1 << 20 };
/* A call outlives the load's own watchdog by this much. */
enum { GRACE_MS = 30000 };

/* The load broke off from us and goes on: what is kept of that. */
static bool
tell_collected(Worker *worker, const GError *broken, GError **error)
{
	worker->collected = true;
	return store_event(worker->store, worker->client->index,
	    "load collected", worker_reason(worker->client, broken), error);
}

/* Runs it, and collects it where its link breaks; in a turn. */
static VerbAnswer *
run_load(Worker *worker, const GPtrArray *settings, bool is_run,
    const char *command, int64_t timeout_ms, GError **error)
{
	const Worker *client = worker->client;
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GError) broken = NULL;
	g_autofree char *timeout =
	    g_strdup_printf("%" G_GINT64_FORMAT, timeout_ms);
	g_autofree char *cap = g_strdup_printf("%d", OUTPUT_BYTES);
	g_autofree char *run =
	    g_strdup_printf("%s/run.%zu", client->work_dir, ++worker->loads);
	const int64_t began_us = deadline_now_us();
	const Deadline deadline = deadline_in(timeout_ms + GRACE_MS);

	g_autofree char *mark = load_proof_mark(client->work_dir);
	g_autofree char *whole = credentials_command(client, command);
	if (settings != NULL)
		load_proof_run(
		    call, client->work_dir, run, timeout, cap, settings, whole);
	else if (is_run)
		verb_call_add(call, "load_run", run, timeout, cap, "", "1",
		    mark, whole, NULL);
	else
		verb_call_add(
		    call, "load_run", run, timeout, cap, "", "0", whole, NULL);
	worker->collected = false;
	if (target_call(client->target, call, deadline, &answers, &broken))
		return g_ptr_array_steal_index(answers, 0);
	if (!target_broke(client->target)) {
		g_propagate_error(error, g_steal_pointer(&broken));
		return NULL;
	}
	g_autoptr(VerbAnswer) answer =
	    collect_load(worker, run, began_us, deadline, broken, error);
	return answer != NULL && tell_collected(worker, broken, error)
	    ? g_steal_pointer(&answer)
	    : NULL;
}

VerbAnswer *
measure_execute_with(Worker *worker, const GPtrArray *settings, bool is_run,
    const char *command, int64_t timeout_ms, GError **error)
{
	if (worker->client->target == NULL) {
		failure_set(error, FAILURE_HOST_LOST, ABRUN_ERROR_HOST,
		    "no session to %s, where the load runs",
		    worker_host(worker->client)->name);
		return NULL;
	}
	if (!client_enter(worker, error))
		return NULL;
	VerbAnswer *answer =
	    run_load(worker, settings, is_run, command, timeout_ms, error);
	client_leave(worker);
	return answer;
}

VerbAnswer *
measure_execute(
    Worker *worker, const char *command, int64_t timeout_ms, GError **error)
{
	return measure_execute_with(
	    worker, NULL, false, command, timeout_ms, error);
}
