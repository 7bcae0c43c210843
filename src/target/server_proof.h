/*
 * The proofs of one side of a visit, pure: which verbs to ask, and what their
 * answers and the server's variables prove.  server.h is the public face;
 * this is for target/ and its tests.
 *
 * The process (boot id, pid and start time, binary and its sha256), the owner
 * of socket and port, and the variables that can change which code runs are
 * proved for every server; libraries, CPUs, tunables and options for the
 * subjects of the matrix.  An answer that did not come, tore, or says that it
 * cannot tell gives "unknown", which never holds.
 */
#ifndef TARGET_SERVER_PROOF_H
#define TARGET_SERVER_PROOF_H

#include <stdbool.h>

#include <glib.h>

#include "matrix/matrix.h"
#include "target/proof.h"
#include "target/server.h"
#include "target/verbs.h"

/* Below /sys: the CPUs that an unpinned server may run on. */
#define PROOF_CPUS_ONLINE "devices/system/cpu/online"

/* What the verb get calls a program's thread library that a file chooses. */
#define PROOF_LIBMAP "libmap"

/* systemd gives each start of a unit this variable of another value. */
#define PROOF_INVOCATION "INVOCATION_ID"

/* All that is judged against; owned by the caller. */
typedef struct {
	const Server *server;
	const ServerLife *life;
	const GPtrArray *settings; /* Setting, of this cell */
	const GPtrArray *subjects; /* Setting, see matrix_subjects() */
} ProofContext;

/* The verbs, each a GStrv that starts with the verb's name; unref it. */
GPtrArray *server_proof_verbs(const ProofContext *context);

/*
 * Adds the proofs that the answers to those verbs give.  The verbs may stand
 * anywhere in the call, but together and in order; false with
 * ABRUN_ERROR_VERIFY where they do not.
 */
bool server_proof_judge(const ProofContext *context, const GPtrArray *answers,
    GPtrArray *proofs, GError **error);

/* What one side's judging needs besides. */
typedef struct {
	const ProofContext *context;
	GPtrArray *environment; /* NAME=VALUE of this cell */
	const char *online;     /* list of CPUs, NULL if not known */
	GPtrArray *proofs;
} ProofJudge;

void server_proof_add(ProofJudge *judge, const char *what, const char *about,
    const char *wanted, const char *seen, ProofVerdict verdict);
ProofVerdict server_proof_yes_if(bool holds);
/* Why an answer is not VERB_DONE, for Proof.seen; belongs to the answer. */
const char *server_proof_trouble(const VerbAnswer *answer);

/* In server_ask.c: parts of those verbs, which a load without server needs. */

/* The names of all variables that are proved, of each once. */
void server_proof_add_names(GPtrArray *words, const ProofContext *context);
/* Libraries of all cells, and of this one should it not be among them. */
void server_proof_add_files(GPtrArray *words, const ProofContext *context);
/* A verb for each knob of the matrix. */
void server_proof_tunables(GPtrArray *verbs, const ProofContext *context);
bool server_proof_has_kind(const GPtrArray *settings, SettingKind kind);

/*
 * In cell_proof.c: what one verb's answer proves of the cell's own settings.
 * words are the verb and its arguments.
 */
void server_proof_environ(
    ProofJudge *judge, char *const *words, const VerbAnswer *answer);
void server_proof_libraries(
    ProofJudge *judge, char *const *words, const VerbAnswer *answer);
void server_proof_threads(
    ProofJudge *judge, char *const *words, const VerbAnswer *answer);
void server_proof_get(
    ProofJudge *judge, char *const *words, const VerbAnswer *answer);

/* In option_proof.c. */

/*
 * The statement that reads all that option_proof_values() needs; rows are
 * name, value.  Free it.
 */
char *option_proof_statement(const ProofContext *context);
/*
 * Each option of the matrix by the server's own word, and its version.
 * values: lower-case name to value; NULL with trouble (why they could not be
 * had), and all is unknown.  An option that no variable shows is unknown.
 */
void option_proof_values(const ProofContext *context, GHashTable *values,
    const char *trouble, GPtrArray *proofs);
/*
 * Each option of the matrix by the process's arguments: given last with the
 * exact value, or nowhere; where the server's own command gives it and the
 * cell does not, with the command's value.
 */
void option_proof_arguments(
    const ProofContext *context, const VerbAnswer *answer, GPtrArray *proofs);

#endif
