/*
 * The power of a host: the programs of hooks/power that the matrix gives, tried
 * one after the other until one has turned it off and on; what each is to do,
 * and what came of it, is judged by target/power_judge.h.
 */
#ifndef RUN_POWER_H
#define RUN_POWER_H

#include <stdbool.h>

#include "run/worker.h"

/* Kind of the events that tell each step. */
#define POWER_EVENT "power"

/* Whether the matrix gives any. */
bool power_is_known(const Host *host);

/* Whether all programs that the matrix names are there: ABRUN_ERROR_USAGE. */
bool power_check(const Matrix *matrix, GError **error);

/*
 * Whether one of them, by its words, says that the host is on; changes nothing.
 * False with what it says instead.
 */
bool power_is_on(Worker *worker, const char *words, GError **error);

/*
 * Off, seen to be off, on, seen to be on.  *means is the one that did it,
 * borrowed.  ABRUN_ERROR_HOST, FAILURE_POWER_FAILED if none could.  Once the
 * host was told to be off no signal and no failure to store ends this; that
 * failure is the error when all is done.
 */
bool power_cycle(Worker *worker, const char **means, GError **error);

/* Whether a host of this process was told so and may be off; any thread. */
bool power_is_any_cut(void);

#endif
