/*
 * Which run directory a matrix goes on in: its newest, or a new one.
 */
#ifndef CMD_CHOOSE_H
#define CMD_CHOOSE_H

#include <stdbool.h>

#include <glib.h>

#include "plan/plan.h"
#include "store/store.h"

/* What the command line asks for. */
typedef struct {
	const char *reports; /* where run directories are; NULL: "reports" */
	int rounds;          /* 0: as many as the matrix says */
	bool new;            /* do not go on with the newest */
} RunWish;

/*
 * The run directory to work in, locked.  matrix is the plan's own: its number
 * of rounds becomes that of the run.  *finished when nothing is left to do.
 * NULL with an error: _USAGE where the wish does not fit the newest run, _HOST
 * where another abrun works there, _FAILED where it has left changes that
 * must be undone first, _STORE.
 */
Store *choose_store(Matrix *matrix, const Plan *plan, const RunWish *wish,
    bool *finished, GError **error);

#endif
