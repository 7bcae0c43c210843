#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Mean of sorted values by place: R's type 7 at one half. */
static double
median(const double *values, size_t n)
{
	g_autofree double *sorted = g_memdup2(values, n * sizeof *values);

	qsort(sorted, n, sizeof *sorted, compare);
	return n % 2 == 1
	    ? sorted[n / 2]
	    : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

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
	if (n > 1)
		*sd =
		    sqrt(fmax(squares - rest * rest / count, 0) / (count - 1));
}

Summary
stats_summary(const double *values, size_t n)
{
	Summary s = { n, NAN, NAN, NAN, NAN, NAN, NAN };

	if (n == 0)
		return s;
	double min = values[0], max = values[0];
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return s;
		min = fmin(min, values[i]);
		max = fmax(max, values[i]);
	}
	s.min = min;
	s.max = max;
	s.median = median(values, n);
	mean_and_sd(values, n, &s.mean, &s.sd);
	if (min > 0 && n > 1)
		s.cv_percent = 100 * s.sd / s.mean;
	return s;
}
