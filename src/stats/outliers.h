/* Values far from the others: to be pointed at, not to be left out. */
#ifndef STATS_OUTLIERS_H
#define STATS_OUTLIERS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How many values have a modified z score .6745 |y - median| / MAD above 3.5
 * (Iglewicz and Hoaglin 1993); none where most are equal.  far, if it is not
 * NULL, says of each whether it is one.
 */
size_t stats_outliers(const double *values, size_t n, bool *far);

#endif
