#include "stats/select.h"

#include <math.h>
#include <stdint.h>

#include <glib.h>

static void
swap(double *a, double *b)
{
	const double kept = *a;

	*a = *b;
	*b = kept;
}

static double
median_of_three(double a, double b, double c)
{
	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/*
 * The pivot is drawn: no file that somebody has can then make it slow.  A
 * fixed sequence, so that what is done is done alike every time.
 */
static double
pivot_of(const double *values, ptrdiff_t low, ptrdiff_t high, uint64_t *state)
{
	ptrdiff_t place[3];

	for (size_t i = 0; i < G_N_ELEMENTS(place); i++) {
		*state ^= *state << 13;
		*state ^= *state >> 7;
		*state ^= *state << 17;
		place[i] =
		    low + (ptrdiff_t)(*state % (uint64_t)(high - low + 1));
	}
	return median_of_three(
	    values[place[0]], values[place[1]], values[place[2]]);
}

/*
 * Hoare's selection (CACM 1961, FIND): of the parts [low, j] and [i, high]
 * the one that holds place k goes on; what lies between equals the pivot.
 */
double
stats_select(double *values, size_t n, size_t k)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1;
	const ptrdiff_t place = (ptrdiff_t)k;
	uint64_t state = 0x9e3779b97f4a7c15;

	while (low < high) {
		const double pivot = pivot_of(values, low, high, &state);
		ptrdiff_t i = low, j = high;
		while (i <= j) {
			while (values[i] < pivot)
				i++;
			while (pivot < values[j])
				j--;
			if (i <= j)
				swap(&values[i++], &values[j--]);
		}
		if (place <= j)
			high = j;
		else if (place >= i)
			low = i;
		else
			break;
	}
	return values[k];
}

double
stats_quantile(double *values, size_t n, double share)
{
	if (n == 0 || !(share >= 0 && share <= 1))
		return NAN;
	const double place = (double)(n - 1) * share;
	const size_t below = (size_t)place;
	const double part = place - (double)below;
	const double low = stats_select(values, n, below);
	if (!(part > 0) || below + 1 >= n)
		return low;
	/* The next one is the least of what stands behind. */
	double high = values[below + 1];
	for (size_t i = below + 2; i < n; i++)
		high = MIN(high, values[i]);
	return low + part * (high - low);
}
