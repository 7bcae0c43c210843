/*
 * The ratio of two arithmetic means, test / base, by resampling each set with
 * replacement.  The interval is Efron's, bias-corrected and accelerated
 * (BCa, 1987): quantiles of the resampled ratios, at shares that are moved
 * by the bias of their median and by their skewness.  With few values it is
 * too narrow all the same; see abrun-statistics(7).
 */
#ifndef STATS_BOOTSTRAP_H
#define STATS_BOOTSTRAP_H

#include <stdint.h>

#include "stats/stats.h"

/* Different resamples up to which all are made: half a second. */
#define STATS_ALL_RESAMPLES 1000000
/* Else so many are drawn, of at most so many values of both sets. */
#define STATS_DRAWN_RESAMPLES 9999
#define STATS_DRAWN_VALUES 10000
/* With fewer values of a set nothing of it is to be relied on. */
#define STATS_BOOTSTRAP_LEAST 5

typedef struct {
	Interval ratio;      /* BCa; without one only the estimate is set */
	Interval percentile; /* the quantiles as they are */
	double mean, se;     /* of the resampled ratios */
	/* Shares of them below the estimate, and equal to it. */
	double below, equal;
	double z0, acceleration;    /* bias as a normal quantile; skewness */
	double low_tail, high_tail; /* the shares that ratio is taken at */
	size_t resamples;           /* 0: not made */
	bool all; /* every one there is, by its weight; else drawn */
} Bootstrap;

/*
 * All resamples where that are at most STATS_ALL_RESAMPLES (6 values against
 * 6), each weighed by how often it comes up; else draws of this seed.  Without
 * an interval where a set has fewer than 2 values, a value is not finite, one
 * of base is not positive, neither set varies, or there are more than
 * STATS_DRAWN_VALUES.
 */
Bootstrap stats_bootstrap(const double *base, size_t n_base, const double *test,
    size_t n_test, double level, uint64_t seed);
/* The same by draws in any case. */
Bootstrap stats_bootstrap_drawn(const double *base, size_t n_base,
    const double *test, size_t n_test, double level, uint64_t seed);

#endif
