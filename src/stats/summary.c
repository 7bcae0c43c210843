#include "stats/stats.h"

#include <glib.h>
#include <math.h>

#include "stats/select.h"

/* Logarithms that are kept at once. */
enum { LOG_CHUNK = 4096 };

/* Neumaier's sum of values[i] - shift. */
static double
sum_shifted(const double *values, size_t n, double shift)
{
	double sum = 0, lost = 0;

	for (size_t i = 0; i < n; i++) {
		const double term = values[i] - shift;
		const double next = sum + term;
		lost += fabs(sum) >= fabs(term) ? (sum - next) + term
						: (term - next) + sum;
		sum = next;
	}
	return sum + lost;
}

/*
 * The first value is the shift: what is left are small numbers, so a large
 * common offset costs no digits.  The second pass corrects for the error that
 * rounding left in the mean.
 */
static void
mean_and_sd(const double *values, size_t n, double *mean, double *sd)
{
	const double count = (double)n, shift = values[0];
	const double offset = sum_shifted(values, n, shift) / count;
	double squares = 0, rest = 0;

	for (size_t i = 0; i < n; i++) {
		const double d = (values[i] - shift) - offset;
		squares += d * d;
		rest += d;
	}
	*mean = shift + offset;
	/* Of values near 1e154 and more the squares are beyond a double. */
	if (n > 1 && isfinite(squares))
		*sd =
		    sqrt(fmax(squares - rest * rest / count, 0) / (count - 1));
}

/* All but the median; NANs where a value is not finite. */
static Summary
summary_in_order(const double *values, size_t n)
{
	Summary s = { n, NAN, NAN, NAN, NAN, NAN, NAN };

	if (n == 0)
		return s;
	double min = values[0], max = values[0];
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return s;
		min = MIN(min, values[i]);
		max = MAX(max, values[i]);
	}
	s.min = min;
	s.max = max;
	mean_and_sd(values, n, &s.mean, &s.sd);
	if (min > 0 && n > 1)
		s.cv_percent = 100 * s.sd / s.mean;
	return s;
}

Summary
stats_summary_moving(double *values, size_t n)
{
	Summary s = summary_in_order(values, n);

	if (!isnan(s.mean))
		s.median = stats_quantile(values, n, .5);
	return s;
}

Summary
stats_summary(const double *values, size_t n)
{
	g_autofree double *copy =
	    n == 0 ? NULL : g_memdup2(values, n * sizeof *values);

	return stats_summary_moving(copy, n);
}

/*
 * Two sets as one: the means by their shares, the squares with what the means
 * differ by (Chan, Golub and LeVeque 1979).
 */
static void
merge(Summary *all, const Summary *part)
{
	const double n = (double)all->n, m = (double)part->n;
	const double d = part->mean - all->mean;
	const double squares = (n > 1 ? (n - 1) * all->sd * all->sd : 0) +
	    (m > 1 ? (m - 1) * part->sd * part->sd : 0) +
	    d * d * n * m / (n + m);

	all->n += part->n;
	all->min = MIN(all->min, part->min);
	all->max = MAX(all->max, part->max);
	all->mean += d * m / (n + m);
	all->sd = sqrt(squares / (n + m - 1));
}

Summary
stats_log_summary(const double *values, size_t n)
{
	Summary all = { n, NAN, NAN, NAN, NAN, NAN, NAN };
	double logs[LOG_CHUNK];

	for (size_t done = 0; done < n; done += LOG_CHUNK) {
		const size_t length = MIN(n - done, LOG_CHUNK);
		for (size_t i = 0; i < length; i++)
			logs[i] =
			    values[done + i] > 0 ? log(values[done + i]) : NAN;
		Summary part = summary_in_order(logs, length);
		part.cv_percent = NAN;
		if (isnan(part.mean))
			return (Summary){ n, NAN, NAN, NAN, NAN, NAN, NAN };
		if (done == 0)
			all = part;
		else
			merge(&all, &part);
	}
	return all;
}

bool
stats_varies(const Summary *set)
{
	return set->sd >
	    STATS_NO_VARIANCE * fmax(fabs(set->min), fabs(set->max));
}
