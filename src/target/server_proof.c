#include "target/server_proof.h"

#include <string.h>

#include "base/failure.h"
#include "target/owner.h"
#include "target/startup.h"

void
server_proof_add(ProofJudge *judge, const char *what, const char *about,
    const char *wanted, const char *seen, ProofVerdict verdict)
{
	g_ptr_array_add(
	    judge->proofs, proof_new(what, about, wanted, seen, verdict));
}

ProofVerdict
server_proof_yes_if(bool holds)
{
	return holds ? PROOF_YES : PROOF_NO;
}

const char *
server_proof_trouble(const VerbAnswer *answer)
{
	const char *text = verb_answer_get(answer, "error");

	if (text != NULL)
		return text;
	switch (answer->status) {
	case VERB_DONE:
		return "the answer lacks what was asked for";
	case VERB_FAILED:
		return "the look-up failed";
	case VERB_ABSENT:
		return "no such thing here";
	case VERB_UNKNOWN:
		return "no whole answer";
	}
	g_assert_not_reached();
}

/* What judges: one function a verb. */

static void
judge_boot_id(ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	const char *wanted = judge->context->life->boot_id;
	const char *seen = verb_answer_get(answer, "boot_id");

	(void)words;
	if (answer->status != VERB_DONE || seen == NULL || *seen == '\0')
		server_proof_add(judge, "boot", "", wanted,
		    server_proof_trouble(answer), PROOF_UNKNOWN);
	else
		server_proof_add(judge, "boot", "", wanted, seen,
		    server_proof_yes_if(strcmp(wanted, seen) == 0));
}

static char *
identity(const char *pid, const char *start)
{
	return g_strdup_printf("pid %s started at %s", pid, start);
}

static void
judge_binary(ProofJudge *judge, const VerbAnswer *answer)
{
	const ServerLife *life = judge->context->life;
	const char *exe = verb_answer_get(answer, "exe");
	const char *sha256 = verb_answer_get(answer, "exe_sha256");
	const char *same = verb_answer_get(answer, "exe_identity");

	if (exe != NULL && sha256 == NULL && same != NULL &&
	    g_strcmp0(same, life->exe_identity) == 0 &&
	    strcmp(exe, life->exe) == 0) {
		g_autofree char *seen =
		    g_strdup_printf("%s by unchanged inode, size and times %s",
			life->exe_sha256, same);

		server_proof_add(judge, "binary", life->exe, life->exe_sha256,
		    seen, PROOF_YES);
		return;
	}
	if (exe == NULL || sha256 == NULL || strlen(sha256) != 64) {
		server_proof_add(judge, "binary", life->exe, life->exe_sha256,
		    "it cannot be read", PROOF_UNKNOWN);
		return;
	}

	g_autofree char *seen = strcmp(exe, life->exe) == 0
	    ? g_strdup(sha256)
	    : g_strdup_printf("%s %s", exe, sha256);

	server_proof_add(judge, "binary", life->exe, life->exe_sha256, seen,
	    server_proof_yes_if(strcmp(seen, life->exe_sha256) == 0));
}

static void
judge_process(ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	const ServerLife *life = judge->context->life;
	const char *pid = verb_answer_get(answer, "pid");
	const char *start = verb_answer_get(answer, "start");
	g_autofree char *wanted = identity(words[1], life->start);

	if (answer->status == VERB_ABSENT) {
		server_proof_add(
		    judge, "process", "", wanted, "no such process", PROOF_NO);
		return;
	}
	if (answer->status != VERB_DONE || pid == NULL || start == NULL) {
		server_proof_add(judge, "process", "", wanted,
		    server_proof_trouble(answer), PROOF_UNKNOWN);
		return;
	}

	g_autofree char *seen = identity(pid, start);

	server_proof_add(judge, "process", "", wanted, seen,
	    server_proof_yes_if(strcmp(wanted, seen) == 0));
	judge_binary(judge, answer);
}

