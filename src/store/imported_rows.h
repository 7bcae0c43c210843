/*
 * Inside the store only: the lines of an imported table, and what they say of
 * when they were measured.
 */
#ifndef STORE_IMPORTED_ROWS_H
#define STORE_IMPORTED_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "store/imported.h"

/* Names are interned by the table: NULL where there is no such column. */
typedef struct {
	size_t line;
	size_t cell, load; /* indices */
	const char *metric;
	const char *round, *boot, *start;
	int number;
	double value;
} ImportRow;

/* What a table is read into, and the names that rows point to. */
typedef struct {
	GArray *rows; /* ImportRow */
	GStringChunk *names;
} ImportTable;

/*
 * Reads factors, their levels, cells, loads and rows; ABRUN_ERROR_USAGE as
 * imported_read().
 */
bool imported_table(StoreData *data, const char *text, size_t length,
    const ImportWish *wish, ImportTable *table, GError **error);
/*
 * The metric of a load by its text, which may have a unit in brackets; made
 * where it is new.  The first of a load is its primary one.  Its name is the
 * data's.
 */
const char *imported_metric(StoreData *data, const char *load, const char *text,
    const char *const *lower, size_t *load_index);
/* The unit of what varies in every run: the narrowest that is told. */
const char *imported_unit_of(const ImportRow *row);
/*
 * From the rows (ImportRow) of a table: the classes of the factors, boots,
 * visits, starts, runs and samples.
 */
void imported_night(StoreData *data, const GArray *rows);

#endif
