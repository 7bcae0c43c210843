#include "stats/ministat.h"

#include <math.h>

#include <Rmath.h>
#include <glib.h>

#include "stats/select.h"

const double ministat_levels[MINISTAT_LEVELS] = { 80, 90, 95, 98, 99, 99.5 };

/* Its table ends here; beyond stands the normal distribution's quantile. */
enum { TABLE_END = 100 };

/* Six of its entries are not what they should be, from 7 degrees on. */
enum { FIRST_WRONG = 7, WRONG = 6 };
static const double wrong[WRONG] = { 4.782, 4.499, 4.296, 4.143, 4.024, 3.929 };

/*
 * The entries are Student's quantiles, rounded; but those of its column
 * "99.5 %" are 99.8 % ones, and some of them wrong at that.
 */
static double
table_value(double level, double df)
{
	const bool last = level > 99;
	const double tail = last ? .001 : (1 - level / 100) / 2;
	const double t = df > TABLE_END ? qnorm5(tail, 0, 1, FALSE, FALSE)
					: qt(tail, df, FALSE, FALSE);

	if (last && df >= FIRST_WRONG && df < FIRST_WRONG + WRONG)
		return wrong[(size_t)df - FIRST_WRONG];
	return round(t * 1000) / 1000;
}

Summary
ministat_summary(double *values, size_t n)
{
	double min = values[0], max = values[0], sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		min = MIN(min, values[i]);
		max = MAX(max, values[i]);
		sum += values[i];
		squares += values[i] * values[i];
	}
	const double variance =
	    (squares - sum * sum / (double)n) / (double)(n - 1);
	Summary s = { n, min, max, NAN, sum / (double)n, NAN, NAN };
	s.sd =
	    variance >= 0 ? sqrt(variance) : stats_summary_moving(values, n).sd;
	s.median = stats_select(values, n, n / 2);
	return s;
}

MinistatTest
ministat_test(const Summary *base, const Summary *test, double level)
{
	const double n = (double)test->n, m = (double)base->n;
	MinistatTest out = { .difference = test->mean - base->mean };
	const double variance =
	    (n - 1) * (test->sd * test->sd) + (m - 1) * (base->sd * base->sd);

	out.pooled_sd = sqrt(variance / (n + m - 2));
	out.error = table_value(level, n + m - 2) *
	    (out.pooled_sd * sqrt(1 / n + 1 / m));
	out.percent = out.difference * 100 / base->mean;
	/* Nothing of nothing is no number. */
	out.percent_error = out.error > 0 ? out.error * 100 / base->mean : 0;
	out.differs = fabs(out.difference) > out.error;
	return out;
}
