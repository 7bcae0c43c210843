/*
 * Two sets compared by rank: no shape is taken for granted, and an outlier
 * counts as one value.
 */
#ifndef STATS_RANKS_H
#define STATS_RANKS_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/stats.h"

/* Pairs of values up to which p is exact without ties: a tenth of a second. */
#define STATS_EXACT_PAIRS 20000
/* Pairs up to which their differences are looked at one by one. */
#define STATS_SHIFT_PAIRS 4000000

typedef struct {
	double u; /* pairs in which test is greater, equal ones count half */
	double p; /* two-sided */
	bool exact, ties;
	double
	    least_p;  /* no sets of these sizes without ties have a lower one */
	double cliff; /* Cliff's delta: -1, all of test below base, to 1 */
} RankTest;

/*
 * Mann and Whitney's test.  p is the chance of a rank sum as far from its
 * expectation; exact, with ties by Streitberg and Roehmel's shift algorithm,
 * where that takes less than a second (to some 75 values each), else normal
 * with corrections for ties and continuity.  All values equal: p is 1.  NANs
 * for an empty set or a value that is not finite.
 */
RankTest stats_mann_whitney(
    const double *base, size_t n_base, const double *test, size_t n_test);

typedef struct {
	Interval shift; /* median of all differences test - base */
	double level;   /* that the interval really has; NAN without one */
} ShiftTest;

/*
 * Hodges and Lehmann's shift with the interval of ordered differences whose
 * level is the least that is not below the one wanted; where the sets are too
 * small for that, their widest one.  NANs for an empty set, more than
 * STATS_SHIFT_PAIRS or a value that is not finite.
 */
ShiftTest stats_hodges_lehmann(const double *base, size_t n_base,
    const double *test, size_t n_test, double level);

#endif
