/*
 * The evening before: every host of a plan is logged in to, locked and looked
 * at, the servers are started for a few cells that hold every level, and
 * proved as in a night, without a load; all is undone again.  What is changed
 * on hosts is journalled there as in a night, so abrun restore puts back what
 * a killed check left.  Nothing of it is kept here.
 */
#ifndef RUN_CHECK_H
#define RUN_CHECK_H

#include "plan/plan.h"
#include "run/findings.h"

/*
 * One target after the other, in the matrix's order, each with its client
 * host.  Findings are printed as they are found.  Takes signals as
 * campaign_run() does.  Returns an exit status: findings_status(), or
 * CAMPAIGN_INTERRUPTED, or CAMPAIGN_NOT_STORED when the private directory
 * cannot be used.
 */
int check_run(const Plan *plan, Findings *findings);

#endif
