/*
 * design.contrasts against the cells there are: a comparison that cannot be
 * made is told before the night, not after it.  Private to plan/.
 */
#ifndef PLAN_QUESTIONS_H
#define PLAN_QUESTIONS_H

#include "plan/plan.h"

/*
 * ABRUN_ERROR_USAGE for the first contrast with a side that has no cell or
 * shares one with the other, without a combination of the other factors that
 * has cells of both, that is asked twice, or that no load can answer.
 */
bool questions_check(const Plan *plan, GError **error);

#endif
