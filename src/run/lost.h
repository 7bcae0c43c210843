/*
 * A host that is lost in the midst of a night may only be booting: it is
 * waited for, for as long as the matrix has patience with it.
 */
#ifndef RUN_LOST_H
#define RUN_LOST_H

#include <stdbool.h>

#include "run/worker.h"

/* Kinds of events: one of each pair ends what the other began. */
#define LOST_EVENT "host lost"
#define LOST_EVENT_BACK "host back"
/* The kind of the event that a target is done with for this night. */
#define GIVEN_UP_EVENT "given up"
/* The same, of one that is not to be booted any more. */
#define QUARANTINED_EVENT "quarantined"

/*
 * There is a session, as visit_reach() makes it.  A host that cannot be
 * reached is tried again and again, which is told and stored as events; when
 * its time is over it is gone for this night: worker->gone, and
 * ABRUN_ERROR_HOST.  What waiting does not mend is an error at once.
 */
bool lost_reach(Worker *worker, GError **error);

/* Why the night of a target ended early: told, stored, and sent on. */
void lost_tell_end(Worker *worker);

#endif
