/*
 * What a run is doing, from what its directory holds: for `abrun status`.
 * Pure.
 */
#ifndef RUN_STATUS_H
#define RUN_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "store/data.h"

typedef enum {
	STATUS_RUNNING,     /* someone holds the lock */
	STATUS_FINISHED,    /* every visit has ended */
	STATUS_INTERRUPTED, /* nobody works on it, and visits are left */
} StatusState;

const char *status_state_name(StatusState state);

/* One visit that goes on now. */
typedef struct {
	const char *target; /* its name */
	size_t round;
	char *cell;     /* in words */
	int attempt;    /* 1... */
	double began;   /* seconds since 1970 */
	size_t runs;    /* of it that have ended, warm-ups among them */
	double run_was; /* when the last of these ended; 0: none has */
} StatusFlight;

/* How far one target is: each planned visit counts once, by its last end. */
typedef struct {
	const char *name;
	size_t planned, valid, invalid, failed;
	size_t tries;         /* visits that ended, repeated ones among them */
	double spent_s;       /* by these */
	int64_t left_ms;      /* -1: not known */
	const char *given_up; /* why; NULL: it is not */
	double lost_since;    /* waited for since then; 0: it is not */
} StatusTarget;

/* How often something failed of one thing, tries that were repeated, too. */
typedef struct {
	const char *name; /* abrun-troubleshooting(7) */
	size_t visits, runs;
} StatusFailure;

typedef struct {
	const StoreData *data; /* borrowed, as names are from it */
	StatusState state;
	char *holder; /* as store_holder() tells it, or NULL */
	int64_t pid;  /* of it; 0: not known */
	char *since;  /* "2026-11-30 16:21:25", or NULL */

	size_t rounds, round; /* round 0: none was begun */
	size_t planned, valid, invalid, failed;
	size_t superseded; /* visits that were made again, out of all counts */
	size_t good_runs, failed_runs; /* without warm-ups */
	int64_t left_ms;    /* until the slowest target is ready; -1: unknown */
	GPtrArray *targets; /* StatusTarget */
	GPtrArray *flights; /* StatusFlight; none unless it is running */
	GPtrArray *failures; /* StatusFailure, in order of their first */
} Status;

/* holder may be NULL: nobody; now: seconds since 1970. */
Status *status_new(const StoreData *data, const char *holder, double now);
void status_free(Status *status);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Status, status_free)

#endif
