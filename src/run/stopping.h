/*
 * Whether the night makes another round: design.stop, as analysis/stop.h
 * decides it, with what is decided stored and told.
 */
#ifndef RUN_STOPPING_H
#define RUN_STOPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "run/worker.h"

typedef struct {
	int64_t until;      /* seconds since 1970; 0 = no such time */
	int64_t began_us;   /* of this round, by the monotonic clock */
	int64_t longest_ms; /* of the rounds so far, or as planned; 0 unknown */
} NightClock;

NightClock stopping_clock(const Worker *worker);
/* A round begins, unless it could not end in time: *stop then, and stored. */
bool stopping_begin(Worker *worker, NightClock *clock, size_t round, bool *stop,
    GError **error);
void stopping_end(NightClock *clock);

/* Whether the width of the intervals is still to be looked at. */
bool stopping_is_due(const Worker *worker);
/*
 * All rounds of the worker are made: with those of all other targets it gets
 * more, or is told that it has enough.  Waits for them; stores which, and
 * why.
 */
bool stopping_look(Worker *worker, GError **error);

#endif
