#include "abload/histogram.h"

#include <math.h>

double
histogram_value(size_t slot)
{
	if (slot < HISTOGRAM_STEPS)
		return (double)slot;
	const size_t shift = (slot >> HISTOGRAM_BITS) - 1;
	const uint64_t low =
	    (uint64_t)((slot & (HISTOGRAM_STEPS - 1)) + HISTOGRAM_STEPS)
	    << shift;
	return (double)low + ldexp(1, (int)shift) / 2 - .5;
}

static uint64_t
read_count(const Histogram *histogram, size_t slot)
{
	return __atomic_load_n(&histogram->count[slot], __ATOMIC_RELAXED);
}

void
histogram_merge(Histogram *to, const Histogram *from)
{
	for (size_t i = 0; i < HISTOGRAM_SLOTS; i++)
		to->count[i] += read_count(from, i);
}

void
histogram_since(Histogram *now, const Histogram *before)
{
	for (size_t i = 0; i < HISTOGRAM_SLOTS; i++)
		now->count[i] -= before->count[i];
}

uint64_t
histogram_total(const Histogram *histogram)
{
	uint64_t total = 0;

	for (size_t i = 0; i < HISTOGRAM_SLOTS; i++)
		total += read_count(histogram, i);
	return total;
}

double
histogram_quantile(const Histogram *histogram, double share)
{
	const uint64_t total = histogram_total(histogram);
	const double wanted = ceil(share * (double)total);
	uint64_t seen = 0;

	for (size_t i = 0; i < HISTOGRAM_SLOTS; i++) {
		seen += read_count(histogram, i);
		if (seen > 0 && (double)seen >= wanted)
			return histogram_value(i);
	}
	return NAN;
}
