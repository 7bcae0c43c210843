/*
 * What weakens a result, in words that stand directly under it.
 */
#ifndef ANALYSIS_WARNINGS_H
#define ANALYSIS_WARNINGS_H

#include "analysis/analysis.h"

/*
 * Adds to analysis->warnings, the weightiest first; counts, failures, loads
 * and verdicts are there.  Visits are those of grid_visits().
 */
void warnings_add(Analysis *analysis, GHashTable *visits);

#endif
