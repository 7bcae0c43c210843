#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

#include <Rmath.h>
#include <glib.h>

double
stats_t_quantile(double level, double df)
{
	if (!(level > 0 && level < 1) || !(df > 0))
		return NAN;
	return qt((1 - level) / 2, df, FALSE, FALSE);
}

MeanTest
stats_contrast(const double *const *groups, const size_t *lengths,
    const double *weights, size_t n_groups, double level)
{
	MeanTest test = { { 0, NAN, NAN }, NAN, NAN, NAN, NAN, false };
	double variance = 0, squares = 0;
	bool enough = n_groups > 0, varies = false;

	for (size_t i = 0; i < n_groups; i++) {
		const Summary s = stats_summary(groups[i], lengths[i]);
		test.difference.estimate += weights[i] * s.mean;
		if (s.n < 2 || isnan(s.mean)) {
			enough = false;
			continue;
		}
		const double scale = fmax(1, fmax(fabs(s.min), fabs(s.max)));
		if (s.sd <= STATS_NO_VARIANCE * scale)
			continue;
		varies = true;
		const double part =
		    weights[i] * weights[i] * s.sd * s.sd / (double)s.n;
		variance += part;
		squares += part * part / (double)(s.n - 1);
	}
	if (n_groups == 0)
		test.difference.estimate = NAN;
	if (!enough || !varies || !(variance > 0))
		return test;
	test.se = sqrt(variance);
	test.df = variance * variance / squares;
	test.t = test.difference.estimate / test.se;
	test.p = 2 * pt(-fabs(test.t), test.df, TRUE, FALSE);
	const double half = stats_t_quantile(level, test.df) * test.se;
	test.difference.low = test.difference.estimate - half;
	test.difference.high = test.difference.estimate + half;
	test.valid = true;
	return test;
}

/* The same test with its difference of logs told as a ratio. */
static RatioTest
ratio_of(MeanTest logs)
{
	return (RatioTest){
		.ratio = { exp(logs.difference.estimate),
		    exp(logs.difference.low), exp(logs.difference.high) },
		.se = logs.se,
		.df = logs.df,
		.t = logs.t,
		.p = logs.p,
		.valid = logs.valid,
	};
}

/* Logs of all values, NAN for what has none; free them. */
static double *
logs_of(const double *values, size_t n)
{
	double *logs = g_new(double, n + 1);

	for (size_t i = 0; i < n; i++)
		logs[i] = values[i] > 0 ? log(values[i]) : NAN;
	return logs;
}

RatioTest
stats_welch_log(const double *base, size_t n_base, const double *test,
    size_t n_test, double level)
{
	g_autofree double *base_logs = logs_of(base, n_base);
	g_autofree double *test_logs = logs_of(test, n_test);
	const double *const groups[] = { base_logs, test_logs };
	const size_t lengths[] = { n_base, n_test };
	const double weights[] = { -1, 1 };

	return ratio_of(stats_contrast(groups, lengths, weights, 2, level));
}

RatioTest
stats_paired_log(const double *differences, size_t n, double level)
{
	const double weight = 1;

	return ratio_of(stats_contrast(&differences, &n, &weight, 1, level));
}

static int
compare_places(const void *a, const void *b)
{
	const double x = **(const double *const *)a;
	const double y = **(const double *const *)b;

	return (x > y) - (x < y);
}

void
stats_holm(double *p, size_t n)
{
	g_autofree double **order = g_new(double *, n + 1);
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(p[i]))
			order[count++] = &p[i];
	if (count > 0)
		qsort(order, count, sizeof *order, compare_places);
	double least = 0;
	for (size_t i = 0; i < count; i++) {
		least = fmin(1, fmax(least, (double)(count - i) * *order[i]));
		*order[i] = least;
	}
}

/* Of a two-sided t test whose true difference is ncp standard errors. */
static double
power_of(double ncp, double critical, double df)
{
	return pnt(critical, df, ncp, FALSE, FALSE) +
	    pnt(-critical, df, ncp, TRUE, FALSE);
}

double
stats_detectable_difference(double se, double df, double level, double power)
{
	const double critical = stats_t_quantile(level, df);

	if (!(se > 0) || !isfinite(se) || !isfinite(critical) ||
	    !(power > 1 - level && power < 1))
		return NAN;
	double low = 0, high = 1;
	while (power_of(high, critical, df) < power) {
		low = high;
		high *= 2;
		if (high > 1e9)
			return NAN;
	}
	for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
		const double middle = low + (high - low) / 2;
		if (power_of(middle, critical, df) < power)
			low = middle;
		else
			high = middle;
	}
	return high * se;
}
