#include "target/proof.h"

#include <string.h>

#include "matrix/matrix.h"

const char *
proof_verdict_name(ProofVerdict verdict)
{
	switch (verdict) {
	case PROOF_YES:
		return "yes";
	case PROOF_NO:
		return "no";
	case PROOF_UNKNOWN:
		return "unknown";
	case PROOF_NOT_APPLICABLE:
		return "not applicable";
	}
	g_assert_not_reached();
}

Proof *
proof_new(const char *what, const char *about, const char *wanted,
    const char *seen, ProofVerdict verdict)
{
	Proof *proof = g_new0(Proof, 1);

	proof->what = g_strdup(what);
	proof->about = g_strdup(about);
	proof->wanted = g_strdup(wanted);
	proof->seen = g_strdup(seen);
	proof->verdict = verdict;
	return proof;
}

void
proof_free(Proof *proof)
{
	if (proof == NULL)
		return;
	g_free(proof->what);
	g_free(proof->about);
	g_free(proof->wanted);
	g_free(proof->seen);
	g_free(proof);
}

static bool
proof_holds(const Proof *proof)
{
	switch (proof->verdict) {
	case PROOF_YES:
	case PROOF_NOT_APPLICABLE:
		return true;
	case PROOF_NO:
	case PROOF_UNKNOWN:
		return false;
	}
	g_assert_not_reached();
}

char *
proofs_failures(const GPtrArray *proofs)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < proofs->len; i++) {
		const Proof *proof = g_ptr_array_index(proofs, i);

		if (proof_holds(proof))
			continue;
		g_string_append_printf(text, "%s%s: wanted %s%s%s, %s %s",
		    text->len == 0 ? "" : "; ", proof->what, proof->about,
		    *proof->about == '\0' ? "" : " ", proof->wanted,
		    proof->verdict == PROOF_UNKNOWN ? "unknown:" : "seen",
		    proof->seen);
	}
	if (text->len == 0)
		return NULL;
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* What a proof is about is a kind of setting, or one of these. */
static const struct {
	const char *what;
	Failure failure;
} names[] = {
	{ "boot", FAILURE_UNEXPECTED_REBOOT },
	{ "kernel", FAILURE_WRONG_KERNEL },
	{ "cmdline", FAILURE_TUNABLE_LOST },
	{ "libmap", FAILURE_TUNABLE_LOST },
	{ "loader", FAILURE_TUNABLE_LOST },
	{ "process", FAILURE_SERVER_EXITED },
	{ "owner", FAILURE_STALE_SERVER },
	{ "uptime", FAILURE_STALE_SERVER },
	{ "binary", FAILURE_SOFTWARE_CHANGED },
	{ "sha256", FAILURE_SOFTWARE_CHANGED },
	{ "version", FAILURE_SOFTWARE_CHANGED },
	{ "library", FAILURE_WRONG_LIBRARY },
	{ "environment", FAILURE_WRONG_ENVIRONMENT },
	{ "argument", FAILURE_WRONG_OPTION },
	{ "option", FAILURE_WRONG_OPTION },
	{ "cpuset", FAILURE_WRONG_CPUS },
	{ "during", FAILURE_DURING_DIED },
	{ "expect", FAILURE_EXPECT_FAILED },
	{ "verify", FAILURE_VERIFY_FAILED },
};

static Failure
failure_of_proof(const Proof *proof)
{
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(names[i].what, proof->what) == 0)
			return names[i].failure;
	for (int kind = 0; kind < SETTING_KINDS; kind++)
		if (strcmp(setting_kind_name((SettingKind)kind), proof->what) ==
		    0)
			return FAILURE_TUNABLE_LOST;
	return FAILURE_PROOF_FAILED;
}

Failure
proofs_failure(const GPtrArray *proofs)
{
	Failure failure = FAILURE_NONE;

	for (guint i = 0; i < proofs->len; i++) {
		const Proof *proof = g_ptr_array_index(proofs, i);

		if (proof->verdict == PROOF_NO)
			return failure_of_proof(proof);
		if (proof->verdict == PROOF_UNKNOWN)
			failure = FAILURE_PROOF_UNKNOWN;
	}
	return failure;
}
