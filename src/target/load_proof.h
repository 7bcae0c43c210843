/*
 * Proofs of a visit without a server, pure: the load is the subject.  What is
 * proved of the host, on both sides of the visit; and of each run, the
 * process that the load became, by the verbs load_prove and load_seen.
 */
#ifndef TARGET_LOAD_PROOF_H
#define TARGET_LOAD_PROOF_H

#include <stdbool.h>

#include <glib.h>

#include "matrix/matrix.h"
#include "target/proof.h"
#include "target/verbs.h"

/* Lists of Setting *: of this cell; see matrix_subjects(). */
typedef struct {
	const GPtrArray *settings;
	const GPtrArray *subjects;
} LoadProofContext;

/* Adds the verbs that read the knobs of the matrix. */
void load_proof_host_ask(VerbCall *call, const LoadProofContext *context);
/*
 * Adds what the answers to them prove, the first of which is answers[0], and
 * that what is proved of a server is not applicable.
 */
void load_proof_host_judge(const LoadProofContext *context,
    const GPtrArray *answers, GPtrArray *proofs);

/*
 * The variable by which a load of that directory and all that it starts are
 * found again; free it.
 */
char *load_proof_mark(const char *directory);
/*
 * Adds the verb that runs a command as the subject: in directory on the host,
 * where run is or will be the directory of the run, with the CPUs and the
 * environment of the cell.
 */
void load_proof_run(VerbCall *call, const char *directory, const char *run,
    const char *timeout_ms, const char *cap_bytes, const GPtrArray *settings,
    const char *command);

/* Adds the verbs that ask what was seen of a run, by its directory. */
void load_proof_ask(
    VerbCall *call, const LoadProofContext *context, const char *run);
/*
 * Adds what the answers to them prove: variables, libraries and CPUs of the
 * process, and its binary against known, path to sha256; one not known yet is
 * learned.  A library is proved of a program only: a shell is not what the
 * preload is about, and a program that was over before it could be looked at
 * is unknown.
 */
void load_proof_judge(const LoadProofContext *context, const char *command,
    const GPtrArray *answers, GHashTable *known, GPtrArray *proofs);

/* The program that was seen, from the same answers; NULL if none was. */
const char *load_proof_program(const GPtrArray *answers);

#endif
