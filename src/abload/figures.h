/*
 * What a crew has counted, over all of its clients.  Reads tallies whose
 * clients have ended.
 */
#ifndef ABLOAD_FIGURES_H
#define ABLOAD_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#include "abload/crew.h"

/* Mean, least and most time of a connection in microseconds; 0 of none. */
typedef struct {
	double mean_us;
	int64_t least_us, most_us;
	size_t n;
} Connects;

/* Of the queries of one type; times are latencies. */
typedef struct {
	uint64_t queries, rows, misses;
	double sum_ns, squares, min_ns, max_ns;
} Figures;

Connects figures_connects(const Crew *crew);
Figures figures_of(const Crew *crew, size_t type);
/* Super-smack's: from before the first thread to behind the last one. */
double figures_smack_seconds(const Crew *crew);
/* From the gate to the end of the last query. */
double figures_window_seconds(const Crew *crew);

#endif
