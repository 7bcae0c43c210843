/*
 * Who is where in a plan: cells by server combination, server combinations by
 * boot combination, and for each server combination the steps of one visit in
 * listed order.  Made once by plan_new(), private to plan/.
 */
#ifndef PLAN_INDEX_H
#define PLAN_INDEX_H

#include "plan/plan.h"

struct PlanIndex {
	/* What Plan.cells points to. */
	Cell *cells;
	size_t *levels; /* of all cells, one row each */
	GStringChunk *names;

	/* One more entry than there are groups: group i is [at[i], at[i+1]). */
	size_t *cell_at; /* into server_cells, by server */
	size_t *server_cells;
	size_t *server_at; /* into boot_servers, by boot */
	size_t *boot_servers;
	size_t *step_at; /* into steps, by server */
	PlanStep *steps; /* reading ones first */
	size_t *reading; /* by server: how many of its steps only read */
};

/* Fills the groups and steps from the cells. */
void index_fill(const Plan *plan, PlanIndex *index);
void index_free(PlanIndex *index);

/*
 * The boots of a round in order, as blocks are made of them: boot ids, or
 * with boot = visit server ids.  Free it.
 */
size_t *order_blocks(const Plan *plan, size_t round, size_t *n_blocks);

#endif
