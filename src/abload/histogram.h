/*
 * How long queries took: a log-linear histogram of nanoseconds, 128 steps to
 * a doubling, so that a percentile is off by less than 1 %.  From 1 ns to 18
 * minutes; longer ones count as that.
 *
 * One thread adds; others may read at any time and see each count before or
 * after an addition.  Counts are never lost.
 */
#ifndef ABLOAD_HISTOGRAM_H
#define ABLOAD_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
	HISTOGRAM_BITS = 7,
	HISTOGRAM_STEPS = 1 << HISTOGRAM_BITS,
	HISTOGRAM_TOP_BIT = 40, /* 2^40 ns: 18 min */
	HISTOGRAM_SLOTS =
	    (HISTOGRAM_TOP_BIT - HISTOGRAM_BITS + 1) * HISTOGRAM_STEPS,
};

typedef struct {
	uint64_t count[HISTOGRAM_SLOTS];
} Histogram;

static inline size_t
histogram_slot(uint64_t ns)
{
	if (ns < HISTOGRAM_STEPS)
		return (size_t)ns;
	if (ns >> HISTOGRAM_TOP_BIT != 0)
		return HISTOGRAM_SLOTS - 1;
	const int shift = 63 - __builtin_clzll(ns) - HISTOGRAM_BITS;
	return ((size_t)shift << HISTOGRAM_BITS) + (size_t)(ns >> shift);
}

static inline void
histogram_add(Histogram *histogram, uint64_t ns)
{
	uint64_t *count = &histogram->count[histogram_slot(ns)];

	__atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);
}

/* The middle of a slot, in nanoseconds. */
double histogram_value(size_t slot);
/* Adds what from has to to. */
void histogram_merge(Histogram *to, const Histogram *from);
/* Takes what before had from now. */
void histogram_since(Histogram *now, const Histogram *before);
uint64_t histogram_total(const Histogram *histogram);
/*
 * The least value that share (0 to 1) of all are not above, in nanoseconds;
 * NAN without any.
 */
double histogram_quantile(const Histogram *histogram, double share);

#endif
