/*
 * The boot that a block wants, made where another runs.  A reboot takes all
 * that abrun has changed and started with it, so that is undone before, and
 * made again by the visit.
 */
#ifndef RUN_BOOTS_H
#define RUN_BOOTS_H

#include <stdbool.h>

#include "run/visit.h"

/*
 * The boot that runs is the one that the visit's block wants; made if not.
 * worker->no_boot then tells that no further attempt is left.  Errors as of
 * boot_run(), and of what leads to it.
 */
bool boots_have(Worker *worker, const Visit *visit, GError **error);

/* The host is not to be booted any more in this night: see boot_is_hopeless. */
bool boots_are_over(const Worker *worker);

#endif
