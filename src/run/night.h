/*
 * All visits of one target that are still to be made, in the plan's order;
 * what fails is tried once more, what cannot be reached is given up.
 */
#ifndef RUN_NIGHT_H
#define RUN_NIGHT_H

#include <stdbool.h>

#include "run/worker.h"

/*
 * Connects, prepares and makes the visits; connects alone where none is left,
 * so that what an earlier night left changed can be undone.  False when the
 * night ended early.
 */
bool night_run(Worker *worker, GError **error);

#endif
