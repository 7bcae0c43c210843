#include "stats/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include <Rmath.h>
#include <glib.h>

#include "base/random.h"

/* Of the greatest: ratios that differ by less are rounded from the same. */
#define SAME 1e-12

typedef struct {
	const double *values;
	size_t n;
	Summary summary;
} Set;

typedef struct {
	double ratio, weight;
} Resample;

/* The means of all resamples of a set with their weights. */
typedef struct {
	Resample *means;
	size_t n;
} Means;

/* (2n - 1 over n): multisets of n of n values. */
static double
count_of(size_t n)
{
	return choose(2 * (double)n - 1, (double)n);
}

/*
 * Value number place and those behind it take the places that are left, in
 * every way; weight is n! / n^n over the factorials of the counts so far.
 */
static void
add_means(
    Means *out, const Set *set, size_t place, size_t left, Resample so_far)
{
	const double value = set->values[place];

	if (place + 1 == set->n) {
		for (size_t i = 1; i <= left; i++)
			so_far.weight /= (double)i;
		so_far.ratio += (double)left * value;
		so_far.ratio /= (double)set->n;
		out->means[out->n++] = so_far;
		return;
	}
	for (size_t count = 0; count <= left; count++) {
		if (count > 0)
			so_far.weight /= (double)count;
		add_means(out, set, place + 1, left - count,
		    (Resample){
			so_far.ratio + (double)count * value, so_far.weight });
	}
}

static Means
all_means(const Set *set)
{
	Means out = { g_new(Resample, (size_t)count_of(set->n)), 0 };
	double weight = 1;

	for (size_t i = 1; i <= set->n; i++)
		weight *= (double)i / (double)set->n;
	add_means(&out, set, 0, set->n, (Resample){ 0, weight });
	return out;
}

/* Free it. */
static Resample *
make_all(const Set *base, const Set *test, size_t *n)
{
	const Means x = all_means(base), y = all_means(test);
	Resample *all = g_new(Resample, x.n * y.n);

	*n = 0;
	for (size_t i = 0; i < x.n; i++)
		for (size_t j = 0; j < y.n; j++)
			all[(*n)++] =
			    (Resample){ y.means[j].ratio / x.means[i].ratio,
				    y.means[j].weight * x.means[i].weight };
	g_free(x.means);
	g_free(y.means);
	return all;
}

static double
draw_mean(const Set *set, Random *random)
{
	double sum = 0;

	for (size_t i = 0; i < set->n; i++)
		sum += set->values[random_below(random, set->n)];
	return sum / (double)set->n;
}

static Resample *
draw(const Set *base, const Set *test, uint64_t seed)
{
	Resample *drawn = g_new(Resample, STATS_DRAWN_RESAMPLES);
	Random random = random_stream(seed, "bootstrap", 0);

	for (size_t i = 0; i < STATS_DRAWN_RESAMPLES; i++) {
		const double x = draw_mean(base, &random);
		drawn[i] = (Resample){ draw_mean(test, &random) / x,
			1. / STATS_DRAWN_RESAMPLES };
	}
	return drawn;
}

static int
compare(const void *a, const void *b)
{
	const double x = ((const Resample *)a)->ratio;
	const double y = ((const Resample *)b)->ratio;

	return (x > y) - (x < y);
}

static double
quantile_of(const Resample *sorted, size_t n, double share)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += sorted[i].weight;
		if (sum >= share)
			return sorted[i].ratio;
	}
	return sorted[n - 1].ratio;
}

/*
 * Sums of the influence that a set's values have on the ratio, squared and
 * cubed: how it moves when one is left out (jackknife).
 */
static void
add_influence(const Set *set, double ratio_of_mean, double power,
    double *squares, double *cubes)
{
	const double n = (double)set->n, sum = n * set->summary.mean;
	g_autofree double *without = g_new(double, set->n);
	double mean = 0;

	for (size_t i = 0; i < set->n; i++) {
		const double left = (sum - set->values[i]) / (n - 1);
		without[i] = ratio_of_mean * pow(left, power);
		mean += without[i] / n;
	}
	for (size_t i = 0; i < set->n; i++) {
		const double moved = (n - 1) * (mean - without[i]);
		*squares += moved * moved / (n * n);
		*cubes += moved * moved * moved / (n * n * n);
	}
}

