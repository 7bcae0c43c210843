#include "stats/power.h"

#include <math.h>
#include <stdbool.h>

#include <Rmath.h>

#include "stats/stats.h"

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

double
stats_power(double difference, double sd, size_t n, double level)
{
	const double df = 2 * ((double)n - 1);
	const double critical = stats_t_quantile(level, df);

	if (n < 2 || !(sd > 0) || !isfinite(difference) || !isfinite(critical))
		return NAN;
	return power_of(
	    fabs(difference) / (sd * sqrt(2 / (double)n)), critical, df);
}

/* What is asked of a number of runs. */
typedef struct {
	double difference, sd, level, power; /* power NAN: half width */
} Wish;

static bool
fulfils(const Wish *wish, size_t n)
{
	if (!isnan(wish->power))
		return stats_power(wish->difference, wish->sd, n,
			   wish->level) >= wish->power;
	return stats_t_quantile(wish->level, 2 * ((double)n - 1)) * wish->sd *
	    sqrt(2 / (double)n) <=
	    wish->difference;
}

/* More runs are never worse. */
static size_t
least_runs(const Wish *wish)
{
	size_t low = 1, high = 2; /* low does not do */

	if (!(wish->difference > 0) || !(wish->level > 0 && wish->level < 1) ||
	    !(wish->sd >= 0))
		return 0;
	if (!(wish->sd > 0))
		return 2;
	while (!fulfils(wish, high)) {
		low = high;
		high *= 2;
		if (high > STATS_MOST_RUNS)
			return 0;
	}
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (fulfils(wish, middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

size_t
stats_runs_needed(double difference, double sd, double level, double power)
{
	const Wish wish = { fabs(difference), sd, level, power };

	return power > 0 && power < 1 ? least_runs(&wish) : 0;
}

size_t
stats_runs_for_half_width(double half, double sd, double level)
{
	const Wish wish = { half, sd, level, NAN };

	return least_runs(&wish);
}
