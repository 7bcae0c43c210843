/*
 * Monitors: programs that run beside the loads of every visit alike.  They are
 * started with the look before the load and ended with the one after it, so
 * they cost no call of their own, and nothing is asked of them in between.
 */
#ifndef RUN_MONITOR_H
#define RUN_MONITOR_H

#include <stdbool.h>

#include "run/visit.h"

/* Keeps what runs beside the loads, for the reports. */
bool monitors_keep(Worker *worker, GError **error);
/*
 * Adds the start of all monitors of a place, which is the worker or its client
 * apart, or the end of those that run there.
 */
void monitors_ask(const Worker *worker, const Worker *place, const Visit *visit,
    VerbCall *call);
/*
 * Takes what was answered to that, from this answer on: what they said goes
 * to raw/; one that ended by itself is an event and flags the visit's runs.
 */
bool monitors_take(Worker *worker, Worker *place, const Visit *visit,
    const GPtrArray *answers, guint first, GError **error);
/* Those of a visit that broke off were ended with its loads. */
void monitors_forget(Worker *worker);

#endif
