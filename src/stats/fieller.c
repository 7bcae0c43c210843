#include "stats/fieller.h"

#include <math.h>

static bool
is_known(const Summary *base, const Summary *test)
{
	return base->n > 1 && test->n > 1 &&
	    (stats_varies(base) || stats_varies(test));
}

/* Variance of the mean. */
static double
of_mean(const Summary *set)
{
	return set->sd * set->sd / (double)set->n;
}

/*
 * The ratios r for which |y - r x| is within its half width: roots of
 * (x^2 - h) r^2 - 2 x y r + (y^2 - k), h and k the squares of what x and y
 * are uncertain by.  Their discriminant is written as a sum, which loses no
 * digits.
 */
static Interval
solve(double x, double y, double h, double k)
{
	Interval ratio = { y / x, NAN, NAN };
	const double a = x * x - h;

	if (!(a > 0))
		return ratio;
	const double root = sqrt(fmax(0, a * k + h * y * y));
	ratio.low = (x * y - root) / a;
	ratio.high = (x * y + root) / a;
	return ratio;
}

static Interval
unknown(const Summary *base, const Summary *test)
{
	return (Interval){ test->mean / base->mean, NAN, NAN };
}

Interval
stats_kalibera_jones(const Summary *base, const Summary *test, double level)
{
	if (!is_known(base, test))
		return unknown(base, test);
	const double x = stats_t_quantile(level, (double)base->n - 1);
	const double y = stats_t_quantile(level, (double)test->n - 1);

	return solve(base->mean, test->mean, x * x * of_mean(base),
	    y * y * of_mean(test));
}

Interval
stats_fieller_pooled(const Summary *base, const Summary *test, double level)
{
	if (!is_known(base, test))
		return unknown(base, test);
	const double n = (double)base->n, m = (double)test->n;
	const double df = n + m - 2, t = stats_t_quantile(level, df);
	const double variance =
	    ((n - 1) * base->sd * base->sd + (m - 1) * test->sd * test->sd) /
	    df;

	return solve(
	    base->mean, test->mean, t * t * variance / n, t * t * variance / m);
}

Interval
stats_fieller_welch(
    const Summary *base, const Summary *test, double level, double *df)
{
	if (df != NULL)
		*df = NAN;
	if (!is_known(base, test))
		return unknown(base, test);
	const double ratio = test->mean / base->mean;
	const double x = ratio * ratio * of_mean(base), y = of_mean(test);
	const double freedom = (x + y) * (x + y) /
	    (x * x / ((double)base->n - 1) + y * y / ((double)test->n - 1));
	const double t = stats_t_quantile(level, freedom);

	if (df != NULL)
		*df = freedom;
	return solve(base->mean, test->mean, t * t * of_mean(base),
	    t * t * of_mean(test));
}
