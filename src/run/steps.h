/*
 * The steps around a visit: programs of hooks/visit that the matrix names, run
 * on the controller, in order before it and in the other order after it.
 */
#ifndef RUN_STEPS_H
#define RUN_STEPS_H

#include <stdbool.h>

#include "run/visit.h"

/* Whether all that the matrix names are there: ABRUN_ERROR_USAGE. */
bool steps_check(const Matrix *matrix, GError **error);

/*
 * visit_run() between them.  One that fails before fails the visit, which is
 * not begun; those that came before it are still run after it.  One that
 * fails after is an event.
 */
bool steps_visit(Worker *worker, const Visit *visit, GError **error);

#endif
