/*
 * A load whose link broke: it goes on by itself, and its end is collected
 * once its host can be reached again.
 */
#ifndef RUN_COLLECT_H
#define RUN_COLLECT_H

#include <glib.h>

#include "run/worker.h"

/*
 * Reaches the host again and waits for the end of the load that load_run was
 * told to run in the directory run, and whose link broke; the answer is that
 * of load_run.  The host must be in the boot, and the server in the life, in
 * which the load began.
 *
 * A load that has just begun is soon made again: while the host cannot be
 * reached it is tried for as long as the load had run when its link broke, 15
 * seconds at least, and not beyond deadline.  began_us is the load's begin on
 * the monotonic clock.
 *
 * NULL with ABRUN_ERROR_HOST (not reached again, another boot, no record of
 * the load), _VERIFY (another server), or as of target_call(); all begin with
 * the words of broken.  Free the answer.
 */
VerbAnswer *collect_load(Worker *worker, const char *run, int64_t began_us,
    Deadline deadline, const GError *broken, GError **error);

#endif
