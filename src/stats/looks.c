#include "stats/looks.h"

#include <math.h>

#include <Rmath.h>
#include <glib.h>

enum { POINTS = 801, HALVINGS = 60 };

/* No bound is as great. */
#define FAR 40.

/*
 * The sum of what was seen as it is spread, if there is no difference, where
 * no look so far has ended it: its density at points evenly spaced between
 * the bounds, with Simpson's weights in it.
 */
typedef struct {
	double at[POINTS], mass[POINTS];
} Spread;

static double
upper_tail(double z)
{
	return pnorm5(z, 0, 1, FALSE, FALSE);
}

double
stats_spent(double share, double alpha)
{
	if (!(share > 0) || !(alpha > 0 && alpha < 1))
		return share == 0 ? 0 : NAN;
	const double z = qnorm5(alpha / 4, 0, 1, FALSE, FALSE);

	return 4 * upper_tail(z / sqrt(fmin(share, 1)));
}

/* Points from -end to end, and Simpson's weights for them. */
static void
spread_points(Spread *spread, double end)
{
	const double step = 2 * end / (POINTS - 1);

	for (size_t i = 0; i < POINTS; i++) {
		const bool outer = i == 0 || i == POINTS - 1;
		spread->at[i] = -end + step * (double)i;
		spread->mass[i] = step / 3 * (outer ? 1 : i % 2 == 1 ? 4 : 2);
	}
}

/* The chance to be above a bound after one more step, of this deviation. */
static double
crossing(const Spread *spread, double bound, double deviation)
{
	double sum = 0;

	for (size_t i = 0; i < POINTS; i++)
		sum += spread->mass[i] *
		    upper_tail((bound - spread->at[i]) / deviation);
	return sum;
}

static double
find_bound(const Spread *spread, double deviation, double chance)
{
	double low = 0, high = FAR;

	for (size_t i = 0; i < HALVINGS; i++) {
		const double middle = (low + high) / 2;
		if (crossing(spread, middle, deviation) > chance)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* One more step: the sum of what was there and a normal one. */
static void
go_on(Spread *spread, double end, double deviation)
{
	g_autofree Spread *next = g_new(Spread, 1);

	spread_points(next, end);
	for (size_t i = 0; i < POINTS; i++) {
		double density = 0;
		for (size_t j = 0; j < POINTS; j++)
			density += spread->mass[j] *
			    dnorm4(
				next->at[i], spread->at[j], deviation, FALSE);
		next->mass[i] *= density;
	}
	*spread = *next;
}

static void
begin(Spread *spread, double end, double deviation)
{
	spread_points(spread, end);
	for (size_t i = 0; i < POINTS; i++)
		spread->mass[i] *= dnorm4(spread->at[i], 0, deviation, FALSE);
}

/*
 * Armitage, McPherson and Rowe's recursion (1969), on sums: after share t
 * their variance is t, and the bound of z counts sqrt(t) times.
 */
bool
stats_looks(size_t n_looks, double level, Look *looks)
{
	const double deviation = sqrt(1 / (double)n_looks);
	g_autofree Spread *spread = g_new(Spread, 1);
	double before = 0;

	if (n_looks == 0 || n_looks > STATS_MOST_LOOKS ||
	    !(level > 0 && level < 1))
		return false;
	for (size_t k = 0; k < n_looks; k++) {
		Look *look = &looks[k];
		look->share = (double)(k + 1) / (double)n_looks;
		look->spent = stats_spent(look->share, 1 - level);
		const double chance = (look->spent - before) / 2;
		const double root = sqrt(look->share);
		look->z = k == 0 ? qnorm5(chance, 0, 1, FALSE, FALSE)
				 : find_bound(spread, deviation, chance) / root;
		look->p = 2 * upper_tail(look->z);
		before = look->spent;
		if (k == 0)
			begin(spread, look->z * root, deviation);
		else
			go_on(spread, look->z * root, deviation);
	}
	return true;
}
