/*
 * Runs within units: how much of the variance is between units (boots,
 * starts) and how much between the runs of one, and how many runs of each
 * unit are worth their time.
 */
#ifndef STATS_NESTED_H
#define STATS_NESTED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
	double within;  /* variance of runs of one unit */
	double between; /* variance of units, runs' share taken off: >= 0 */
	double share;   /* between / (between + within); NAN if both are 0 */
	bool floored;   /* between was below 0, and is taken for 0 */
} Components;

/*
 * By the method of moments, from the mean squares of an analysis of variance;
 * units of unequal size count with R0 = (N - sum n_i^2 / N) / (k - 1) runs.
 * NANs for fewer than 2 units, or without a unit of 2 runs.
 */
Components stats_components(
    const double *const *units, const size_t *lengths, size_t n_units);
/*
 * The runs of a unit that give the least variance of a mean for the time
 * (Kalibera and Jones 2013): sqrt(cost_unit / cost_run * within / between).
 * Costs are of a unit without its runs, and of a run, in one unit of time.
 * INFINITY where units do not differ; NAN where something is not known.
 */
double stats_best_runs(
    const Components *components, double cost_unit, double cost_run);

#endif
