/*
 * What a matrix says, as one target takes it: a preload of a bare name is
 * resolved to the one file it stands for and hashed, and each library must be
 * proved absent where it is not wanted; templates of the user's own commands
 * and of the server's are expanded.
 */
#ifndef RUN_RESOLVE_H
#define RUN_RESOLVE_H

#include <stdbool.h>

#include "run/worker.h"

/* Fills worker's resolved, subjects, hashes and server. */
bool resolve_settings(Worker *worker, GError **error);

#endif
