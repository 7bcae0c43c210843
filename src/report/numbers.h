/*
 * Figures of one table, written alike: as many decimals as the largest of
 * them leaves, and a power of ten taken out where they are very large or very
 * small.
 */
#ifndef REPORT_NUMBERS_H
#define REPORT_NUMBERS_H

#include "analysis/analysis.h"

typedef struct {
	int exponent; /* of the power of ten taken out; a multiple of 3 */
	int decimals;
} NumberShape;

NumberShape numbers_shape(const AnalysisLoad *load);
/* "2161.17", "n/a"; free it. */
char *numbers_text(NumberShape shape, double value);
/* "-27.9 %" or, of raw contrasts, "-5.0"; free them. */
char *numbers_change(const AnalysisContrast *contrast, double value);

#endif
