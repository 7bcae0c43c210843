/*
 * The night: one worker thread a target, signals, and in the morning the
 * reports.
 */
#ifndef RUN_CAMPAIGN_H
#define RUN_CAMPAIGN_H

#include <stdbool.h>

#include <glib.h>

#include "plan/plan.h"
#include "store/store.h"

typedef enum {
	CAMPAIGN_DONE = 0,        /* all cells measured */
	CAMPAIGN_NOTHING = 1,     /* nothing was measured */
	CAMPAIGN_SOME_FAILED = 3, /* some cells failed */
	CAMPAIGN_NOT_STORED = 4,  /* a result could not be stored */
	CAMPAIGN_INTERRUPTED = 130,
} CampaignEnd;

/*
 * Runs what the store does not have yet.  Blocks SIGINT, SIGTERM and, unless
 * it is ignored, SIGHUP in this process and takes them: the first ends the
 * current run, restores and returns; the second leaves the process at once.
 */
CampaignEnd campaign_run(const Plan *plan, Store *store);

/* What the nights so far have come to: _DONE, _NOTHING, _SOME_FAILED... */
CampaignEnd campaign_judge(const Plan *plan, Store *store);

#endif
