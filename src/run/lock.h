/*
 * The lock of a target for this run: nobody else may use the host meanwhile.
 */
#ifndef RUN_LOCK_H
#define RUN_LOCK_H

#include <stdbool.h>

#include "run/worker.h"

/*
 * The locks of client hosts, which all workers of a night share, by the number
 * of the host: each is used in a turn at it, and kept to the night's end.
 * There is none of the controller.
 */
struct SharedLock {
	HostLock *lock;
	char *token;
};

SharedLock *shared_locks_new(const Matrix *matrix);
void shared_locks_free(SharedLock *locks, const Matrix *matrix);

/*
 * Takes the lock of worker->target, or keeps it where it is held.  The token,
 * by which a host knows the run again when a link broke unseen, is made once
 * and stored.  ABRUN_ERROR_HOST when another abrun has the host.
 */
bool lock_host(Worker *worker, GError **error);

#endif
