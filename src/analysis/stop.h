/*
 * design.stop, decided on what is stored.  Pure.
 *
 * By width: after the first rounds, and at each look from then on, a night
 * ends once every interval is as narrow as was wanted, or at its cap.  Never
 * once something is shown: p is not looked at.  Such intervals are a little
 * too narrow for their level when there were few first rounds, and are told
 * with a higher quantile then (manual abrun-statistics(7), "Stopping").
 */
#ifndef ANALYSIS_STOP_H
#define ANALYSIS_STOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "matrix/matrix.h"
#include "store/data.h"

/* Facts of an experiment that keep the rule it was begun with. */
#define STOP_FACT_HALFWIDTH "stop.halfwidth"
#define STOP_FACT_FIRST "stop.first_rounds"
#define STOP_FACT_MOST "stop.max_rounds"
#define STOP_FACT_LOOKS "stop.looks"
/* Events: why there are no more rounds, and why there are. */
#define STOP_EVENT "stopped"
#define STOP_EVENT_ON "goes on"
#define STOP_EVENT_UNTIL "until"
#define STOP_EVENT_SHORTENED "shortened"

typedef struct {
	double halfwidth;   /* per cent */
	size_t first, most; /* rounds */
	size_t looks;       /* 0: after every round */
} StopWidth;

/* The rule of the night; false where it has none. */
bool stop_width(const StoreData *data, StopWidth *rule);
/* The level that intervals and verdicts of this night are computed at. */
double stop_level(const StoreData *data);
/* The next number of rounds at which is looked; at most rule->most. */
size_t stop_next(const StopWidth *rule, size_t rounds);

typedef enum {
	STOP_NO_RULE,
	STOP_DECIDED, /* by an earlier look */
	STOP_GO_ON,
	STOP_NARROW, /* every interval is */
	STOP_CAP,
} StopDecision;

typedef struct {
	StopDecision decision;
	size_t rounds; /* STOP_GO_ON: so many then */
	char *text;    /* why, in words; NULL for the first two */
} StopLook;

/*
 * For a night whose planned rounds are all made.  Of several targets each must
 * have such intervals by itself, and all together, as they are reported: a
 * few lucky rounds of one do not end the night of all.  counts, by target, is
 * false of those that were given up, which need not be narrow by themselves;
 * what they have measured is reported, and so is judged among all.  NULL: none
 * was.
 */
StopLook stop_look(const StoreData *data, const bool *counts);
void stop_look_clear(StopLook *look);

/* The next time of day "07:00" after now, both in seconds since 1970. */
int64_t stop_time(int64_t now, const char *until);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StopLook, stop_look_clear)

#endif
