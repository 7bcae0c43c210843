/*
 * What comes out of one comparison, whoever asked for it: the estimate over
 * the right units, its test, and whether there were boots enough.
 */
#ifndef ANALYSIS_EFFECT_H
#define ANALYSIS_EFFECT_H

#include <stddef.h>

#include "analysis/analysis.h"
#include "analysis/grid.h"

/* The weighted sum of rows that is told; class is what it takes to vary it. */
typedef struct {
	const Grid *grid;
	const double *weights; /* one for each row */
	FactorClass class;
} EffectSum;

/* Rows of a level: with any weight, or with one of this sign. */
typedef struct {
	size_t factor, level;
	int sign; /* 1, -1, or 0 for any */
} EffectLevel;

/*
 * Numbers alone: no names, no verdict.  Free it with effect_free(), a
 * GDestroyNotify.
 */
AnalysisContrast *effect_new(const EffectSum *sum);
void effect_free(void *contrast);

/*
 * For a factor of class boot: where a level of either side (EffectLevel) has
 * fewer boots than a verdict needs, says so, and no p is left to adjust.
 * n_test and n_base become the boots of each side.
 */
void effect_need_boots(AnalysisContrast *contrast, const EffectSum *sum,
    const GArray *test, const GArray *base);
/* Two plain rows stand for the comparison in pictures. */
void effect_show(AnalysisContrast *contrast, const Grid *grid, size_t test_row,
    size_t base_row);

/* Of a difference of logarithms. */
double effect_percent(double logs);

#endif
