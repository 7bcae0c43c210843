#include "stats/order.h"

#include <math.h>

#include <glib.h>

#include "stats/counts.h"
#include "stats/select.h"
#include "stats/stats.h"

#define FIRST_DEVIATIONS 5
#define FIRST_RELATIVE .01
/* A normal distribution's standard deviation by its median deviation. */
#define MAD_TO_SD 1.4826

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * How often each number of falling pairs comes up among all orders of the
 * values, as shares.  A group of t equal values put among k that are there
 * makes as many falls as a Mann-Whitney count of k against t.
 */
static double *
falls(const double *values, size_t n, size_t *most)
{
	g_autofree double *sorted = g_memdup2(values, n * sizeof *values);
	double *shares = g_new0(double, n *n / 2 + 1);
	size_t done = 0;

	qsort(sorted, n, sizeof *sorted, compare);
	shares[0] = 1;
	*most = 0;
	while (done < n) {
		size_t ties = 1;
		while (done + ties < n && sorted[done + ties] == sorted[done])
			ties++;
		g_autofree double *before =
		    g_memdup2(shares, (*most + 1) * sizeof *shares);
		g_autofree double *added = counts_mann_whitney(done, ties);
		const size_t highest = *most + done * ties;
		for (size_t i = 0; i <= highest; i++) {
			shares[i] = 0;
			for (size_t j = i > *most ? i - *most : 0;
			     j <= MIN(i, done * ties); j++)
				shares[i] += added[j] * before[i - j];
		}
		*most = highest;
		done += ties;
	}
	return shares;
}

/* Rises, falls and slopes of all pairs; false where a value is not finite. */
static bool
compare_pairs(const double *values, size_t n, size_t *rising, size_t *falling,
    double *slopes)
{
	size_t pair = 0;

	*rising = *falling = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return false;
		for (size_t j = i + 1; j < n; j++) {
			*rising += values[j] > values[i];
			*falling += values[j] < values[i];
			slopes[pair++] =
			    (values[j] - values[i]) / (double)(j - i);
		}
	}
	return true;
}

Trend
stats_trend(const double *values, size_t n)
{
	Trend trend = { NAN, NAN, NAN };
	size_t rising = 0, falling = 0, most = 0;

	if (n < 3 || n > STATS_TREND_VALUES)
		return trend;
	g_autofree double *slopes = g_new(double, n *(n - 1) / 2);
	if (!compare_pairs(values, n, &rising, &falling, slopes))
		return trend;
	trend.s = (double)rising - (double)falling;
	trend.slope = stats_quantile(slopes, n * (n - 1) / 2, .5);
	g_autofree double *shares = falls(values, n, &most);
	double tail = 0;
	for (size_t i = 0; i <= MIN(rising, falling); i++)
		tail += shares[i];
	trend.p = fmin(1, 2 * tail);
	return trend;
}

double
stats_trend_p(const double *values, size_t n)
{
	return stats_trend(values, n).p;
}

FirstRun
stats_first_run(const double *values, size_t n)
{
	FirstRun first = { NAN, false };

	if (n < 3)
		return first;
	g_autofree double *rest =
	    g_memdup2(values + 1, (n - 1) * sizeof *values);
	const Summary s = stats_summary_moving(rest, n - 1);
	if (!isfinite(values[0]) || isnan(s.mean) || s.mean == 0)
		return first;
	first.relative = values[0] / s.mean - 1;
	for (size_t i = 0; i < n - 1; i++)
		rest[i] = fabs(rest[i] - s.median);
	const double mad = stats_quantile(rest, n - 1, .5);
	first.differs = fabs(first.relative) > FIRST_RELATIVE &&
	    fabs(values[0] - s.median) > FIRST_DEVIATIONS * MAD_TO_SD * mad;
	return first;
}
