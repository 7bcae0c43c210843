/*
 * One visit: the story of a cell, told once.
 */
#ifndef RUN_VISIT_H
#define RUN_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include "run/worker.h"

/* Where a visit stands in the night. */
typedef struct {
	const PlanVisit *plan;
	size_t round;        /* 1... */
	size_t block;        /* in the round, 0... */
	int64_t id;          /* row in the store */
	const Cell *cell;    /* any of its cells: its boot and server levels */
	GPtrArray *settings; /* of that cell, resolved */
} Visit;

/*
 * There is a session, a new one if the last broke, and no load of a visit that
 * broke off; worker->boot is its.
 */
bool visit_reach(Worker *worker, GError **error);

/*
 * Configures, starts, proves, measures all cells of the visit, proves again.
 * Errors: ABRUN_ERROR_VERIFY makes the visit invalid; _STORE and _CANCELLED
 * end the night; all others fail the visit.
 */
bool visit_run(Worker *worker, const Visit *visit, GError **error);

/*
 * The same without waiting until it is quiet, and without a load: whether the
 * cell can be had, what runs beside the loads too.
 */
bool visit_rehearse(Worker *worker, const Visit *visit, GError **error);

#endif
