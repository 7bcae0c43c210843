/*
 * How a night comes to its host: by one login, unless an earlier night has
 * told that host to reboot and was killed.  Then it may not be there, or answer
 * only until it is down.
 */
#ifndef RUN_ARRIVE_H
#define RUN_ARRIVE_H

#include <stdbool.h>

#include "run/worker.h"

/* A session; a host that may be booting is waited for, as by lost_reach(). */
bool arrive_log_in(Worker *worker, GError **error);

/*
 * The boot that a host may have been told to begin is over, or it has said for
 * as long as it has patience that it is not: what is there then is judged by
 * the boots of this night.
 */
bool arrive_settle(Worker *worker, GError **error);

#endif
