/*
 * Two sets compared by what they would look like if their values had been
 * dealt out to them at random (Fisher 1935): p is the share of all
 * arrangements that are as far apart as the one there is.  No shape is taken
 * for granted, only that without a difference every arrangement is as likely.
 */
#ifndef STATS_PERMUTATION_H
#define STATS_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Arrangements up to which all are made, and additions that may take. */
#define STATS_ALL_ARRANGEMENTS 2000000
#define STATS_ARRANGING_WORK 1e8
/* Else so many are drawn, of at most so many values. */
#define STATS_DRAWN_ARRANGEMENTS 9999
#define STATS_ARRANGED_VALUES 10000

typedef struct {
	double p_means; /* by the difference of means, two-sided */
	double p_welch; /* by Welch's t, which allows different variances */
	size_t arrangements;
	bool all; /* else drawn, the one there is counted as one of them */
} Permutation;

/*
 * NANs for an empty set, a value that is not finite, or too many values;
 * p_welch is NAN where a set has fewer than 2.
 */
Permutation stats_permutation(const double *base, size_t n_base,
    const double *test, size_t n_test, uint64_t seed);

#endif
