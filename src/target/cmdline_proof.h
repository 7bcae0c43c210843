/*
 * Words of the kernel's command line: those of a setting, and the proof that
 * the running kernel was given what a cell wants and no other cell's.  Pure.
 */
#ifndef TARGET_CMDLINE_PROOF_H
#define TARGET_CMDLINE_PROOF_H

#include <stdbool.h>

#include <glib.h>

#include "matrix/matrix.h"
#include "target/verbs.h"

/* The words of a setting; free it. */
GPtrArray *cmdline_proof_words(const Setting *setting);
/* Whether a command line has the word. */
bool cmdline_proof_has(const char *line, const char *word);

/*
 * Adds the proofs of a cell with these settings, from the answer of
 * boot_state: each word that it wants is there, and each one that only other
 * levels of the matrix want is not.
 */
void cmdline_proof_judge(const Matrix *matrix, const GPtrArray *settings,
    const VerbAnswer *state, GPtrArray *proofs);

#endif
