#include "stats/ranks.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <Rmath.h>
#include <glib.h>

#include "stats/counts.h"
#include "stats/select.h"

/* Additions that the shift algorithm may take: under a second. */
#define EXACT_WORK 3e8

typedef struct {
	double value;
	bool test;
} Ranked;

static int
compare(const void *a, const void *b)
{
	const double x = ((const Ranked *)a)->value;
	const double y = ((const Ranked *)b)->value;

	return (x > y) - (x < y);
}

/* Both sets in order; NULL where there is no rank.  Free it. */
static Ranked *
rank_both(const double *base, size_t n_base, const double *test, size_t n_test)
{
	if (n_base == 0 || n_test == 0)
		return NULL;
	g_autofree Ranked *all = g_new(Ranked, n_base + n_test);
	for (size_t i = 0; i < n_base + n_test; i++) {
		all[i].test = i >= n_base;
		all[i].value = all[i].test ? test[i - n_base] : base[i];
		if (!isfinite(all[i].value))
			return NULL;
	}
	qsort(all, n_base + n_test, sizeof *all, compare);
	return g_steal_pointer(&all);
}

/* What ranks are told by. */
typedef struct {
	size_t *doubled; /* midranks times two, of all values in order */
	size_t sum;      /* of those of the test set */
	double ties;     /* sum of t^3 - t over groups of t equal values */
} Ranks;

static void
find_ranks(Ranks *ranks, const Ranked *all, size_t n)
{
	ranks->doubled = g_new(size_t, n);
	ranks->sum = 0;
	ranks->ties = 0;
	for (size_t first = 0, next = 0; first < n; first = next) {
		while (next < n && all[next].value == all[first].value)
			next++;
		const double t = (double)(next - first);
		ranks->ties += t * t * t - t;
		for (size_t i = first; i < next; i++) {
			/* Ranks count from 1: twice their mean. */
			ranks->doubled[i] = first + 1 + next;
			if (all[i].test)
				ranks->sum += ranks->doubled[i];
		}
	}
}

static double
exact_without_ties(double u, size_t m, size_t n)
{
	g_autofree double *shares = counts_mann_whitney(m, n);
	const double lower = fmin(u, (double)m * (double)n - u);
	double tail = 0;

	for (size_t i = 0; i <= (size_t)lower; i++)
		tail += shares[i];
	return fmin(1, 2 * tail);
}

/*
 * Of the m values that are fewer.  Sums are counted from the least possible
 * one, which keeps the table small.
 */
static double
exact_with_ties(const Ranks *ranks, size_t n, size_t m, size_t sum)
{
	size_t most = 0;

	for (size_t i = n - m; i < n; i++)
		most += ranks->doubled[i];
	g_autofree double *shares =
	    counts_rank_sums(ranks->doubled, n, m, most);
	/* Doubled ranks have the mean n + 1. */
	const double expected = (double)m * (double)(n + 1);
	const double distance = fabs((double)sum - expected);
	double p = 0;
	for (size_t i = 0; i <= most; i++)
		if (fabs((double)i - expected) >= distance)
			p += shares[i];
	return fmin(1, p);
}

static double
normal_p(double u, double m, double n, double ties)
{
	const double all = m + n, off = fabs(u - m * n / 2);
	const double variance =
	    m * n / 12 * (all + 1 - ties / (all * (all - 1)));

	if (!(variance > 0))
		return 1;
	return fmin(1,
	    2 * pnorm5(fmax(off - .5, 0) / sqrt(variance), 0, 1, FALSE, FALSE));
}

static double
p_of(RankTest *rank, const Ranks *ranks, size_t n_base, size_t n_test)
{
	const size_t n = n_base + n_test, fewer = MIN(n_base, n_test);
	const double pairs = (double)n_base * (double)n_test;

	rank->exact = true;
	if (!rank->ties && pairs <= STATS_EXACT_PAIRS)
		return exact_without_ties(rank->u, n_base, n_test);
	/* Doubled ranks add up to n (n + 1). */
	const size_t sum =
	    fewer == n_test ? ranks->sum : n * (n + 1) - ranks->sum;
	if (rank->ties &&
	    (double)fewer * (double)n * (double)fewer * 2 * (double)n <=
		EXACT_WORK)
		return exact_with_ties(ranks, n, fewer, sum);
	rank->exact = false;
	return normal_p(rank->u, (double)n_base, (double)n_test, ranks->ties);
}

RankTest
stats_mann_whitney(
    const double *base, size_t n_base, const double *test, size_t n_test)
{
	RankTest rank = { NAN, NAN, false, false, NAN, NAN };
	g_autofree Ranked *all = rank_both(base, n_base, test, n_test);
	const double n = (double)n_test, pairs = (double)n_base * n;
	Ranks ranks;

	if (all == NULL)
		return rank;
	find_ranks(&ranks, all, n_base + n_test);
	rank.ties = ranks.ties > 0;
	rank.u = ((double)ranks.sum - n * (n + 1)) / 2;
	rank.cliff = 2 * rank.u / pairs - 1;
	rank.least_p = fmin(1, 2 / choose((double)n_base + n, n));
	rank.p = p_of(&rank, &ranks, n_base, n_test);
	g_free(ranks.doubled);
	return rank;
}

/*
 * Of how many differences at each end the interval leaves out, the most whose
 * two tails together keep to 1 - level; its own level is set.
 */
static size_t
left_out(size_t m, size_t n, double level, double *achieved)
{
	size_t out = 0;

	if (m * n > STATS_EXACT_PAIRS) {
		const double sd =
		    sqrt((double)m * (double)n * (double)(m + n + 1) / 12);
		const double place = (double)m * (double)n / 2 -
		    qnorm5((1 + level) / 2, 0, 1, TRUE, FALSE) * sd;
		*achieved = level;
		return (size_t)fmax(0, place);
	}
	g_autofree double *shares = counts_mann_whitney(m, n);
	double tail = shares[0];
	while (2 * (tail + shares[out + 1]) <= (1 - level) * (1 + 1e-12) &&
	    out + 1 < m * n / 2)
		tail += shares[++out];
	*achieved = fmax(0, 1 - 2 * tail);
	return out;
}

ShiftTest
stats_hodges_lehmann(const double *base, size_t n_base, const double *test,
    size_t n_test, double level)
{
	ShiftTest out = { { NAN, NAN, NAN }, NAN };
	size_t n = 0;

	if (n_base == 0 || n_test == 0 || n_base > STATS_SHIFT_PAIRS / n_test ||
	    !(level > 0 && level < 1))
		return out;
	g_autofree double *differences = g_new(double, n_base *n_test);
	for (size_t i = 0; i < n_base; i++)
		for (size_t j = 0; j < n_test; j++) {
			if (!isfinite(base[i]) || !isfinite(test[j]))
				return out;
			differences[n++] = test[j] - base[i];
		}
	out.shift.estimate = stats_quantile(differences, n, .5);
	if (n < 2)
		return out;
	const size_t end = left_out(n_base, n_test, level, &out.level);
	out.shift.low = stats_select(differences, n, end);
	out.shift.high = stats_select(differences, n, n - 1 - end);
	return out;
}
