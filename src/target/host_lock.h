/*
 * The lock of a host: one abrun at a time uses it.  A process on the host
 * holds it as long as its channel is open, and gives it back at end of file,
 * also when its controller died; a link that broke unseen is outlived by its
 * lease, but not towards the same run, which is known by its token.  The
 * holder renews the lease by itself: nothing is sent while loads run.
 *
 * For one thread, besides a thread of its own within.  Two locks with one
 * token take it away from each other: of a host that several workers use, one
 * alone keeps the lock.
 */
#ifndef TARGET_HOST_LOCK_H
#define TARGET_HOST_LOCK_H

#include <stdbool.h>

#include <glib.h>

#include "target/target.h"

typedef struct HostLock HostLock;

/*
 * Takes the lock of the target's host for a run directory.  *told, if not
 * NULL, is set to what a person should know of the lock before, such as that
 * it was stale, or to NULL; free it.
 *
 * ABRUN_ERROR_HOST when another abrun has it (the message says who, and since
 * when) or the host cannot be asked; _FAILED, _TIMEOUT, _CANCELLED.
 */
HostLock *host_lock_take(Target *target, const char *token,
    const char *directory, Deadline deadline, char **told, GError **error);
/* The lock is still held, as far as is known without asking. */
bool host_lock_held(HostLock *lock);
/* Gives it back. */
void host_lock_free(HostLock *lock);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(HostLock, host_lock_free)

#endif
