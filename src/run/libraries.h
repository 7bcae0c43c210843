/*
 * The libraries of a matrix on one target: a preload of a bare name is
 * resolved to the one file it stands for, each is hashed, and each must be
 * proved absent where it is not wanted.
 */
#ifndef RUN_LIBRARIES_H
#define RUN_LIBRARIES_H

#include <stdbool.h>

#include "run/worker.h"

/* Fills worker's resolved, subjects and hashes. */
bool libraries_resolve(Worker *worker, GError **error);

#endif