static void
judge_owner(ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	g_autoptr(GPtrArray) pids = verb_answer_all(answer, "pid");
	g_autoptr(GPtrArray) starts = verb_answer_all(answer, "start");
	Owner other;
	g_autofree char *about = g_strdup_printf("%s %s", words[1], words[2]);
	g_autofree char *pid =
	    g_strdup_printf("%" G_GINT64_FORMAT, judge->context->life->pid);
	g_autofree char *wanted = identity(pid, judge->context->life->start);

	if (answer->status == VERB_ABSENT) {
		server_proof_add(
		    judge, "owner", about, wanted, "nobody listens", PROOF_NO);
		return;
	}
	if (answer->status != VERB_DONE || pids->len == 0 ||
	    pids->len != starts->len) {
		server_proof_add(judge, "owner", about, wanted,
		    server_proof_trouble(answer), PROOF_UNKNOWN);
		return;
	}
	if (owner_other(answer, pid, judge->context->life->start, &other)) {
		g_autofree char *who = identity(other.pid, other.start);
		g_autofree char *seen =
		    g_strdup_printf("%s (%s)", who, other.comm);

		server_proof_add(judge, "owner", about, wanted, seen, PROOF_NO);
		return;
	}
	server_proof_add(judge, "owner", about, wanted, wanted, PROOF_YES);
}

/* It is still the start that was asked for, and no other. */
static void
judge_service(ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	const char *wanted = judge->context->life->invocation;
	const char *seen = verb_answer_get(answer, "invocation");

	if (wanted == NULL)
		server_proof_add(judge, "invocation", words[1],
		    "told by systemd", "a script starts the service",
		    PROOF_NOT_APPLICABLE);
	else if (answer->status != VERB_DONE || seen == NULL)
		server_proof_add(judge, "invocation", words[1], wanted,
		    server_proof_trouble(answer), PROOF_UNKNOWN);
	else
		server_proof_add(judge, "invocation", words[1], wanted, seen,
		    server_proof_yes_if(strcmp(wanted, seen) == 0));
}

static void
judge_cmdline(ProofJudge *judge, char *const *words, const VerbAnswer *answer)
{
	(void)words;
	option_proof_arguments(judge->context, answer, judge->proofs);
}

static const struct {
	const char *verb;
	void (*judge)(ProofJudge *, char *const *words, const VerbAnswer *);
} judges[] = {
	{ "boot_id", judge_boot_id },
	{ "process", judge_process },
	{ "owner", judge_owner },
	{ "service", judge_service },
	{ "environ", server_proof_environ },
	{ "libraries", server_proof_libraries },
	{ "threads", server_proof_threads },
	{ "get", server_proof_get },
	{ "cmdline", judge_cmdline },
};

/* Where the answers to these verbs begin, or answers->len. */
static guint
find_verbs(const GPtrArray *answers, const GPtrArray *verbs)
{
	for (guint first = 0; first + verbs->len <= answers->len; first++) {
		guint same = 0;

		while (same < verbs->len) {
			const VerbAnswer *answer =
			    g_ptr_array_index(answers, first + same);
			char *const *words = g_ptr_array_index(verbs, same);

			if (strcmp(answer->verb, words[0]) != 0)
				break;
			same++;
		}
		if (same == verbs->len)
			return first;
	}
	return answers->len;
}

bool
server_proof_judge(const ProofContext *context, const GPtrArray *answers,
    GPtrArray *proofs, GError **error)
{
	g_autoptr(GPtrArray) verbs = server_proof_verbs(context);
	g_autoptr(GPtrArray) environment =
	    startup_environment(context->settings);
	ProofJudge judge = { context, environment, NULL, proofs };
	guint first = find_verbs(answers, verbs);

	if (first == answers->len) {
		failure_set(error, FAILURE_PROOF_UNKNOWN, ABRUN_ERROR_VERIFY,
		    "the server cannot be proved: the call did not ask for it");
		return false;
	}
	for (guint i = 0; i < verbs->len; i++) {
		char *const *words = g_ptr_array_index(verbs, i);

		for (size_t j = 0; j < G_N_ELEMENTS(judges); j++)
			if (strcmp(judges[j].verb, words[0]) == 0)
				judges[j].judge(&judge, words,
				    g_ptr_array_index(answers, first + i));
	}
	return true;
}
