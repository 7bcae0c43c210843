#include "stats/fieller.h"

#include <math.h>

static bool
is_known(const Summary *base, const Summary *test)
{
	return base->n > 1 && test->n > 1 &&
	    (stats_varies(base) || stats_varies(test));
}

/* Of the base's mean: what is computed of it is of no unit, near 1. */
static double
relative_sd(const Summary *set, const Summary *base)
{
	return set->sd / fabs(base->mean);
}

static double
relative_se(const Summary *set, const Summary *base)
{
	return relative_sd(set, base) / sqrt((double)set->n);
}

static Interval
unknown(const Summary *base, const Summary *test)
{
	return (Interval){ test->mean / base->mean, NAN, NAN };
}

/*
 * The ratios r for which |y - r x| is within its half width, in units of x:
 * roots of (1 - h^2) r^2 - 2 y r + (y^2 - k^2), h and k what x and y are
 * uncertain by.  Their discriminant is written as a sum, which loses no
 * digits.
 */
static Interval
solve(const Summary *base, const Summary *test, double h, double k)
{
	Interval ratio = unknown(base, test);
	const double a = 1 - h * h;

	if (!(a > 0))
		return ratio;
	const double root = hypot(sqrt(a) * k, h * ratio.estimate);
	ratio.low = (ratio.estimate - root) / a;
	ratio.high = (ratio.estimate + root) / a;
	return ratio;
}

Interval
stats_kalibera_jones(const Summary *base, const Summary *test, double level)
{
	if (!is_known(base, test))
		return unknown(base, test);
	const double x = stats_t_quantile(level, (double)base->n - 1);
	const double y = stats_t_quantile(level, (double)test->n - 1);

	return solve(base, test, x * relative_se(base, base),
	    y * relative_se(test, base));
}

Interval
stats_fieller_pooled(const Summary *base, const Summary *test, double level)
{
	if (!is_known(base, test))
		return unknown(base, test);
	const double n = (double)base->n, m = (double)test->n;
	const double df = n + m - 2, t = stats_t_quantile(level, df);
	const double sd = hypot(sqrt((n - 1) / df) * relative_sd(base, base),
	    sqrt((m - 1) / df) * relative_sd(test, base));

	return solve(base, test, t * sd / sqrt(n), t * sd / sqrt(m));
}

/*
 * Of y - r x at the ratio found, by the share of its variance that is x's.
 * Where neither has any, r is 0 and y does not vary: they are those of x, as
 * near a ratio of 0.
 */
static double
freedom_of(double ratio, double x, double y, double n, double m)
{
	const double both = hypot(ratio * x, y);
	const double share = both > 0 ? ratio * x / both : 1;
	const double a = share * share, b = both > 0 ? y / both : 0;

	return 1 / (a * a / (n - 1) + b * b * b * b / (m - 1));
}

Interval
stats_fieller_welch(
    const Summary *base, const Summary *test, double level, double *df)
{
	if (df != NULL)
		*df = NAN;
	if (!is_known(base, test))
		return unknown(base, test);
	const double x = relative_se(base, base), y = relative_se(test, base);
	const double freedom = freedom_of(
	    test->mean / base->mean, x, y, (double)base->n, (double)test->n);
	const double t = stats_t_quantile(level, freedom);

	if (df != NULL)
		*df = freedom;
	return solve(base, test, t * x, t * y);
}
