/*
 * Order statistics without sorting, in linear time on average.
 */
#ifndef STATS_SELECT_H
#define STATS_SELECT_H

#include <stddef.h>

/*
 * Moves the values so that what sorting would put at place k is there, nothing
 * before it is greater and nothing after it less; k < n, no NAN among them.
 * Returns values[k].
 */
double stats_select(double *values, size_t n, size_t k);
/*
 * The quantile of this share (.5: the median) after Hyndman and Fan's type 7,
 * R's default: linear between the values at places around 1 + (n - 1) share.
 * The values are moved, as above.  NAN for n = 0 or a share beyond [0, 1].
 */
double stats_quantile(double *values, size_t n, double share);

#endif
