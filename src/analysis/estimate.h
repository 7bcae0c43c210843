/*
 * A weighted sum of rows, estimated over the right units: by per-round
 * differences where enough rounds are complete, else by unit means with
 * Welch's way of counting degrees of freedom.
 */
#ifndef ANALYSIS_ESTIMATE_H
#define ANALYSIS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/grid.h"
#include "stats/stats.h"

typedef struct {
	MeanTest test; /* of logs, or of the values themselves if raw */
	bool raw;      /* some value has no logarithm */
	bool welch;
	bool shared_boots; /* why, for boot-class: rounds share boots */
	size_t n_rounds;   /* complete, on all targets */
	GArray *left_out;  /* size_t: rounds not complete somewhere */
	/* By rounds, of which some lie far from the others (size_t): */
	GArray *far;
	MeanTest without; /* the same test without these */
} Estimate;

/* Weights are one for each row of the grid; class is the contrast's. */
void estimate_init(Estimate *estimate, const Grid *grid, const double *weights,
    FactorClass class);
void estimate_clear(Estimate *estimate);

/*
 * Means of such a sum over the complete rounds of the weights `over`, or over
 * all units where fewer than CONTRAST_ROUNDS are complete; no test.
 */
double estimate_mean(const Grid *grid, const double *weights,
    const double *over, bool welch, bool raw);
/* Every row with a weight has a value at this place. */
bool estimate_complete(const Grid *grid, const double *weights, size_t place);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Estimate, estimate_clear)

#endif
