/*
 * The data that the loads work on: made by their setups, put back by resets,
 * compared with what they were before loads run, removed in the end.  The
 * rules are in state_log.h and, for users, in abrun-matrix(5), DATA.
 */
#ifndef RUN_STATE_H
#define RUN_STATE_H

#include <stdbool.h>

#include "run/worker.h"

/*
 * Runs all setups and keeps what the tables are then.  In a night that goes
 * on with an earlier one all that can be reset is reset as well, since that
 * one may have been cut off, and the data must be those of the first night:
 * else ABRUN_ERROR_VERIFY.  The server must run.
 */
bool state_set_up(Worker *worker, GError **error);
/* Runs the cleanup of one load, unless another's that is in done is it. */
bool state_clean_up(
    Worker *worker, size_t load, GHashTable *done, GError **error);

/*
 * A start begins: what must be is reset for the loads that read.  With
 * datadir_from all setups are run instead, on the fresh copy.
 */
bool state_start(Worker *worker, size_t round, GError **error);
/*
 * Before a run: resets if one is due, looks at the tables if need be.  *changed
 * is then NULL, or why the run would be of other data; it is the state's.
 */
bool state_ready(
    Worker *worker, size_t load, const char **changed, GError **error);

#endif
