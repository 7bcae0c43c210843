/*
 * From factors to cells: the full product in the factors' order, last factor
 * fastest, less exclude, with include, and the cell of design.aa at the end.
 * Private to plan/.
 */
#ifndef PLAN_CELLS_H
#define PLAN_CELLS_H

#include "plan/plan.h"

/*
 * Fills cells, excluded, baseline, boot_class, n_boots and n_servers of the
 * plan.  Errors as plan_new().
 */
bool cells_expand(Plan *plan, GError **error);

#endif
