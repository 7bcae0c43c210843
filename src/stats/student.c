#include "stats/stats.h"

#include <math.h>

#include <Rmath.h>

/* (n - 1) s^2, nothing for one value. */
static double
squares_of(const Summary *set)
{
	return set->n > 1 ? (double)(set->n - 1) * set->sd * set->sd : 0;
}

StudentTest
stats_student(const Summary *base, const Summary *test, double level)
{
	StudentTest student = { { { test->mean - base->mean, NAN, NAN }, NAN,
				    NAN, NAN, NAN, false },
		NAN, NAN, NAN };
	const double n = (double)test->n, m = (double)base->n;
	const double df = n + m - 2;
	const double factor = 1 / n + 1 / m;

	if (base->mean != 0)
		student.percent =
		    100 * student.mean.difference.estimate / base->mean;
	if (base->n == 0 || test->n == 0 || df < 1 || isnan(base->mean) ||
	    isnan(test->mean) || (!stats_varies(base) && !stats_varies(test)))
		return student;
	const double squares = squares_of(base) + squares_of(test);
	if (!isfinite(squares))
		return student;
	student.pooled_sd = sqrt(squares / df);
	stats_mean_test(
	    &student.mean, student.pooled_sd * sqrt(factor), df, level);
	if (base->mean == 0)
		return student;
	const double ratio = test->mean / base->mean;
	const double variance =
	    (squares_of(test) + squares_of(base) * ratio * ratio) / df * factor;
	student.percent_error = 100 * stats_t_quantile(level, df) *
	    sqrt(variance) / fabs(base->mean);
	return student;
}

Equivalence
stats_equivalence(const RatioTest *test, double margin, double alpha)
{
	Equivalence out = { NAN, NAN, NAN, { test->ratio.estimate, NAN, NAN } };

	if (!test->valid || !(margin > 0 && margin < 1))
		return out;
	const double d = log(test->ratio.estimate), limit = -log1p(-margin);
	out.p_low = pt((d + limit) / test->se, test->df, FALSE, FALSE);
	out.p_high = pt((d - limit) / test->se, test->df, TRUE, FALSE);
	out.p = fmax(out.p_low, out.p_high);
	const double half =
	    stats_t_quantile(1 - 2 * alpha, test->df) * test->se;
	out.ratio.low = exp(d - half);
	out.ratio.high = exp(d + half);
	return out;
}
