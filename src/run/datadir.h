/*
 * server.datadir_from: each start of the server gets a fresh copy of that
 * directory as its data directory.  The copy is ours, marked as such on the
 * target (see the verb datadir_copy), and a row among the changes to be undone
 * (kind "datadir") lets a later abrun find what a killed one left.
 */
#ifndef RUN_DATADIR_H
#define RUN_DATADIR_H

#include <stdbool.h>

#include "run/worker.h"

#define DATADIR_KIND "datadir"

/*
 * Stops the server and copies; does nothing without datadir_from.  A data
 * directory that holds what abrun did not put there is ABRUN_ERROR_FAILED.
 */
bool datadir_refresh(Worker *worker, GError **error);
/* Removes all copies of this run directory; no server may run on them. */
bool datadir_remove(Worker *worker, GError **error);

#endif
