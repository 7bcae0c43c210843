#include "target/server.h"

#include <string.h>

#include "base/deadline.h"
#include "base/failure.h"
#include "target/owner.h"
#include "target/server_control.h"
#include "target/server_proof.h"

/* False unless this answer of the owner verb names the started process. */
static bool
owner_is_ours(
    const ServerControl *control, const VerbAnswer *answer, GError **error)
{
	Owner owner, other;
	const char *address = control_address(control->sql);
	g_autofree char *ours =
	    g_strdup_printf("%" G_GINT64_FORMAT, control->life.pid);

	if (!owner_other(answer, ours, control->life.start, &other)) {
		if (owner_main(answer, &owner))
			return true;
		failure_set(error, FAILURE_PROOF_UNKNOWN, ABRUN_ERROR_VERIFY,
		    "a server answers at %s, but which process it is cannot "
		    "be told: %s",
		    address, server_proof_trouble(answer));
		return false;
	}
	if (control->server->kind == SERVER_COMMAND)
		failure_set(error, FAILURE_STALE_SERVER, ABRUN_ERROR_VERIFY,
		    "started the server as pid %s, but pid %s (%s) answers at "
		    "%s; server.command must be the server itself, not a "
		    "script that starts it",
		    ours, other.pid, other.comm, address);
	else
		failure_set(error, FAILURE_STALE_SERVER, ABRUN_ERROR_VERIFY,
		    "the server was started as pid %s, but pid %s (%s) "
		    "answers at %s",
		    ours, other.pid, other.comm, address);
	return false;
}

/* The owners stand behind the process, as both kinds of calls ask for them. */
static bool
owners_are_ours(const ServerControl *control, const GPtrArray *answers,
    guint process, GError **error)
{
	guint owners = 0;

	for (guint i = process + 1; i < answers->len; i++) {
		const VerbAnswer *answer = g_ptr_array_index(answers, i);

		if (strcmp(answer->verb, "owner") != 0)
			break;
		if (!owner_is_ours(control, answer, error))
			return false;
		owners++;
	}
	if (owners > 0)
		return true;
	failure_set(error, FAILURE_PROOF_UNKNOWN, ABRUN_ERROR_VERIFY,
	    "whether the started server answers at %s was not asked",
	    control_address(control->sql));
	return false;
}

/* What is known of the binary, from its hash now or from its identity. */
static void
learn_binary(
    ServerControl *control, const VerbAnswer *process, ServerLife *life)
{
	const char *exe = verb_answer_get(process, "exe");
	const char *identity = verb_answer_get(process, "exe_identity");
	const char *sha256 = verb_answer_get(process, "exe_sha256");

	if (sha256 == NULL && identity != NULL &&
	    g_strcmp0(identity, control->known_identity) == 0)
		sha256 = control->known_sha256;
	life->exe = g_strdup(exe == NULL ? "" : exe);
	life->exe_sha256 = g_strdup(sha256 == NULL ? "" : sha256);
	g_free(life->exe_identity);
	life->exe_identity = g_strdup(sha256 == NULL ? NULL : identity);
	g_free(control->known_identity);
	control->known_identity = g_strdup(life->exe_identity);
	g_free(control->known_sha256);
	control->known_sha256 = g_strdup(life->exe_sha256);
}

static bool
identify(ServerControl *control, const GPtrArray *answers, ServerLife *life,
    GError **error)
{
	guint i = 0;

	while (i < answers->len &&
	    strcmp(((VerbAnswer *)answers->pdata[i])->verb, "process") != 0)
		i++;
	g_return_val_if_fail(i < answers->len, false);

	const VerbAnswer *process = g_ptr_array_index(answers, i);

	if (!verb_answer_check(process, error) ||
	    !owners_are_ours(control, answers, i, error))
		return false;
	learn_binary(control, process, life);
	return true;
}

bool
server_identified(ServerControl *control, const GPtrArray *answers,
    ServerLife *life, GError **error)
{
	if (life->exe_sha256 != NULL || identify(control, answers, life, error))
		return true;
	server_give_up(control);
	return false;
}

bool
server_identify(ServerControl *control, ServerLife *life, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autofree char *pid = g_strdup_printf("%" G_GINT64_FORMAT, life->pid);

	verb_call_add(call, "process", pid, life->exe_identity, NULL);
	server_add_owners(call, control->server);
	if (!target_call(control->target, call, deadline_in(SERVER_CALL_MS),
		&answers, error)) {
		server_give_up(control);
		return false;
	}
	return server_identified(control, answers, life, error);
}
