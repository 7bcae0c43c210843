/*
 * One load's values laid out for comparison: rows are the cells as this load
 * sees them (without the factors it does not use), places are the rounds on
 * the targets.  Made of valid visits and good measured runs alone.
 */
#ifndef ANALYSIS_GRID_H
#define ANALYSIS_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "store/data.h"

typedef struct {
	size_t target, round;
} GridPlace;

typedef struct {
	const DataCell *cell; /* the first of those that are one row here */
	bool again;
} GridRow;

typedef struct {
	const StoreData *data;
	const DataLoad *load;
	const DataMetric *metric;
	GArray *factors; /* size_t: places in data->factors that count here */
	GArray *rows;    /* GridRow */
	GArray *places;  /* GridPlace, by round, then target */
	GHashTable *by_levels; /* rows but those again */
	/* Of row and place, see grid_at(); NAN where nothing was measured. */
	double *means; /* of runs */
	double *logs;  /* mean of the runs' logarithms */
	int64_t *boots;
	bool positive; /* every value has a logarithm */
	/* Of the whole, asked once: facts are many. */
	bool imported;
	double level; /* of intervals: stop_level() */
} Grid;

/*
 * Visit id -> DataVisit: the last valid visit of each combination in each
 * round on each target.
 */
GHashTable *grid_visits(const StoreData *data);
/* The rounds planned, or begun if there are more. */
size_t grid_rounds(const StoreData *data);

Grid *grid_new(const StoreData *data, GHashTable *visits, const DataLoad *load,
    const DataMetric *metric);
void grid_free(Grid *grid);

/* Index into means, logs and boots. */
size_t grid_at(const Grid *grid, size_t row, size_t place);
const GridRow *grid_row(const Grid *grid, size_t row);
/* The level of a row for a place in data->factors. */
size_t grid_level(const Grid *grid, size_t row, size_t factor);
/*
 * The row that has another level of a factor (of two: factor_b may be
 * SIZE_MAX) and is else the same; SIZE_MAX when there is none.
 */
size_t grid_partner(const Grid *grid, size_t row, size_t factor_a,
    size_t level_a, size_t factor_b, size_t level_b);
/* The row of a cell's combination of levels, or SIZE_MAX. */
size_t grid_find(const Grid *grid, const DataCell *cell);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Grid, grid_free)

#endif
