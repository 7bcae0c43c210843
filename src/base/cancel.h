/*
 * The wish to stop, shared by all threads.  Asked once: end the current run
 * cleanly, restore, report.  Asked twice: leave at once.  cancel_request() is
 * async-signal-safe; everything else may be called from any thread.
 */
#ifndef BASE_CANCEL_H
#define BASE_CANCEL_H

#include <stdbool.h>

#include <glib.h>

#include "base/deadline.h"

typedef struct Cancel Cancel;

Cancel *cancel_new(GError **error);
void cancel_free(Cancel *cancel);
void cancel_request(Cancel *cancel);
/* How often it was asked: 0, 1, 2...  A NULL cancel was never asked. */
int cancel_level(const Cancel *cancel);
/*
 * A descriptor that is readable once cancel was asked, for poll(2); -1 for a
 * NULL cancel.  Never read from it.
 */
int cancel_fd(const Cancel *cancel);
/*
 * Sleeps until the deadline.  False with ABRUN_ERROR_CANCELLED as soon as
 * cancel is asked.
 */
bool cancel_sleep(const Cancel *cancel, Deadline deadline, GError **error);
/* False with ABRUN_ERROR_CANCELLED when it was asked. */
bool cancel_check(const Cancel *cancel, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Cancel, cancel_free)

#endif
