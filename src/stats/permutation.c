#include "stats/permutation.h"

#include <math.h>

#include <Rmath.h>
#include <glib.h>

#include "base/random.h"

/* What differs by less is the same, rounded in another order. */
#define SAME 1e-10

/* Values less their common mean; the first k are one set. */
typedef struct {
	double *values;
	size_t k, n;
} Deal;

typedef struct {
	double means, welch; /* how far apart, without sign */
} Distance;

static double
mean_of(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return sum / (double)n;
}

/* Variance of a mean; NAN for one value. */
static double
variance_of(const double *values, size_t n, double mean)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return n < 2 ? NAN : squares / (double)(n - 1) / (double)n;
}

static Distance
distance_of(const Deal *deal)
{
	const double *rest = deal->values + deal->k;
	const size_t m = deal->n - deal->k;
	const double x = mean_of(deal->values, deal->k), y = mean_of(rest, m);
	const double variance =
	    variance_of(deal->values, deal->k, x) + variance_of(rest, m, y);
	const double means = fabs(x - y);

	/* 0 / 0: equal values in both sets are not apart. */
	return (Distance){ means, means == 0 ? 0 : means / sqrt(variance) };
}

typedef struct {
	Distance seen;
	size_t means, welch; /* arrangements as far apart */
} Tally;

static void
count(Tally *tally, const Deal *deal)
{
	const Distance d = distance_of(deal);

	if (d.means >= tally->seen.means * (1 - SAME))
		tally->means++;
	if (d.welch >= tally->seen.welch * (1 - SAME))
		tally->welch++;
}

/*
 * Every choice of k places, in lexicographic order; what is chosen is put in
 * front, where it is counted.
 */
static size_t
count_all(Tally *tally, const Deal *deal)
{
	const size_t k = deal->k, n = deal->n;
	g_autofree size_t *chosen = g_new(size_t, k);
	g_autofree double *values = g_new(double, n);
	const Deal dealt = { values, k, n };
	size_t made = 0;

	for (size_t i = 0; i < k; i++)
		chosen[i] = i;
	for (;;) {
		size_t in = 0, out = k;
		for (size_t i = 0; i < n; i++) {
			const bool first = in < k && chosen[in] == i;
			values[first ? in++ : out++] = deal->values[i];
		}
		count(tally, &dealt);
		made++;
		size_t last = k;
		while (last > 0 && chosen[last - 1] == n - k + last - 1)
			last--;
		if (last == 0)
			return made;
		chosen[last - 1]++;
		for (size_t i = last; i < k; i++)
			chosen[i] = chosen[i - 1] + 1;
	}
}

static void
count_drawn(Tally *tally, Deal *deal, uint64_t seed)
{
	Random random = random_stream(seed, "permutation", 0);

	for (size_t made = 0; made < STATS_DRAWN_ARRANGEMENTS; made++) {
		for (size_t i = 0; i < deal->k; i++) {
			const size_t other =
			    i + (size_t)random_below(&random, deal->n - i);
			const double kept = deal->values[i];
			deal->values[i] = deal->values[other];
			deal->values[other] = kept;
		}
		count(tally, deal);
	}
}

/* The set of fewer values first; NULL where there is nothing to deal. */
static double *
join(const double *base, size_t n_base, const double *test, size_t n_test)
{
	const bool swap = n_base > n_test;
	const size_t k = MIN(n_base, n_test), n = n_base + n_test;

	if (n_base == 0 || n_test == 0)
		return NULL;
	g_autofree double *all = g_new0(double, n);
	for (size_t i = 0; i < n; i++) {
		all[i] = i < k ? (swap ? test : base)[i]
			       : (swap ? base : test)[i - k];
		if (!isfinite(all[i]))
			return NULL;
	}
	const double mean = mean_of(all, n);
	for (size_t i = 0; i < n; i++)
		all[i] -= mean;
	return g_steal_pointer(&all);
}

Permutation
stats_permutation(const double *base, size_t n_base, const double *test,
    size_t n_test, uint64_t seed)
{
	Permutation out = { NAN, NAN, 0, false };
	g_autofree double *values = join(base, n_base, test, n_test);
	Deal deal = { values, MIN(n_base, n_test), n_base + n_test };
	const double ways = choose((double)deal.n, (double)deal.k);
	size_t extra = 0;

	if (values == NULL)
		return out;
	out.all = ways <= STATS_ALL_ARRANGEMENTS &&
	    ways * (double)deal.n <= STATS_ARRANGING_WORK;
	if (!out.all && deal.n > STATS_ARRANGED_VALUES)
		return out;
	Tally tally = { distance_of(&deal), 0, 0 };
	/* Beyond what a double holds. */
	if (!isfinite(tally.seen.means))
		return out;
	if (out.all) {
		out.arrangements = count_all(&tally, &deal);
	} else {
		out.arrangements = STATS_DRAWN_ARRANGEMENTS;
		count_drawn(&tally, &deal, seed);
		extra = 1;
	}
	const double all = (double)(out.arrangements + extra);
	out.p_means = (double)(tally.means + extra) / all;
	if (deal.k > 1)
		out.p_welch = (double)(tally.welch + extra) / all;
	return out;
}
