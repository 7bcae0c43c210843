/*
 * Inside the store only: the rows that describe an experiment, one statement
 * each, for a plan (describe.c) and for an import (import.c).  Numbers are
 * those of the tables in schema.sql; a text that is NULL becomes "".
 * False with ABRUN_ERROR_STORE, which names what was wanted.
 */
#ifndef STORE_ADD_H
#define STORE_ADD_H

#include <stdbool.h>

#include <glib.h>

#include "matrix/matrix.h"
#include "store/db.h"

bool add_factor_row(Store *store, const char *wanted, size_t id,
    const char *name, FactorClass class, bool variable, GError **error);
bool add_level_row(Store *store, const char *wanted, size_t factor, size_t id,
    const char *name, bool same, GError **error);

/* level: its n levels, in order of the factors. */
typedef struct {
	int64_t id;
	const char *name;
	int again;
	size_t boot, server;
	const size_t *level;
	size_t n;
} AddCell;

bool add_cell_rows(
    Store *store, const char *wanted, const AddCell *cell, GError **error);

typedef struct {
	const char *name, *use, *command;
	bool writes;
	Reset reset;
	const GPtrArray *variables; /* char * */
} AddLoad;

bool add_load_rows(Store *store, const char *wanted, size_t id,
    const AddLoad *load, GError **error);

typedef struct {
	const char *name, *unit;
	bool higher_is_better, primary;
} AddMetric;

bool add_metric_row(Store *store, const char *wanted, size_t load,
    size_t position, const AddMetric *metric, GError **error);

#endif
