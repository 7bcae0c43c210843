/*
 * Null distributions of rank counts, as shares of all arrangements.
 */
#ifndef STATS_COUNTS_H
#define STATS_COUNTS_H

#include <stddef.h>

/*
 * How often each U from 0 to m n comes up for m and n values without ties:
 * m n + 1 shares, to be freed.
 */
double *counts_mann_whitney(size_t m, size_t n);
/*
 * How often each sum of m of these ranks comes up: most + 1 shares, to be
 * freed; most is the sum of the m greatest.  Ranks are whole numbers, doubled
 * where ties made halves of them.
 */
double *counts_rank_sums(const size_t *ranks, size_t n, size_t m, size_t most);

#endif
