#include "stats/shapiro.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <Rmath.h>
#include <glib.h>

#include "stats/stats.h"

/* Up to here p is told by a gamma-like distribution, then a lognormal one. */
enum { SMALL = 11 };

/* Royston's polynomials, constant first. */
static const double last_weight[] = { 0, .221157, -.147981, -2.07119, 4.434685,
	-2.706056 };
static const double next_weight[] = { 0, .042981, -.293762, -1.752461, 5.682633,
	-3.582633 };
static const double small_limit[] = { -2.273, .459 };
static const double small_mean[] = { .544, -.39978, .025054, -6.714e-4 };
static const double small_sd[] = { 1.3822, -.77857, .062767, -.0020322 };
static const double large_mean[] = { -1.5861, -.31082, -.083751, .0038915 };
static const double large_sd[] = { -.4803, -.082676, .0030302 };

static double
polynomial(const double *factors, size_t n, double x)
{
	double sum = 0;

	for (size_t i = n; i > 0; i--)
		sum = sum * x + factors[i - 1];
	return sum;
}

#define POLYNOMIAL(factors, x) polynomial((factors), G_N_ELEMENTS(factors), (x))

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Weights of the upper half, the greatest value's first: the expected places
 * of ordered normal values, the outer ones corrected, of square sum 1/2.
 */
static void
find_weights(double *weights, size_t n)
{
	const size_t half = n / 2, corrected = n > 5 ? 2 : 1;
	const double size = (double)n, x = 1 / sqrt(size);
	double squares = 0, rest = 0, kept = 1;

	for (size_t i = 0; i < half; i++) {
		weights[i] = -qnorm5(
		    ((double)i + 1 - .375) / (size + .25), 0, 1, TRUE, FALSE);
		squares += 2 * weights[i] * weights[i];
	}
	if (n == 3) {
		weights[0] = M_SQRT1_2;
		return;
	}
	const double outer[] = {
		POLYNOMIAL(last_weight, x) + weights[0] / sqrt(squares),
		POLYNOMIAL(next_weight, x) + weights[1] / sqrt(squares),
	};
	rest = squares;
	for (size_t i = 0; i < corrected; i++) {
		rest -= 2 * weights[i] * weights[i];
		kept -= 2 * outer[i] * outer[i];
	}
	for (size_t i = 0; i < half; i++)
		weights[i] =
		    i < corrected ? outer[i] : weights[i] / sqrt(rest / kept);
}

static double
p_of(double w, size_t n)
{
	const double size = (double)n, size_log = log(size);
	double y = log1p(-w), mean = 0, sd = 0;

	if (n == 3)
		return fmax(0, 6 / M_PI * (asin(sqrt(w)) - asin(sqrt(.75))));
	if (n <= SMALL) {
		const double limit = POLYNOMIAL(small_limit, size);
		if (y >= limit)
			return 0;
		y = -log(limit - y);
		mean = POLYNOMIAL(small_mean, size);
		sd = exp(POLYNOMIAL(small_sd, size));
	} else {
		mean = POLYNOMIAL(large_mean, size_log);
		sd = exp(POLYNOMIAL(large_sd, size_log));
	}
	return pnorm5(y, mean, sd, FALSE, FALSE);
}

/* The squared correlation of weights and ordered values. */
static double
w_of(const double *sorted, const double *weights, size_t n, double mean)
{
	double squares = 0, both = 0;

	for (size_t i = 0; i < n; i++)
		squares += (sorted[i] - mean) * (sorted[i] - mean);
	for (size_t i = 0; i < n / 2; i++)
		both += weights[i] * (sorted[n - 1 - i] - sorted[i]);
	return both * both / squares;
}

Shapiro
stats_shapiro(const double *values, size_t n)
{
	Shapiro out = { NAN, NAN };
	const Summary summary = stats_summary(values, n);

	if (n < 3 || n > STATS_SHAPIRO_VALUES || !stats_varies(&summary))
		return out;
	g_autofree double *sorted = g_memdup2(values, n * sizeof *values);
	g_autofree double *weights = g_new0(double, n / 2 + 1);
	qsort(sorted, n, sizeof *sorted, compare);
	find_weights(weights, n);
	const double w = w_of(sorted, weights, n, summary.mean);
	/* Beyond what a double holds. */
	if (!isfinite(w))
		return out;
	out.w = fmin(1, w);
	out.p = p_of(out.w, n);
	return out;
}
