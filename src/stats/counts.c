#include "stats/counts.h"

#include <glib.h>

/*
 * Mann and Whitney's recurrence: the greatest of i and j values is one of the
 * i with chance i / (i + j), and then above all j.  All terms are positive;
 * the product of Gaussian binomials would be quicker, but its differences
 * lose every digit from some 40 values on.
 */
double *
counts_mann_whitney(size_t m, size_t n)
{
	const size_t fewer = MIN(m, n), more = MAX(m, n), size = m * n + 1;
	g_autofree double *rows = g_new0(double, (fewer + 1) * size);

	/* Row j holds the shares of i and j values, for i growing. */
	for (size_t j = 0; j <= fewer; j++)
		rows[j * size] = 1;
	for (size_t i = 1; i <= more; i++)
		for (size_t j = 1; j <= fewer; j++) {
			double *row = rows + j * size;
			const double *below = row - size;
			const double above = (double)i / (double)(i + j);
			for (size_t u = i * j; u >= j; u--)
				row[u] =
				    above * row[u - j] + (1 - above) * below[u];
			for (size_t u = 0; u < j; u++)
				row[u] = (1 - above) * below[u];
		}
	return g_memdup2(rows + fewer * size, size * sizeof *rows);
}

/*
 * Streitberg and Roehmel's shift algorithm: subsets of k ranks by their sum,
 * the i-th rank either in it or not.  Of i ranks so far, one of k is the last
 * with chance k / i.
 */
double *
counts_rank_sums(const size_t *ranks, size_t n, size_t m, size_t most)
{
	g_autofree double *all = g_new0(double, (m + 1) * (most + 1));

	all[0] = 1;
	for (size_t i = 1; i <= n; i++)
		for (size_t k = MIN(m, i); k > 0; k--) {
			const double *from = all + (k - 1) * (most + 1);
			double *to = all + k * (most + 1);
			const double in = (double)k / (double)i;
			for (size_t sum = 0; sum <= most; sum++)
				to[sum] *= 1 - in;
			for (size_t sum = ranks[i - 1]; sum <= most; sum++)
				to[sum] += in * from[sum - ranks[i - 1]];
		}
	return g_memdup2(all + m * (most + 1), (most + 1) * sizeof *all);
}
