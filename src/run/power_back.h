/*
 * The last way to have a host back: its power is cut, and then its default
 * kernel must run.
 */
#ifndef RUN_POWER_BACK_H
#define RUN_POWER_BACK_H

#include <stdbool.h>

#include "run/worker.h"

typedef enum {
	POWER_NO_WAY,     /* no means, or they have failed before */
	POWER_OTHER_WAY,  /* it is there, and does not let us in */
	POWER_NOT_NEEDED, /* it is there: its client host may not be */
	POWER_LAST_WAY,
} PowerNeed;

/*
 * What is left for a target that is lost; tries to log in once more, unless
 * there is no way.  *why is what came of that, NULL where it let us in.
 */
PowerNeed power_need(Worker *worker, const Cancel *cancel, GError **why);
/*
 * Whether that is the answer to a reboot that failed so: the host does not go
 * down, or does not come up.
 */
bool power_is_due(const Worker *worker, const GError *failure);

/*
 * Cuts the power, waits for the boot and proves that it is of the kernel
 * fallback, booting that if need be; nothing of an earlier boot is then to be
 * undone.  old_boot is what ran before, or NULL.  The target is worker->target;
 * its session is then in the new boot.  What failed is not tried again.
 */
bool power_recover(
    Worker *worker, const char *fallback, const char *old_boot, GError **error);

/*
 * The same for a host that is not there, by a session of its own, and with
 * whatever is its default; all that was known of its boot is forgotten.
 */
bool power_bring_back(Worker *worker, GError **error);

#endif
