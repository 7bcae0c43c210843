/*
 * From p-values to verdicts.  Holm's family is every contrast of every load's
 * primary metric that has a p; a difference is shown when its adjusted p is
 * below 1 less the level, .05.
 */
#ifndef ANALYSIS_VERDICT_H
#define ANALYSIS_VERDICT_H

#include <glib.h>

#include "analysis/analysis.h"

/* Fills p_holm, verdict, detectable and remark; returns the family's size. */
size_t verdicts_set(GPtrArray *loads, double margin_percent, double level);
/* A rate or a time: what changes is speed. */
bool metric_is_speed(const DataMetric *metric);
/* Something per time: more of it is faster. */
bool metric_is_rate(const DataMetric *metric);

#endif
