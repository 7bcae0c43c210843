#include "plan/index.h"

#include <string.h>

static const Cell *
cell_at(const Plan *plan, size_t id)
{
	return g_ptr_array_index(plan->cells, id);
}

static size_t
server_of(const Plan *plan, size_t cell)
{
	return cell_at(plan, cell)->server;
}

static size_t
boot_of(const Plan *plan, size_t server)
{
	return cell_at(
	    plan, plan->index->server_cells[plan->index->cell_at[server]])
	    ->boot;
}

/*
 * Items 0... sorted by group, each group in order: group i becomes
 * sorted[at[i]] to sorted[at[i + 1] - 1].
 */
static void
sort_by_group(const Plan *plan, size_t n_items, size_t n_groups,
    size_t (*group_of)(const Plan *, size_t), size_t **sorted, size_t **at)
{
	*sorted = g_new(size_t, n_items + 1);
	*at = g_new0(size_t, n_groups + 2);
	for (size_t i = 0; i < n_items; i++)
		(*at)[group_of(plan, i) + 1]++;
	for (size_t i = 0; i < n_groups; i++)
		(*at)[i + 1] += (*at)[i];
	g_autofree size_t *next = g_memdup2(*at, n_groups * sizeof **at);
	for (size_t i = 0; i < n_items; i++)
		(*sorted)[next[group_of(plan, i)]++] = i;
}

/* The factors that a load uses, as flags. */
static bool *
used_factors(const Matrix *matrix, const Load *load)
{
	bool *used = g_new0(bool, matrix->factors->len + 1);

	for (size_t i = 0; i < load->variables->len; i++)
		for (size_t f = 0; f < matrix->factors->len; f++) {
			const Factor *factor =
			    g_ptr_array_index(matrix->factors, f);
			if (strcmp(factor->name,
				g_ptr_array_index(load->variables, i)) == 0)
				used[f] = true;
		}
	return used;
}

/*
 * Which cells a load runs for: in each visit the first of those that look the
 * same to it.
 */
static bool *
cells_of_load(const Plan *plan, const Load *load)
{
	const Matrix *matrix = plan->matrix;
	g_autofree bool *used = used_factors(matrix, load);
	bool *runs = g_new0(bool, plan->cells->len);
	size_t size = 1;

	for (size_t f = 0; f < matrix->factors->len; f++)
		if (used[f])
			size *= ((const Factor *)g_ptr_array_index(
				     matrix->factors, f))
				    ->levels->len;
	/* The server that saw this combination last, plus one. */
	g_autofree size_t *seen = g_new0(size_t, size);
	for (size_t i = 0; i < plan->cells->len; i++) {
		const Cell *cell = cell_at(plan, plan->index->server_cells[i]);
		size_t key = 0;
		for (size_t f = 0; f < matrix->factors->len; f++)
			if (used[f]) {
				const Factor *factor =
				    g_ptr_array_index(matrix->factors, f);
				key =
				    key * factor->levels->len + cell->level[f];
			}
		runs[cell->id] = seen[key] != cell->server + 1;
		seen[key] = cell->server + 1;
	}
	return runs;
}

/* Appends the steps of a server's loads that write, or that do not. */
static void
add_steps(const Plan *plan, PlanIndex *index, bool *const *runs, size_t server,
    bool writes, size_t *n)
{
	const GPtrArray *loads = plan->matrix->loads;

	for (size_t c = index->cell_at[server]; c < index->cell_at[server + 1];
	     c++) {
		const size_t cell = index->server_cells[c];
		for (size_t l = 0; l < loads->len; l++) {
			const Load *load = g_ptr_array_index(loads, l);
			if (load->writes == writes && runs[l][cell])
				index->steps[(*n)++] =
				    (PlanStep){ .cell = cell, .load = l };
		}
	}
}

static void
fill_steps(const Plan *plan, PlanIndex *index)
{
	const GPtrArray *loads = plan->matrix->loads;
	g_autofree bool **runs = g_new0(bool *, loads->len + 1);
	size_t n_steps = 0, n = 0;

	for (size_t l = 0; l < loads->len; l++) {
		runs[l] = cells_of_load(plan, g_ptr_array_index(loads, l));
		for (size_t c = 0; c < plan->cells->len; c++)
			n_steps += runs[l][c];
	}
	index->steps = g_new0(PlanStep, n_steps + 1);
	index->step_at = g_new0(size_t, plan->n_servers + 1);
	index->reading = g_new0(size_t, plan->n_servers + 1);
	for (size_t s = 0; s < plan->n_servers; s++) {
		index->step_at[s] = n;
		add_steps(plan, index, runs, s, false, &n);
		index->reading[s] = n - index->step_at[s];
		add_steps(plan, index, runs, s, true, &n);
	}
	index->step_at[plan->n_servers] = n;
	for (size_t l = 0; l < loads->len; l++)
		g_free(runs[l]);
}

void
index_fill(const Plan *plan, PlanIndex *index)
{
	sort_by_group(plan, plan->cells->len, plan->n_servers, server_of,
	    &index->server_cells, &index->cell_at);
	sort_by_group(plan, plan->n_servers, plan->n_boots, boot_of,
	    &index->boot_servers, &index->server_at);
	fill_steps(plan, index);
}

void
index_free(PlanIndex *index)
{
	if (index == NULL)
		return;
	g_free(index->cells);
	g_free(index->levels);
	if (index->names != NULL)
		g_string_chunk_free(index->names);
	g_free(index->cell_at);
	g_free(index->server_cells);
	g_free(index->server_at);
	g_free(index->boot_servers);
	g_free(index->step_at);
	g_free(index->steps);
	g_free(index->reading);
	g_free(index);
}
