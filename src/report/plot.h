/*
 * ministat's picture of sets of numbers: a mark for each value in the column
 * where it lies, equal columns upon one another, and below bars from a
 * standard deviation under the mean to one above, M the median, A the mean.
 * Pure; no text but the picture.
 */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "stats/stats.h"

/* As many as there are symbols. */
#define PLOT_SETS 32
/* Columns between the frames; narrower ones have no scale. */
#define PLOT_LEAST_WIDTH 2
#define PLOT_MOST_WIDTH 10000

typedef struct {
	const double *values;
	size_t n;
	Summary summary;
} PlotSet;

typedef struct {
	size_t width;
	bool separate; /* a bar of its own for each set, else one for all */
	/*
	 * As ministat drew in 2015: any height, but no set higher than those
	 * after it, and overlaps by the symbol whose number is the bitwise OR
	 * of the sets' (up to 7).  Else it is at most 20 rows high, drawn to
	 * scale and that said, and overlaps are '*' of two sets, '&' of more.
	 */
	bool old;
} PlotStyle;

/* The symbol of set 0, 1, ..., PLOT_SETS - 1. */
char plot_symbol(size_t set);
/*
 * Appends lines of width + 2 columns.  False, and nothing is drawn, where
 * there is no range: values that do not differ, or are not finite.
 */
bool plot_draw(
    GString *out, const PlotSet *sets, size_t n, const PlotStyle *style);

#endif
