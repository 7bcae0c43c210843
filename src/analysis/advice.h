/*
 * Advice for the next night: how much of the noise is between units (starts;
 * without a server, visits), how much between the runs of one, and how many
 * runs of each unit are worth what they take.
 */
#ifndef ANALYSIS_ADVICE_H
#define ANALYSIS_ADVICE_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "store/data.h"

/* NANs where a cell has no unit of two runs, or times were not stored. */
typedef struct {
	double run_cv, unit_cv; /* per cent; units beside what runs explain */
	double best;            /* runs; INFINITY if units do not differ */
	size_t runs; /* that many, whole ones; 0 where best is not known */
	bool more;   /* more than so many, which nobody waits for */
} Advice;

Advice advice_of(const StoreData *data, GHashTable *visits,
    const DataLoad *load, const DataMetric *metric);

#endif
