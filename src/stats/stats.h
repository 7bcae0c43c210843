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

/*
 * NAN where n is too small; cv_percent only where all values are > 0, sd only
 * where its square is a number (differences of up to 1e154).
 */
typedef struct {
	size_t n;
	double min, max, median, mean, sd, cv_percent;
} Summary;

/*
 * Mean and sd by compensated two-pass sums of differences from the first
 * value, median as R's type 7.
 */
Summary stats_summary(const double *values, size_t n);
/* The same without a copy: the order of the values is lost. */
Summary stats_summary_moving(double *values, size_t n);
/*
 * n, least, greatest, mean and sd of the natural logarithms, without a copy;
 * the rest is NAN.  All is NAN where a value is not positive or not finite.
 */
Summary stats_log_summary(const double *values, size_t n);

/*
 * The sd is more than rounding of the values, whatever their unit; of logs
 * see STATS_NO_VARIANCE.
 */
bool stats_varies(const Summary *set);

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
 * group has fewer than 2 values, none of them varies, or an sd is beyond a
 * double; the estimate is given wherever each group has a value.
 */
MeanTest stats_contrast(const double *const *groups, const size_t *lengths,
    const double *weights, size_t n_groups, double level);
/* The same of sets of which n, min, max, mean and sd are known. */
MeanTest stats_contrast_of(
    const Summary *sets, const double *weights, size_t n_sets, double level);
/* Completes a test whose difference.estimate is set: a t test. */
void stats_mean_test(MeanTest *test, double se, double df, double level);

/* ministat's test: the variance is taken for the same in both sets. */
typedef struct {
	MeanTest mean;    /* test - base, in the values' own unit */
	double pooled_sd; /* NAN where mean is not valid */
	/*
	 * The change in per cent of the base's mean and the half width of its
	 * interval by the delta method, as ministat has it since 2021; NAN
	 * where the base's mean is 0.
	 */
	double percent, percent_error;
} StudentTest;

/*
 * Student's t on sets of which n, min, max, mean and sd are known.  Not valid
 * where they have fewer than 3 values together or one has none, where no
 * value differs from the others of its set, some value is not finite, or an
 * sd is beyond a double.
 */
StudentTest stats_student(
    const Summary *base, const Summary *test, double level);

typedef struct {
	Interval ratio; /* of geometric means, test / base */
	double se;      /* of its logarithm */
	double df, t, p;
	bool valid; /* false: too few values, or some value is not positive */
} RatioTest;

/* Welch's t on logs; level .95 gives a 95 % interval. */
RatioTest stats_welch_log(const double *base, size_t n_base, const double *test,
    size_t n_test, double level);
/* The same of two results of stats_log_summary(). */
RatioTest stats_welch_of_logs(
    const Summary *base, const Summary *test, double level);
/* One-sample t on differences of logs d_i: ratio = exp(mean d). */
RatioTest stats_paired_log(const double *differences, size_t n, double level);

/*
 * Two one-sided tests (Schuirmann 1987) that a ratio lies between 1 - margin
 * and 1 / (1 - margin), margin .01 for 1 %.
 */
typedef struct {
	double p_low;   /* that it is not below */
	double p_high;  /* that it is not above */
	double p;       /* the greater of them: equivalent where < alpha */
	Interval ratio; /* of level 1 - 2 alpha: within it where p < alpha */
} Equivalence;

/* NANs where the test is not valid or the margin not in (0, 1). */
Equivalence stats_equivalence(
    const RatioTest *test, double margin, double alpha);

/* Holm's step-down adjustment, in place; NANs are left and not counted. */
void stats_holm(double *p, size_t n);
/* t quantile, two-sided level: stats_t_quantile(.95, 4) = 2.776... */
double stats_t_quantile(double level, double df);

#endif
