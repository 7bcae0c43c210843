#include "stats/stats.h"

#include <math.h>

#include <glib.h>

/*
 * How often each Kendall S comes up among all orders of n values, as shares:
 * the k-th value adds 0 to k inversions, all alike.
 */
static double *
inversions(size_t n)
{
	const size_t most = n * (n - 1) / 2;
	double *shares = g_new0(double, most + 1);

	shares[0] = 1;
	for (size_t k = 1; k < n; k++) {
		g_autofree double *before =
		    g_memdup2(shares, (most + 1) * sizeof *shares);
		for (size_t i = 0; i <= most; i++) {
			shares[i] = 0;
			for (size_t j = 0; j <= MIN(k, i); j++)
				shares[i] += before[i - j];
			shares[i] /= (double)(k + 1);
		}
	}
	return shares;
}

double
stats_trend_p(const double *values, size_t n)
{
	size_t falling = 0;

	if (n < 3 || n > STATS_TREND_VALUES)
		return NAN;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			if (!isfinite(values[i]) || values[i] == values[j])
				return NAN;
			if (values[i] > values[j])
				falling++;
		}
	const size_t most = n * (n - 1) / 2;
	const size_t least = MIN(falling, most - falling);
	g_autofree double *shares = inversions(n);
	double tail = 0;
	for (size_t i = 0; i <= least; i++)
		tail += shares[i];
	return fmin(1, 2 * tail);
}
