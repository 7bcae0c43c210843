/*
 * The numbers of ministat(1) as it was in 2015, the version that is in Debian
 * and behind most posts: sums of squares, the upper of the two middle values
 * for a median, and quantiles of three decimals from a table.  For comparing
 * with such posts; stats.h has what is right.
 */
#ifndef STATS_MINISTAT_H
#define STATS_MINISTAT_H

#include "stats/stats.h"

/* The confidence levels of its option -c, per cent; it knows no others. */
#define MINISTAT_LEVELS 6
extern const double ministat_levels[MINISTAT_LEVELS];

/*
 * n > 0 values, which are moved.  Where the sum of squares has lost all digits
 * and ministat prints nan, the true standard deviation stands.
 */
Summary ministat_summary(double *values, size_t n);

typedef struct {
	double difference, error;      /* test - base, half width */
	double percent, percent_error; /* the base's mean is taken for exact */
	double pooled_sd;
	bool differs; /* |difference| > error */
} MinistatTest;

/* Level is one of those above; the sets have 3 values each. */
MinistatTest ministat_test(
    const Summary *base, const Summary *test, double level);

#endif
