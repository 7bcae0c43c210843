/*
 * What happened in the night: how much was done, visits and runs that gave
 * nothing, runs that were flagged, what was proved.
 */
#ifndef ANALYSIS_NIGHT_H
#define ANALYSIS_NIGHT_H

#include "analysis/analysis.h"

/*
 * Fills counts, failures, flags and proofs; visits are those of
 * grid_visits().
 */
void night_count(Analysis *analysis, GHashTable *visits);
#endif
