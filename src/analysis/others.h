/*
 * CPU time that neither the server nor the load used while a run was measured:
 * how much of the machine it is, and whether it disturbs.  Pure.
 */
#ifndef ANALYSIS_OTHERS_H
#define ANALYSIS_OTHERS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "store/data.h"

/* Per cent of all CPU time there was; NAN when it is not known. */
double others_percent(int64_t others_ms, int64_t cpu_ms);
/*
 * More than limit per cent, and so much that a clock of 10 ms can tell: less
 * than a tenth of a second never does.
 */
bool others_disturb(int64_t others_ms, int64_t cpu_ms, double limit);
/* "others used 23 % of the CPU time, 10 % is the limit"; free it. */
char *others_words(int64_t others_ms, int64_t cpu_ms, double limit);

/* Of the measured good runs of valid visits. */
typedef struct {
	size_t runs, watched; /* all, and those of which it is known */
	size_t disturbed;     /* by others, or in a visit that was not quiet */
	double most, mean;    /* per cent; NAN */
	size_t gated, noisy;  /* visits that waited for quiet, and in vain */
	size_t quiet;         /* those that had it */
	size_t visits;
} Others;

/* valid: set of the ids of visits, int64_t *. */
Others others_of(const StoreData *data, GHashTable *valid);

#endif
