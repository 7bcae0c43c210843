/*
 * Inside the store only: rows of the database become StoreData.  A reader is
 * a query and what puts one of its rows into the data; they run in order.
 */
#ifndef STORE_ROWS_H
#define STORE_ROWS_H

#include <stdint.h>

#include <glib.h>
#include <sqlite3.h>

#include "store/data.h"

typedef struct {
	const char *sql;
	void (*add)(StoreData *data, sqlite3_stmt *row);
} RowReader;

/* Each ends with an entry without SQL. */
extern const RowReader rows_plan[];  /* what was to be done */
extern const RowReader rows_night[]; /* what was done */

int64_t row_number(sqlite3_stmt *row, int column);
size_t row_count(sqlite3_stmt *row, int column);
/* The i whose name(i) the column holds; 0 if none of n is. */
int row_enum(sqlite3_stmt *row, int column, int n, const char *(*name)(int i));
/* The item that the column's number says, or NULL where there is none. */
gpointer row_item(const GPtrArray *items, sqlite3_stmt *row, int column);

/* Empty ones, with the arrays they own. */
StoreData *store_data_new(void);
DataFactor *data_factor_new(void);
DataCell *data_cell_new(void);
DataLoad *data_load_new(void);

#endif
