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
/* Its parts: the server's commands, each level of the matrix, */
bool resolve_server(Worker *worker, GError **error);
bool resolve_level(Worker *worker, const Level *level, GError **error);
/* and then all that is to be proved absent where it is not wanted. */
void resolve_subjects(Worker *worker);

/*
 * From now on a file of the host is proved to be what it is now.
 * ABRUN_ERROR_USAGE when it is not there.
 */
bool resolve_hash(Worker *worker, const char *path, GError **error);

#endif
