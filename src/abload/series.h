/*
 * What happened in each interval of a run, as read from the clients' tallies
 * while they count.  For one thread.
 */
#ifndef ABLOAD_SERIES_H
#define ABLOAD_SERIES_H

#include <stdint.h>

#include <glib.h>

#include "abload/cpu.h"
#include "abload/crew.h"

typedef struct {
	double from_s, to_s; /* since the gate opened */
	uint64_t queries;
	double p50_us, p99_us;          /* NAN without queries */
	double own_share, others_share; /* of all CPUs; NAN where not known */
} SeriesRow;

typedef struct Series Series;

/* interval_ms 0: no rows. */
Series *series_new(int64_t interval_ms);
void series_free(Series *series);
/* To be called often: makes a row once its interval is over. */
void series_look(Series *series, Bench *bench, const GPtrArray *crews);
const GArray *series_rows(const Series *series); /* SeriesRow */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Series, series_free)

#endif
