/*
 * The server of a target as a night has it: what starts and stops it, with
 * the undo rows that an interrupted run needs.
 */
#ifndef RUN_SERVE_H
#define RUN_SERVE_H

#include <stdbool.h>

#include "run/worker.h"

/*
 * Starts it for these settings; worker->life is its.  What was left running is
 * stopped first.  Does nothing without a server.
 */
bool serve_start(Worker *worker, const GPtrArray *settings, GError **error);
/* Stops worker->life, if there is one. */
bool serve_stop(Worker *worker, GError **error);

#endif
