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

/*
 * One combination of levels, one of each factor.  The cell of design.aa is the
 * baseline a second time, named "... (again)"; it goes through all that a
 * different cell goes through, so it has a server combination of its own, and
 * with boot-class factors and boot = block or visit a boot of its own.
 */
typedef struct {
	size_t id;           /* its place in Plan.cells, 0... */
	const size_t *level; /* index of the level, one for each factor */
	char *name;          /* level names joined by " / ", factor order */
	bool again;          /* the cell of design.aa */
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

/*
 * The visits of one boot; with boot = visit, one visit.  With boot = lazy,
 * reboot tells whether the block before it, in this plan, was of another
 * combination: after a failure or a resume, look at what is running.
 */
typedef struct {
	size_t boot; /* Cell.boot of all its cells */
	bool reboot; /* a fresh boot begins it; see below for boot = lazy */
	size_t n_visits;
	PlanVisit *visits; /* in order */
} PlanBlock;

typedef struct {
	size_t round; /* 1... */
	size_t n_blocks;
	PlanBlock *blocks; /* in order */
} PlanRound;

/* Who is where, for those who walk the plan: plan/index.h. */
typedef struct PlanIndex PlanIndex;

typedef struct {
	const Matrix *matrix;
	GPtrArray *cells; /* Cell */
	size_t baseline;  /* id of the baseline cell */
	size_t excluded;  /* cells of the full product that were left out */
	size_t n_boots;   /* boot-class combinations */
	size_t n_servers; /* boot- and server-class combinations */
	bool boot_class;  /* some factor is of class boot */
	uint64_t seed;
	char *identity; /* sha256, hex */
	PlanIndex *index;
} Plan;

/*
 * What a night of so many rounds is made of, on one target.  Times are
 * estimates: lengths of runs as the loads' keys tell them, the rest from
 * constants that totals.c names.
 */
typedef struct {
	size_t reboots; /* with the last one, back to the default kernel */
	size_t visits;
	size_t starts;  /* of the server; 0 without one */
	size_t proofs;  /* calls, before and after */
	size_t runs;    /* measured */
	size_t warmups; /* dropped */
	/* How many of these there are whose length no key tells. */
	size_t unknown_runs, unknown_warmups;
	int64_t reboot_ms, start_ms, proof_ms; /* of all of these */
	int64_t run_ms, warmup_ms;             /* of the known ones */
	int64_t ms; /* the sum, or 0 when no load tells its length */
} PlanTotals;

/*
 * ABRUN_ERROR_USAGE when nothing is left after exclude, the baseline is
 * excluded, a pattern names what is not there or a contrast cannot be made.
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
/* Any cell of a PlanVisit.server: its first. */
const Cell *plan_server_cell(const Plan *plan, size_t server);

/*
 * A few server combinations (size_t, of Cell.server, ascending) that together
 * have every level of every factor but variables: what is to be tried when
 * each level must be, and not each cell.  Cells with a level (Level *) of the
 * set without, which may be NULL, are left out.  Free the array.
 */
GArray *plan_cover(const Plan *plan, GHashTable *without);
/* "allocator=jemalloc, flush=1", without variables; free it. */
char *plan_server_words(const Plan *plan, size_t server);

/* Round 1...: depends on (seed, round) alone.  Free with plan_round_free(). */
PlanRound *plan_round(const Plan *plan, size_t round);
void plan_round_free(PlanRound *round);

PlanTotals plan_totals(const Plan *plan, size_t rounds);
/*
 * How long one run of a step takes, its own warm-up included, as its keys
 * tell it; 0 when they do not.
 */
int64_t plan_run_ms(const Plan *plan, const PlanStep *step);
/*
 * How long that many rounds take on all targets: they work at once but for
 * those that measure from one client host; design.share deals the rounds.  0
 * as for PlanTotals.ms.
 */
int64_t plan_night_ms(const Plan *plan, size_t rounds);

/* "mysqld innodb_flush_log_at_trx_commit=1", as plan and post say it; free. */
char *plan_setting_text(const Setting *setting);
/* All of a level: "nothing set" or its settings and expect; free it. */
char *plan_level_text(const Level *level);

/* The night in words, as `abrun plan` prints it; free it. */
char *plan_text(const Plan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Plan, plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PlanRound, plan_round_free)

#endif
