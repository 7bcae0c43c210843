/*
 * Sequences in order of time: trends, and a first value unlike the rest.
 */
#ifndef STATS_ORDER_H
#define STATS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Longer sequences have no exact test here. */
#define STATS_TREND_VALUES 100

typedef struct {
	double s; /* Mann and Kendall's: pairs that rise less those that fall */
	double p; /* exact, two-sided */
	double
	    slope; /* Theil and Sen's: median change from a value to the next */
} Trend;

/*
 * The chance of an S as far from 0 among all orders of these values, ties
 * allowed.  NANs for fewer than 3 or too many values, or one that is not
 * finite.  Four values can reach no p below .083, five .017.
 */
Trend stats_trend(const double *values, size_t n);
/* Its p alone. */
double stats_trend_p(const double *values, size_t n);

typedef struct {
	double relative; /* first / mean of the rest - 1; NAN */
	/*
	 * It is further from the rest's median than 5 of their standard
	 * deviations (as 1.4826 median absolute deviations), and by more than
	 * 1 per cent.  Where most of the rest are equal only that counts.
	 */
	bool differs;
} FirstRun;

/* False and NAN for fewer than 3 values. */
FirstRun stats_first_run(const double *values, size_t n);

#endif
