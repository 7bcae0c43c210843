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

static bool
varies(const Summary *set)
{
	const double scale = fmax(1, fmax(fabs(set->min), fabs(set->max)));

	return set->sd > STATS_NO_VARIANCE * scale;
}

void
stats_mean_test(MeanTest *test, double se, double df, double level)
{
	const double half = stats_t_quantile(level, df) * se;

	test->se = se;
	test->df = df;
	test->t = test->difference.estimate / se;
	test->p = 2 * pt(-fabs(test->t), df, TRUE, FALSE);
	test->difference.low = test->difference.estimate - half;
	test->difference.high = test->difference.estimate + half;
	test->valid = true;
}

MeanTest
stats_contrast_of(
    const Summary *sets, const double *weights, size_t n_sets, double level)
{
	MeanTest test = { { 0, NAN, NAN }, NAN, NAN, NAN, NAN, false };
	double variance = 0, squares = 0;
	bool enough = n_sets > 0;

	for (size_t i = 0; i < n_sets; i++) {
		const Summary *s = &sets[i];
		test.difference.estimate += weights[i] * s->mean;
		if (s->n < 2 || isnan(s->mean) || isnan(s->sd)) {
			enough = false;
			continue;
		}
		if (!varies(s))
			continue;
		const double part =
		    weights[i] * weights[i] * s->sd * s->sd / (double)s->n;
		variance += part;
		squares += part * part / (double)(s->n - 1);
	}
	if (n_sets == 0)
		test.difference.estimate = NAN;
	if (!enough || !(variance > 0))
		return test;
	stats_mean_test(
	    &test, sqrt(variance), variance * variance / squares, level);
	return test;
}

MeanTest
stats_contrast(const double *const *groups, const size_t *lengths,
    const double *weights, size_t n_groups, double level)
{
	g_autofree Summary *sets = g_new(Summary, n_groups + 1);

	for (size_t i = 0; i < n_groups; i++)
		sets[i] = stats_summary(groups[i], lengths[i]);
	return stats_contrast_of(sets, weights, n_groups, level);
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

RatioTest
stats_welch_of_logs(const Summary *base, const Summary *test, double level)
{
	const Summary sets[] = { *base, *test };
	const double weights[] = { -1, 1 };

	return ratio_of(stats_contrast_of(sets, weights, 2, level));
}

RatioTest
stats_welch_log(const double *base, size_t n_base, const double *test,
    size_t n_test, double level)
{
	const Summary base_logs = stats_log_summary(base, n_base);
	const Summary test_logs = stats_log_summary(test, n_test);

	return stats_welch_of_logs(&base_logs, &test_logs, level);
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
