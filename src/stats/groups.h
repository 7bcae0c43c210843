/*
 * Several sets at once, each taken for a sample of the same variance: one-way
 * analysis of variance, and all pairs after Tukey and Kramer.
 */
#ifndef STATS_GROUPS_H
#define STATS_GROUPS_H

#include "stats/stats.h"

typedef struct {
	double between, within;       /* sums of squares */
	double df_between, df_within; /* k - 1, N - k */
	double f, p; /* NAN where no value differs from its set's others */
} Anova;

/*
 * Sums are of differences from the first value of all, so that a large common
 * offset costs only the digits it has cost the values themselves.  NANs where
 * there are fewer than 2 sets, an empty one, no degrees of freedom, or a value
 * that is not finite.
 */
Anova stats_anova(
    const double *const *groups, const size_t *lengths, size_t n_groups);

typedef struct {
	Interval difference; /* test - base, simultaneous over all pairs */
	double p;            /* adjusted for all pairs */
} TukeyTest;

/*
 * One of the pairs of the sets that an analysis of variance was made of, by
 * the studentized range; sizes may differ (Kramer 1956).  NANs but for the
 * estimate where the analysis has no p, or fewer than 2 degrees of freedom.
 */
TukeyTest stats_tukey(
    const Anova *anova, const Summary *base, const Summary *test, double level);

/*
 * The same without equal variances (Games and Howell 1976): Welch's t of the
 * pair, held against the studentized range of n_sets sets.  NANs but for the
 * estimate where a set of the pair has fewer than 2 values, neither varies, or
 * there are fewer than 2 degrees of freedom.
 */
TukeyTest stats_games_howell(
    const Summary *base, const Summary *test, size_t n_sets, double level);

#endif
