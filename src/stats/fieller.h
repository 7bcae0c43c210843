/*
 * The ratio of two arithmetic means, test / base, with an interval that knows
 * the base's mean to be uncertain (Fieller 1954).  Where the base's mean is
 * not told from 0 at this level the ratio could be anything: low and high are
 * NAN then, and where a set has fewer than 2 values or neither varies.
 *
 * stats_welch_log() compares geometric means instead, and is the rule.
 */
#ifndef STATS_FIELLER_H
#define STATS_FIELLER_H

#include "stats/stats.h"

/* Each mean with its own t quantile (Kalibera and Jones 2013). */
Interval stats_kalibera_jones(
    const Summary *base, const Summary *test, double level);
/* Of the same variance in both sets: n + m - 2 degrees of freedom. */
Interval stats_fieller_pooled(
    const Summary *base, const Summary *test, double level);
/*
 * Of different variances, degrees of freedom after Satterthwaite at the ratio
 * that was estimated; df, if it is not NULL, is set to them.
 */
Interval stats_fieller_welch(
    const Summary *base, const Summary *test, double level, double *df);

#endif
