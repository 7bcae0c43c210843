/*
 * The loads' scripts: relative ones lie on the controller, beside the matrix
 * or where hooks are looked for; each is copied into the work directory of
 * the target and its sha256 proved there.  Absolute ones lie on the target.
 */
#ifndef RUN_SCRIPTS_H
#define RUN_SCRIPTS_H

#include <stdbool.h>

#include "run/worker.h"

/*
 * Copies all scripts that any cell uses into a new work directory and fills
 * worker's scripts.  ABRUN_ERROR_USAGE when one is not there, is no text or
 * is too large; _VERIFY when it does not arrive as it is.
 */
bool scripts_put(Worker *worker, GError **error);
/* The absolute paths that any cell uses (borrowed char *); free the array. */
GPtrArray *scripts_there(const Worker *worker);

#endif
