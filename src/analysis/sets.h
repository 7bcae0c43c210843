/*
 * Sets of plain numbers, of which nothing is known but their order: every
 * number that abrun stat prints, once.  Pure.  The first set is the base, the
 * others are compared with it.
 */
#ifndef ANALYSIS_SETS_H
#define ANALYSIS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "stats/bootstrap.h"
#include "stats/looks.h"
#include "stats/ministat.h"
#include "stats/order.h"
#include "stats/permutation.h"
#include "stats/ranks.h"
#include "stats/shapiro.h"
#include "stats/stats.h"

/* Longer sets are not looked at for outliers and first runs. */
#define SETS_ORDER_VALUES 1000

typedef struct {
	bool old;      /* ministat's numbers of 2015, and no others */
	bool compare;  /* else summaries alone */
	double level;  /* of intervals and tests: .95 */
	double margin; /* per cent: what is no difference worth a word */
	bool tests;    /* SetTests, too */
	uint64_t seed; /* of what they draw */
	/* This is look number look of looks that were planned; 0: of one. */
	size_t look, looks;
} SetsOptions;

typedef struct {
	const char *name;
	double *values; /* borrowed; moved */
	size_t n;
	Summary summary;
	/* What follows is not there of old numbers. */
	Summary logs;
	FirstRun first;
	double first_percent; /* the first from the mean of the others; NAN */
	Trend trend;
	bool trends; /* its p is below that of the tests */
	/* Further from the median than 3.5 of a normal set's deviations. */
	size_t outliers;
	Shapiro shapiro; /* with SetsOptions.tests */
} NumberSet;

/* In the order of abrun-statistics(7). */
typedef enum {
	SET_HIGHER,
	SET_LOWER,
	SET_EQUIVALENT, /* within the margin */
	SET_NONE_SHOWN, /* no difference shown: could be from..to */
	SET_TOO_FEW,    /* not enough data; reason says why */
} SetVerdict;

/* What else is asked of a pair, with SetsOptions.tests. */
typedef struct {
	bool enough; /* values, and some that differ, for what follows */
	/* Ratios of arithmetic means, as per cent of change. */
	Interval fieller, kalibera_jones;
	Bootstrap bootstrap;
	Interval drawn, percentile; /* its intervals as per cent of change */
	double a12; /* share of pairs whose second is above the first */
	Permutation permutation;
} SetTests;

typedef struct {
	MinistatTest ministat; /* what it prints, of 2015 or with Student's t */
	/* What follows is not there of old numbers. */
	StudentTest student;
	/*
	 * Ratio of geometric means, as per cent of change, by Welch's t on
	 * logs; of raw sets the difference in the values' own unit.
	 */
	bool raw; /* some value is not positive */
	/* No double holds the squares of a set: no sd, and no t of values. */
	bool beyond;
	Interval change;
	Interval narrow;         /* of the equivalence: two one-sided tests */
	double t, df, p, p_holm; /* NAN where there is no test */
	RankTest ranks;  /* NANs where there are too many pairs to count */
	bool ranks_can;  /* so many values could show something by ranks */
	ShiftTest shift; /* the same */
	SetVerdict verdict;
	const char *reason; /* of SET_TOO_FEW, else NULL */
	bool small;         /* different, but by less than the margin */
	double detectable;  /* of SET_NONE_SHOWN: seen with power .8; NAN */
	SetTests tests;
} SetComparison;

typedef struct {
	SetsOptions options;
	NumberSet *sets;
	size_t n;
	SetComparison *comparisons; /* n - 1: of sets 1, 2, ... with set 0 */
	size_t family;              /* tests that p_holm is adjusted for */
	/*
	 * What p_holm must be below for a difference to be shown.  With looks
	 * that is the look's bound, of an alpha that is shared out evenly:
	 * Holm's rule is not for looks, and p_holm is Bonferroni's then.
	 */
	double bound;
	Look look; /* of one comparison's share of alpha; with looks */
} Sets;

/*
 * Of n sets, of which name, values and n are set; takes over nothing.  What
 * options ask for must be possible: a look that stats_looks() knows.
 */
Sets *sets_new(const NumberSet *sets, size_t n, const SetsOptions *options);
void sets_free(Sets *sets);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sets, sets_free)

#endif
