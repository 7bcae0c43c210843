/*
 * Samples that another tool measured, as a table of comma separated values,
 * made into what a run directory holds.  Pure.
 *
 * Columns, in any order: load, metric, run, value; one for each factor, under
 * its name; and, where they are known, round, boot and start.  A boot, and a
 * start within it, is told by its name: what varies within one boot is no
 * boot-class factor.
 */
#ifndef STORE_IMPORTED_H
#define STORE_IMPORTED_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "store/data.h"

enum {
	IMPORTED_BYTES = 32 << 20, /* a table that a person looks at is less */
	IMPORTED_RUNS = 100000,    /* as many rounds as a matrix may have */
};

/* What is not in the table. */
typedef struct {
	const char *path;         /* names it in messages and reports */
	const char *title;        /* NULL: its file's name */
	const char *version;      /* of abrun */
	const char *const *lower; /* metrics of which less is better; NULL */
	double margin_percent;
	double now; /* seconds since 1970 */
} ImportWish;

/*
 * NULL with ABRUN_ERROR_USAGE, "FILE:LINE: what is wrong", at the first thing
 * that is not as above.
 */
StoreData *imported_read(
    const char *text, size_t length, const ImportWish *wish, GError **error);

/* The table's path where the run was imported, else NULL; borrowed. */
const char *imported_from(const StoreData *data);
/* What its N counts: "boots", "starts", "rounds" or "runs"; borrowed. */
const char *imported_unit(const StoreData *data);

#endif
