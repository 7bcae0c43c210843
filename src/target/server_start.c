#include "target/server.h"

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/failure.h"
#include "base/text.h"
#include "target/server_control.h"
#include "target/server_proof.h"
#include "target/startup.h"

enum {
	SETTLE_MS = 3000, /* for the sockets of a killed process to close */
	SETTLE_PAUSE_MS = 100,
};

void
server_add_owners(VerbCall *call, const Server *server)
{
	g_autofree char *port = g_strdup_printf("%d", startup_port(server));

	if (server->socket != NULL)
		verb_call_add(call, "owner", "socket", server->socket, NULL);
	if (startup_port(server) != 0)
		verb_call_add(call, "owner", "tcp", port, NULL);
}

/* False when an answer tells of somebody who listens, or cannot tell. */
static bool
nobody_listens(const ServerControl *control, const GPtrArray *answers,
    guint first, GError **error)
{
	for (guint i = first; i < answers->len; i++) {
		const VerbAnswer *answer = g_ptr_array_index(answers, i);
		const char *pid = verb_answer_get(answer, "pid");
		const char *comm = verb_answer_get(answer, "comm");

		if (answer->status == VERB_ABSENT)
			continue;
		if (answer->status == VERB_DONE)
			failure_set(error, FAILURE_STALE_SERVER,
			    ABRUN_ERROR_VERIFY,
			    "a server that abrun did not start listens at the "
			    "address of this one (%s): pid %s (%s); stop it",
			    control_address(control->sql),
			    pid == NULL ? "?" : pid, comm == NULL ? "?" : comm);
		else
			failure_set(error, FAILURE_PROOF_UNKNOWN,
			    ABRUN_ERROR_VERIFY,
			    "cannot tell whether another server listens at "
			    "%s: %s",
			    control_address(control->sql),
			    server_proof_trouble(answer));
		return false;
	}
	return true;
}

/* The life that a start in this directory left; pid 0 if there is none. */
static bool
read_left(const VerbAnswer *answer, ServerLife *left, GError **error)
{
	const char *pid = verb_answer_get(answer, "pid");
	const char *start = verb_answer_get(answer, "start");

	/* A pid file that makes no sense names nobody. */
	if (answer->status == VERB_ABSENT || answer->status == VERB_FAILED)
		return true;
	if (!verb_answer_check(answer, error))
		return false;
	if (start != NULL && pid != NULL &&
	    text_parse_int(pid, 1, INT32_MAX, &left->pid, NULL))
		left->start = g_strdup(start);
	return true;
}

/*
 * Asks who is there: what a start in this directory left, then the owners.
 * The server that this control knows as left running is stopped before, in
 * the same call.
 */
static GPtrArray *
ask_who_is_there(ServerControl *control, const char *work_dir, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	/* A service runs before the first start, too, or may by itself. */
	const bool stops =
	    control->running || control->server->kind == SERVER_SERVICE;

	if (stops)
		server_add_stop(control, call, &control->life);
	const guint stopping = (guint)verb_call_length(call);
	verb_call_add(call, "server_left", work_dir, NULL);
	server_add_owners(call, control->server);
	if (!target_call(control->target, call,
		stops ? server_stop_deadline(control)
		      : deadline_in(SERVER_CALL_MS),
		&answers, error))
		return NULL;
	if (!stops)
		return g_steal_pointer(&answers);

	if (!server_stopped(control, &control->life, answers, error))
		return NULL;
	g_ptr_array_remove_range(answers, 0, stopping);
	return g_steal_pointer(&answers);
}

static bool
somebody_unseen(const GPtrArray *answers)
{
	for (guint i = 1; i < answers->len; i++) {
		const VerbAnswer *answer = g_ptr_array_index(answers, i);

		if (answer->status == VERB_UNKNOWN)
			return true;
	}
	return false;
}

/*
 * What abrun left running is stopped, also where the answer to its start was
 * lost and only the work directory knows; then nobody else may listen.  A
 * process that was killed keeps its sockets a moment longer than its name, so
 * a listener that nobody seems to own is asked about again.
 */
static bool
clear_the_way(ServerControl *control, const char *work_dir, GError **error)
{
	const Cancel *cancel = target_cancel(control->target);
	Deadline settled = deadline_in(SETTLE_MS);

	for (;;) {
		g_autoptr(GPtrArray) answers =
		    ask_who_is_there(control, work_dir, error);
		g_auto(ServerLife) left = { 0 };

		if (answers == NULL ||
		    !read_left(g_ptr_array_index(answers, 0), &left, error))
			return false;
		if (deadline_passed(settled) ||
		    (left.pid == 0 && !somebody_unseen(answers)))
			return nobody_listens(control, answers, 1, error);
		if (left.pid != 0 && !server_stop(control, &left, error))
			return false;
		if (left.pid == 0 &&
		    !cancel_sleep(cancel, deadline_in(SETTLE_PAUSE_MS), error))
			return false;
	}
}

void
server_give_up(ServerControl *control)
{
	const Cancel *cancel = target_cancel(control->target);

	if (!control->running)
		return;
	target_set_cancel(control->target, NULL);
	control->given_up = true;
	(void)server_stop(control, &control->life, NULL);
	control->given_up = false;
	target_set_cancel(control->target, cancel);
}

bool
server_clear(ServerControl *control, const char *work_dir, GError **error)
{
	server_set_directory(control, work_dir);
	return startup_check(control->server, error) &&
	    clear_the_way(control, work_dir, error);
}

bool
server_start(ServerControl *control, const GPtrArray *settings,
    const GPtrArray *subjects, const char *work_dir, ServerLife *life,
    GError **error)
{
	Deadline deadline = deadline_in(control->server->start_timeout_ms);
	g_auto(ServerLife) started = { 0 };

	(void)subjects;
	server_set_directory(control, work_dir);
	if (!startup_check(control->server, error) ||
	    (control->server->mysqld &&
		!control_reach(control->sql, deadline, error)) ||
	    !clear_the_way(control, work_dir, error))
		return false;
	if (!server_launch(control, settings, error)) {
		server_give_up(control);
		return false;
	}
	deadline = deadline_in(control->server->start_timeout_ms);
	if (!server_wait_until_ready(
		control, work_dir, deadline, &started, error)) {
		server_give_up(control);
		return false;
	}
	server_life_clear(life);
	*life = started;
	started = (ServerLife){ 0 };
	return true;
}
