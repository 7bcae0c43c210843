/*
 * Numbers only.  Formulas and their sources are in the manual
 * abrun-statistics(7); distributions come from libRmath (R's own code).
 * All functions are pure and thread-safe.
 *
 * Values that are not finite are nobody's measurement: whatever would use
 * them answers NAN.  A standard deviation below STATS_NO_VARIANCE of the
 * values is taken for none: it is rounding, and a t of it says nothing.
 */
#ifndef STATS_STATS_H
#define STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Relative; on logs absolute.  A double keeps about 1e-16. */
#define STATS_NO_VARIANCE 1e-12

/* NAN where n is too small; cv_percent only where all values are > 0. */
typedef struct {
	size_t n;
	double min, max, median, mean, sd, cv_percent;
} Summary;

/* Mean and sd by compensated two-pass sums, median as R's type 7. */
Summary stats_summary(const double *values, size_t n);

/* What was estimated and its interval; NAN where there is none. */
typedef struct {
	double estimate, low, high;
} Interval;

/* A test on the scale of the values themselves. */
typedef struct {
	Interval difference;
	double se, df, t, p;
	bool valid; /* there is an interval */
} MeanTest;

/*
 * The contrast sum w_i mean_i of independent groups, each with its own
 * variance, degrees of freedom after Satterthwaite.  One group of weight 1 is
 * the one-sample t; two of weights -1 and 1 are Welch's t.  Not valid when a
 * group has fewer than 2 values or none of them varies; the estimate is given
 * wherever each group has a value.
 */
MeanTest stats_contrast(const double *const *groups, const size_t *lengths,
    const double *weights, size_t n_groups, double level);

typedef struct {
	Interval ratio; /* of geometric means, test / base */
	double se;      /* of its logarithm */
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
 * Smallest difference that a t test with this standard error and these
 * degrees of freedom shows with this power at the two-sided level; NAN
 * without a positive standard error.
 */
double stats_detectable_difference(
    double se, double df, double level, double power);
/* Longer sequences have no exact test here. */
#define STATS_TREND_VALUES 100
/*
 * Mann and Kendall's exact two-sided p that a sequence in order of time has
 * no trend; NAN for fewer than 3 or too many values, or ties.
 */
double stats_trend_p(const double *values, size_t n);
/* t quantile, two-sided level: stats_t_quantile(.95, 4) = 2.776... */
double stats_t_quantile(double level, double df);

#endif