static double
acceleration_of(const Set *base, const Set *test)
{
	double squares = 0, cubes = 0;

	add_influence(base, test->summary.mean, -1, &squares, &cubes);
	add_influence(test, 1 / base->summary.mean, 1, &squares, &cubes);
	return cubes / (6 * pow(squares, 1.5));
}

static void
describe(Bootstrap *out, const Resample *sorted)
{
	const double estimate = out->ratio.estimate;
	const double hair = SAME *
	    fmax(fabs(sorted[0].ratio), fabs(sorted[out->resamples - 1].ratio));
	double squares = 0;

	out->mean = out->below = out->equal = 0;
	for (size_t i = 0; i < out->resamples; i++) {
		const Resample *one = &sorted[i];
		out->mean += one->weight * one->ratio;
		if (one->ratio < estimate - hair)
			out->below += one->weight;
		else if (one->ratio <= estimate + hair)
			out->equal += one->weight;
	}
	for (size_t i = 0; i < out->resamples; i++) {
		const double off = sorted[i].ratio - out->mean;
		squares += sorted[i].weight * off * off;
	}
	out->se = sqrt(squares);
}

static double
moved_tail(const Bootstrap *out, double tail)
{
	const double z = out->z0 + qnorm5(tail, 0, 1, TRUE, FALSE);

	return pnorm5(
	    out->z0 + z / (1 - out->acceleration * z), 0, 1, TRUE, FALSE);
}

static void
take_intervals(Bootstrap *out, const Resample *sorted, double level)
{
	const double tail = (1 - level) / 2;
	const size_t n = out->resamples;

	out->percentile.low = quantile_of(sorted, n, tail);
	out->percentile.high = quantile_of(sorted, n, 1 - tail);
	if (!(out->below > 0 && out->below < 1))
		return;
	out->z0 = qnorm5(out->below, 0, 1, TRUE, FALSE);
	out->low_tail = moved_tail(out, tail);
	out->high_tail = moved_tail(out, 1 - tail);
	out->ratio.low = quantile_of(sorted, n, out->low_tail);
	out->ratio.high = quantile_of(sorted, n, out->high_tail);
}

static bool
can_resample(const Set *base, const Set *test, double level)
{
	return base->n > 1 && test->n > 1 && base->summary.min > 0 &&
	    isfinite(base->summary.mean) && isfinite(test->summary.mean) &&
	    level > 0 && level < 1 &&
	    (stats_varies(&base->summary) || stats_varies(&test->summary));
}

static Bootstrap
resample(const Set *base, const Set *test, double level, uint64_t seed,
    bool may_make_all)
{
	const double estimate = test->summary.mean / base->summary.mean;
	Bootstrap out = { { estimate, NAN, NAN }, { estimate, NAN, NAN }, NAN,
		NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, false };

	if (!can_resample(base, test, level))
		return out;
	out.all = may_make_all &&
	    count_of(base->n) * count_of(test->n) <= STATS_ALL_RESAMPLES;
	if (!out.all && base->n + test->n > STATS_DRAWN_VALUES)
		return out;
	out.resamples = STATS_DRAWN_RESAMPLES;
	g_autofree Resample *all = out.all
	    ? make_all(base, test, &out.resamples)
	    : draw(base, test, seed);
	qsort(all, out.resamples, sizeof *all, compare);
	describe(&out, all);
	out.acceleration = acceleration_of(base, test);
	take_intervals(&out, all, level);
	return out;
}

Bootstrap
stats_bootstrap(const double *base, size_t n_base, const double *test,
    size_t n_test, double level, uint64_t seed)
{
	const Set x = { base, n_base, stats_summary(base, n_base) };
	const Set y = { test, n_test, stats_summary(test, n_test) };

	return resample(&x, &y, level, seed, true);
}

Bootstrap
stats_bootstrap_drawn(const double *base, size_t n_base, const double *test,
    size_t n_test, double level, uint64_t seed)
{
	const Set x = { base, n_base, stats_summary(base, n_base) };
	const Set y = { test, n_test, stats_summary(test, n_test) };

	return resample(&x, &y, level, seed, false);
}
