/*
 * What is done once a night on a target: before the first visit libraries are
 * resolved, scripts copied, programs hashed and the loads' data set up; after
 * the last one everything is taken away again.
 */
#ifndef RUN_PREPARE_H
#define RUN_PREPARE_H

#include <stdbool.h>

#include "run/worker.h"

/*
 * Undoes what an earlier night left changed: whether its changes are still in
 * force nobody knows.  What cannot be undone is told.
 */
bool prepare_undo(Worker *worker, GError **error);
bool prepare_target(Worker *worker, GError **error);
/* Parts of that: the load generator is found, hashed, its version told; */
bool prepare_tool(Worker *worker, const Load *load, GError **error);
/* the server is started with nothing set, and known from then on. */
bool prepare_server(Worker *worker, GError **error);
/*
 * Cleans up the loads' data, stops the server, undoes every change and
 * removes the work directory.  Goes on after a failure and tells the first;
 * what could not be undone stays in the store.
 */
bool prepare_finish(Worker *worker, GError **error);

#endif
