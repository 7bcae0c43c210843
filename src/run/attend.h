/*
 * What main does while threads work: it waits for their end and for signals,
 * of which the first ends the work in order and the second leaves at once,
 * but for a host that is to be turned on.
 */
#ifndef RUN_ATTEND_H
#define RUN_ATTEND_H

#include <pthread.h>
#include <stdbool.h>

#include <glib.h>

#include "base/cancel.h"

typedef struct {
	pthread_t thread;
	bool started;
	bool ended;
} Attended;

/*
 * Blocks SIGINT, SIGTERM and, unless it is ignored, SIGHUP in this process:
 * before the first thread is made.
 */
void attend_block(void);
/* False where no thread can be made, which is told. */
bool attend_start(Attended *attended, void *(*work)(void *), void *argument);
/*
 * Returns when all (Attended *) have ended.  The first signal asks work to
 * stop; the second leaves the process with CAMPAIGN_INTERRUPTED at once,
 * after saying how what is left is undone.  Where a host's power is off it
 * leaves when that is on again, or at the third.
 */
void attend(const GPtrArray *all, Cancel *work, Cancel *cleanup,
    const char *how_undone);

#endif
