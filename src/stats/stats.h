/*
 * Numbers only.  Formulas and their sources are in the manual
 * abrun-statistics(7); distributions come from libRmath (R's own code).
 * All functions are pure and thread-safe.
 */
#ifndef STATS_STATS_H
#define STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* NAN where n is too small. */
typedef struct {
	size_t n;
	double min, max, median, mean, sd, cv_percent;
} Summary;

Summary stats_summary(const double *values, size_t n);

/* What was estimated and its interval; NAN where there is none. */
typedef struct {
	double estimate, low, high;
} Interval;

typedef struct {
	Interval ratio; /* of geometric means, test / base */
	double df, t, p;
	bool valid; /* false: too few values, or some value is not positive */
} RatioTest;

/* Welch's t on logs; level .95 gives a 95 % interval. */
RatioTest stats_welch_log(const double *base, size_t n_base, const double *test,
    size_t n_test, double level);
/* One-sample t on differences of logs d_i: ratio = exp(mean d). */
RatioTest stats_paired_log(const double *differences, size_t n, double level);
/* Holm's step-down adjustment, in place; NANs are left and not counted. */
void stats_holm(double *p, size_t n);
/*
 * Smallest ratio - 1 that a paired test of n differences with this standard
 * deviation (logs) shows with this power at the two-sided level.
 */
double stats_detectable(double sd, size_t n, double level, double power);
/* t quantile, two-sided level: stats_t_quantile(.95, 4) = 2.776... */
double stats_t_quantile(double level, double df);

#endif
