/*
 * Which rows stand against which: one level of a factor against its baseline
 * level, or two such pairs crossed, in every combination of the other factors
 * that has all the cells it takes.
 */
#ifndef ANALYSIS_COMPARISON_H
#define ANALYSIS_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/grid.h"

/* factor_b is SIZE_MAX in a main effect. */
typedef struct {
	const Grid *grid;
	size_t factor_a, test_a, base_a;
	size_t factor_b, test_b, base_b;
	double *weights; /* one for each row */
	size_t pairs;    /* combinations of the other factors it is a mean of */
} Comparison;

const DataFactor *grid_factor(const Grid *grid, size_t factor);
/* The row of the baseline cell, or SIZE_MAX. */
size_t grid_baseline(const Grid *grid);
/* The level of a factor that others are compared with. */
size_t grid_base_level(const Grid *grid, size_t factor);

/* The row has the test level, of both factors. */
bool comparison_is_test(const Comparison *compared, size_t row);
/*
 * The rows test-test, base-test, test-base, base-base of the combination that
 * a row belongs to; the last two are SIZE_MAX in a main effect.  False when
 * one is missing.
 */
bool comparison_rows(const Comparison *compared, size_t row, size_t corner[4]);
/*
 * Weights that average a signed sum of those four rows over all combinations,
 * whose number is *pairs; free them.
 */
double *comparison_weigh(
    const Comparison *compared, const int signs[4], size_t *pairs);
/* "jemalloc / libc", "flush 2 / 1": the factor's name at most once; free it. */
char *comparison_name(
    const DataFactor *factor, const char *test, const char *base);

#endif
