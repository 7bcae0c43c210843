/*
 * One load of one cell: warm-up and runs.  Each run is stored before the next
 * begins; a failed run is data and does not end the visit.
 */
#ifndef RUN_MEASURE_H
#define RUN_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "load/load.h"
#include "run/visit.h"

bool measure_step(Worker *worker, const Visit *visit, int64_t start,
    const PlanStep *step, GError **error);

/* What became of a command run through load_run; strings are the answer's. */
bool measure_output(
    const VerbAnswer *answer, LoadOutput *output, GError **error);

/* Whether a load's setup, prepare or cleanup (what) ended well. */
bool measure_succeeded(const Load *load, const char *what,
    const LoadOutput *output, GError **error);

/*
 * Runs one command on the client host and waits for its end; the answer is
 * the verb's.  Shared with prepare.c.  Free it.
 */
VerbAnswer *measure_execute(
    Worker *worker, const char *command, int64_t timeout_ms, GError **error);

/*
 * The same.  settings: of the cell, where they act on the load; else NULL.  A
 * run of a load is marked, and what it leaves is ended with it.
 */
VerbAnswer *measure_execute_with(Worker *worker, const GPtrArray *settings,
    bool is_run, const char *command, int64_t timeout_ms, GError **error);

#endif
