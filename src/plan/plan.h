/*
 * A matrix and a seed, turned into the night: cells, their classes, and for
 * each round the ordered blocks, visits, starts and steps.  Pure: the same
 * matrix gives the same plan on every machine.
 *
 * Ownership: a Plan owns what it points to and borrows the Matrix, which must
 * outlive it.  A Plan is read-only after plan_new() and may be shared.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "matrix/matrix.h"

/* One combination of levels, one of each factor. */
typedef struct {
	size_t id;           /* its place in Plan.cells, 0... */
	const size_t *level; /* index of the level, one for each factor */
	char *name;          /* level names joined by " / ", factor order */
	bool again;          /* design.aa: the baseline a second time */
	size_t boot;         /* which boot-class combination, 0... */
	size_t server; /* which boot- and server-class combination, 0... */
} Cell;

/* One load of one cell, all its runs: what is done once a start. */
typedef struct {
	size_t cell;
	size_t load;
} PlanStep;

/* One life of the server. */
typedef struct {
	size_t n_steps;
	PlanStep *steps; /* in order */
} PlanStart;

/* One server-class combination in one round on one target. */
typedef struct {
	size_t server; /* Cell.server of all its cells */
	size_t n_starts;
	PlanStart *starts; /* in order; one, unless design.restart says more */
} PlanVisit;

/* The visits of one boot. */
typedef struct {
	size_t boot; /* Cell.boot of all its cells */
	bool reboot; /* a fresh boot begins it (boot = lazy: if need be) */
	size_t n_visits;
	PlanVisit *visits; /* in order */
} PlanBlock;

typedef struct {
	size_t round; /* 1... */
	size_t n_blocks;
	PlanBlock *blocks; /* in order */
} PlanRound;

typedef struct {
	const Matrix *matrix;
	GPtrArray *cells; /* Cell */
	size_t baseline;  /* id of the baseline cell */
	size_t n_boots;   /* boot-class combinations */
	size_t n_servers; /* server-class combinations */
	uint64_t seed;
	char *identity; /* sha256, hex */
} Plan;

/* What a night of so many rounds is made of, on one target. */
typedef struct {
	size_t reboots;
	size_t starts;
	size_t runs;    /* measured */
	size_t warmups; /* dropped */
	int64_t ms;     /* estimate, 0 when no load tells its length */
} PlanTotals;

/*
 * ABRUN_ERROR_USAGE when nothing is left after exclude, the baseline is
 * excluded or a pattern names what is not there.
 */
Plan *plan_new(const Matrix *matrix, GError **error);
void plan_free(Plan *plan);

const Cell *plan_cell(const Plan *plan, size_t id);
/* The level of a cell for a factor index. */
const Level *plan_level(const Plan *plan, const Cell *cell, size_t factor);
/*
 * The settings of a cell, of factors of at least this class; Settings belong
 * to the matrix, free the array alone.
 */
GPtrArray *plan_settings(
    const Plan *plan, const Cell *cell, FactorClass at_least);
/* Any cell of a server-class combination: its first. */
const Cell *plan_server_cell(const Plan *plan, size_t server);
/* "libc / 1": the levels of boot- and server-class factors; free it. */
char *plan_server_name(const Plan *plan, size_t server);

/* Round 1...: depends on (seed, round) alone.  Free with plan_round_free(). */
PlanRound *plan_round(const Plan *plan, size_t round);
void plan_round_free(PlanRound *round);

PlanTotals plan_totals(const Plan *plan, size_t rounds);

/* The night in words, as `abrun plan` prints it; free it. */
char *plan_text(const Plan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Plan, plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PlanRound, plan_round_free)

#endif
