/*
 * Proofs: what was wanted, what was seen, whether it holds.  Judging is pure:
 * verb answers and SQL values go in, proofs come out.
 */
#ifndef TARGET_PROOF_H
#define TARGET_PROOF_H

#include <stdbool.h>

#include <glib.h>

#include "base/failure.h"

typedef enum {
	PROOF_YES,
	PROOF_NO,
	PROOF_UNKNOWN,
	PROOF_NOT_APPLICABLE,
} ProofVerdict;

/* "yes", "no", "unknown", "not applicable" */
const char *proof_verdict_name(ProofVerdict verdict);

/*
 * Proof.wanted of a tunable that the cell leaves as it was: the floor that
 * looks does not know what that is, so the verdict is PROOF_UNKNOWN until one
 * that keeps the old value judges it.
 */
#define PROOF_WANTED_BEFORE "what it was before"
/* What is seen of a tunable that this system does not have. */
#define PROOF_SEEN_ABSENT "no such thing here"

typedef struct {
	char *what;   /* "library", "environment", "owner", "sysctl"... */
	char *about;  /* its name: a path, a variable, an option; "" if none */
	char *wanted; /* "absent" where that was wanted */
	char *seen;
	ProofVerdict verdict;
} Proof;

Proof *proof_new(const char *what, const char *about, const char *wanted,
    const char *seen, ProofVerdict verdict);
void proof_free(Proof *proof);
/*
 * "library: wanted /usr/lib/libjemalloc.so.2 mapped, seen not mapped": all
 * that do not hold (NO or UNKNOWN), joined by "; "; NULL when all hold.  Free
 * it.
 */
char *proofs_failures(const GPtrArray *proofs);
/*
 * The name of the first that does not hold; of those that could not be had
 * only where there is no other.  FAILURE_NONE when all hold.
 */
Failure proofs_failure(const GPtrArray *proofs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Proof, proof_free)

#endif
