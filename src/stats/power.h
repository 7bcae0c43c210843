/*
 * What a number of runs can show: power of the t test by the noncentral t
 * distribution, two-sided with both tails counted.  On logs a difference of
 * log1p(.01) is an effect of 1 %, and sd is about the coefficient of
 * variation.
 */
#ifndef STATS_POWER_H
#define STATS_POWER_H

#include <stddef.h>

/* More than anybody makes; runs_needed() stops there. */
#define STATS_MOST_RUNS 1000000

/*
 * Smallest difference that a t test with this standard error and these
 * degrees of freedom shows with this power at the two-sided level; NAN
 * without a positive standard error.
 */
double stats_detectable_difference(
    double se, double df, double level, double power);
/*
 * Power of the pooled t test of two sets of n values each whose means differ
 * by difference; NAN for n < 2 or without a positive sd.
 */
double stats_power(double difference, double sd, size_t n, double level);
/*
 * The least n of each set, 2 at least, that shows the difference with this
 * power; 0 where STATS_MOST_RUNS would not do or something is not positive.
 * Without any variance (sd 0) it is 2.
 */
size_t stats_runs_needed(
    double difference, double sd, double level, double power);
/* The least n of each set whose interval's half width is expected <= half. */
size_t stats_runs_for_half_width(double half, double sd, double level);

#endif
