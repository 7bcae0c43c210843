/*
 * Shapiro and Wilk's test (1965) whether values are a normal sample, by
 * Royston's approximations (1992; 1995, algorithm AS R94), as R's
 * shapiro.test().  To be looked at, never a gate: with few values it sees
 * little, with many it sees what does not matter.
 */
#ifndef STATS_SHAPIRO_H
#define STATS_SHAPIRO_H

#include <stddef.h>

/* Royston's formulas hold to here. */
#define STATS_SHAPIRO_VALUES 5000

typedef struct {
	double w; /* 1: as normal as can be */
	double p; /* of a w as low if they are normal */
} Shapiro;

/*
 * NANs for fewer than 3 or more than STATS_SHAPIRO_VALUES values, one that is
 * not finite, or all of them equal.
 */
Shapiro stats_shapiro(const double *values, size_t n);

#endif
