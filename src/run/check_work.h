/*
 * Inside check only: what its files share.
 */
#ifndef RUN_CHECK_WORK_H
#define RUN_CHECK_WORK_H

#include <stdbool.h>

#include <glib.h>

#include "run/findings.h"
#include "run/worker.h"

/* A command of the OS program or a tool's version may take so long. */
enum { CHECK_COMMAND_MS = 30000 };

typedef struct {
	const Plan *plan;
	Store *store;
	Findings *findings;
	Cancel *work, *cleanup;
	SharedLock *shared;
	Turns *turns;
	Progress *progress;
	guint events;        /* of the store, told so far */
	GHashTable *told;    /* char *: what of them */
	GHashTable *without; /* Level *: those that a target does not have */
	bool left;           /* something is still changed on a host */
	GError *broken;      /* the store cannot be written: all is over */
} Check;

/*
 * Adds a failure on the worker's host; nothing for one that is our own: a
 * signal, or a store that cannot be written, which ends the check.
 */
void check_fail(Check *check, const Worker *worker, const char *subject,
    const GError *failure, bool advised);
/* False when a signal or a broken store has ended it. */
bool check_goes_on(const Check *check);
/* Tells what the floors below stored as events since the last time. */
void check_events(Check *check);

/*
 * check_host.c: logs in to one host, the target or its client host, and tells
 * how it is.  False when it cannot be used.
 */
bool check_host(Check *check, Worker *host);
/* check_client.c: what the loads need on the client host. */
void check_client(Check *check, Worker *worker);
/* check_cells.c: libraries and server; false when no cell can be tried. */
bool check_server(Check *check, Worker *worker);
/*
 * check_kernels.c: what the levels' names stand for, and what would keep the
 * host from coming back by itself.  False when nothing could be booted, or two
 * levels are one.
 */
bool check_kernels(Check *check, Worker *worker);
/* A few cells, each started, proved, ended. */
void check_cells(Check *check, Worker *worker);

#endif
