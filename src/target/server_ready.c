#include "target/server_control.h"

#include "base/deadline.h"
#include "base/failure.h"
#include "base/text.h"
#include "target/owner.h"
#include "target/server_proof.h"

enum {
	READY_MS = 10000, /* one run of the ready command */
	TROUBLE_BYTES = 300,
};

/*
 * The process that listens is the one that was started: there is no other
 * sign but that nobody listened before, and that it is not older.
 */
static bool
adopt_owner(ServerControl *control, const Owner *owner, GError **error)
{
	int64_t start = 0;

	if (control->clock != 0 &&
	    (!text_parse_int(owner->start, 0, INT64_MAX, &start, NULL) ||
		start < control->clock - 1)) {
		failure_set(error, FAILURE_STALE_SERVER, ABRUN_ERROR_VERIFY,
		    "pid %s (%s), which listens at %s, was there before "
		    "%s: that must start a server of its own",
		    owner->pid, owner->comm, control_address(control->sql),
		    control->server->kind == SERVER_OTHER
			? "server.start was run"
			: "the service was started");
		return false;
	}
	if (!text_parse_int(
		owner->pid, 1, INT32_MAX, &control->life.pid, error))
		return false;
	control->life.start = g_strdup(owner->start);
	control->running = true;
	return true;
}

/* The first owner in a call's answers from here on. */
static bool
adopt_answer(ServerControl *control, const VerbAnswer *answer, GError **error)
{
	Owner owner;

	if (control->life.start != NULL)
		return true;
	if (owner_main(answer, &owner))
		return adopt_owner(control, &owner, error);
	failure_set(error, FAILURE_PROOF_UNKNOWN, ABRUN_ERROR_VERIFY,
	    "a server answers at %s, but which process it is cannot be told: "
	    "%s",
	    control_address(control->sql),
	    answer->status == VERB_DONE ? "several listen there"
					: server_proof_trouble(answer));
	return false;
}

bool
server_adopt(ServerControl *control, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	if (control->life.start != NULL)
		return true;
	server_add_owners(call, control->server);
	return target_call(control->target, call, deadline_in(SERVER_CALL_MS),
		   &answers, error) &&
	    adopt_answer(control, answers->pdata[0], error);
}

static char *
why_not(const ServerControl *control, const VerbAnswer *answer)
{
	g_autofree char *text =
	    text_printable(server_proof_trouble(answer), TROUBLE_BYTES);

	if (answer->status == VERB_ABSENT)
		return g_strdup_printf(
		    "nobody listens at %s", control_address(control->sql));
	return g_strdup_printf("who listens at %s cannot be told: %s",
	    control_address(control->sql), text);
}

/* Adds the ready command, first, so that who listens is looked at last. */
static void
add_ready(const ServerControl *control, VerbCall *call, Deadline deadline)
{
	const Server *server = control->server;
	const int left = deadline_left_ms(deadline);
	g_autofree char *limit =
	    g_strdup_printf("%d", CLAMP(left, 1000, READY_MS));

	if (server->ready != NULL)
		verb_call_add(call, "server_run", control->work_dir, "ready",
		    limit, "", "0", server->ready, NULL);
}

bool
server_look_ready(ServerControl *control, Deadline deadline, bool *ready,
    char **trouble, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GError) failure = NULL;

	*ready = false;
	*trouble = NULL;
	add_ready(control, call, deadline);
	const guint owners = (guint)verb_call_length(call);
	if (!control->server->mysqld)
		server_add_owners(call, control->server);
	if (verb_call_length(call) == 0) {
		*ready = true;
		return true;
	}
	if (!target_call(control->target, call,
		deadline_in(READY_MS + SERVER_CALL_MS), &answers, error))
		return false;
	if (owners > 0 && !verb_answer_check(answers->pdata[0], &failure)) {
		*trouble =
		    g_strdup_printf("server.ready: %s", failure->message);
		return true;
	}
	for (guint i = owners; i < answers->len; i++) {
		const VerbAnswer *answer = answers->pdata[i];

		if (answer->status != VERB_DONE) {
			*trouble = why_not(control, answer);
			return true;
		}
	}
	*ready = true;
	return answers->len == owners ||
	    adopt_answer(control, answers->pdata[owners], error);
}
