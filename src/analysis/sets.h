/*
 * Sets of plain numbers, of which nothing is known but their order: every
 * number that abrun stat prints, once.  Pure.  The first set is the base, the
 * others are compared with it.
 */
#ifndef ANALYSIS_SETS_H
#define ANALYSIS_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "stats/ministat.h"
#include "stats/order.h"
#include "stats/ranks.h"
#include "stats/stats.h"

/* Longer sets are not looked at for outliers and first runs. */
#define SETS_ORDER_VALUES 1000

typedef struct {
	bool old;      /* ministat's numbers of 2015, and no others */
	bool compare;  /* else summaries alone */
	double level;  /* of intervals and tests: .95 */
	double margin; /* per cent: what is no difference worth a word */
} SetsOptions;

typedef struct {
	const char *name;
	double *values; /* borrowed; moved */
	size_t n;
	Summary summary;
	/* What follows is not there of old numbers. */
	Summary logs;
	FirstRun first;
	Trend trend;
	/* Further from the median than 3.5 of a normal set's deviations. */
	size_t outliers;
} NumberSet;

/* In the order of abrun-statistics(7). */
typedef enum {
	SET_HIGHER,
	SET_LOWER,
	SET_EQUIVALENT, /* within the margin */
	SET_NONE_SHOWN, /* no difference shown: could be from..to */
	SET_TOO_FEW,    /* not enough data; reason says why */
} SetVerdict;

typedef struct {
	MinistatTest old; /* of old numbers; what follows is of the others */
	StudentTest student;
	/*
	 * Ratio of geometric means, as per cent of change, by Welch's t on
	 * logs; of raw sets the difference in the values' own unit.
	 */
	bool raw; /* some value is not positive */
	Interval change;
	Interval narrow;         /* of the equivalence: two one-sided tests */
	double t, df, p, p_holm; /* NAN where there is no test */
	RankTest ranks;  /* NANs where there are too many pairs to count */
	ShiftTest shift; /* the same */
	SetVerdict verdict;
	const char *reason; /* of SET_TOO_FEW, else NULL */
	bool small;         /* different, but by less than the margin */
	double detectable;  /* of SET_NONE_SHOWN: seen with power .8; NAN */
} SetComparison;

typedef struct {
	SetsOptions options;
	NumberSet *sets;
	size_t n;
	SetComparison *comparisons; /* n - 1: of sets 1, 2, ... with set 0 */
	size_t family;              /* tests that Holm's rule adjusts for */
} Sets;

/* Of n sets, of which name, values and n are set; takes over nothing. */
Sets *sets_new(const NumberSet *sets, size_t n, const SetsOptions *options);
void sets_free(Sets *sets);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sets, sets_free)

#endif
