/*
 * A comparison that is looked at several times while it grows, and may be
 * ended once a difference is shown: what p must be below at each look so that
 * all of them together are wrong no more often than one look would be.
 */
#ifndef STATS_LOOKS_H
#define STATS_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

#define STATS_MOST_LOOKS 20

typedef struct {
	double share; /* of all values, there at this look */
	double spent; /* chance to have been wrong so far */
	double z;     /* a difference is shown where |z| is above */
	double p;     /* the same as a two-sided p */
} Look;

/*
 * What of alpha may be spent when this share of the values is there, by the
 * function of Lan and DeMets (1983) that is like O'Brien and Fleming's
 * bounds (1979), on each side with alpha / 2: almost nothing early, nearly
 * all at the end.
 */
double stats_spent(double share, double alpha);
/*
 * n_looks evenly spaced ones, at most STATS_MOST_LOOKS; false, with looks
 * untouched, for other numbers or a level not in (0, 1).  Of t tests p is what
 * is compared, not z.  Bounds are right to some 1e-9.
 */
bool stats_looks(size_t n_looks, double level, Look *looks);

#endif
