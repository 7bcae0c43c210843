/*
 * Signs that figures moved while they were measured.
 */
#ifndef ANALYSIS_DRIFT_H
#define ANALYSIS_DRIFT_H

#include "analysis/analysis.h"

/* Adds to analysis->warnings; visits are those of grid_visits(). */
void drift_warn(Analysis *analysis, GHashTable *visits);

#endif
