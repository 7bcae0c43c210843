/*
 * Private directories on a target, one for each night, in which the server's
 * log and the loads' runs lie.  Each has a row among the changes to be undone
 * (kind "workdir"), so that a later abrun finds what a killed one left there:
 * a server and loads that still run, and the directory.
 */
#ifndef RUN_WORKDIR_H
#define RUN_WORKDIR_H

#include <stdbool.h>

#include "run/worker.h"

#define WORKDIR_KIND "workdir"

/* Makes worker->work_dir, when there is none. */
bool workdir_make(Worker *worker, GError **error);
/* Ends the loads that still run in it. */
bool workdir_end_loads(Worker *worker, GError **error);
/* Stops the server that was started from it, whatever worker->life says. */
bool workdir_end_server(Worker *worker, GError **error);
/* Removes it, and what it holds. */
bool workdir_remove(Worker *worker, GError **error);
/*
 * Ends and removes what earlier nights of this run directory left on the
 * target.  What cannot be removed is told and stays in the store.
 */
bool workdir_clear_old(Worker *worker, GError **error);

#endif
