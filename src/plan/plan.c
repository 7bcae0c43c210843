#include "plan/plan.h"

#include <string.h>

#include "base/text.h"
#include "plan/cells.h"
#include "plan/index.h"
#include "plan/questions.h"

const Cell *
plan_cell(const Plan *plan, size_t id)
{
	return g_ptr_array_index(plan->cells, id);
}

const Level *
plan_level(const Plan *plan, const Cell *cell, size_t factor)
{
	const Factor *of = g_ptr_array_index(plan->matrix->factors, factor);

	return g_ptr_array_index(of->levels, cell->level[factor]);
}

GPtrArray *
plan_settings(const Plan *plan, const Cell *cell, FactorClass at_least)
{
	GPtrArray *settings = g_ptr_array_new();

	for (size_t f = 0; f < plan->matrix->factors->len; f++) {
		const Factor *factor =
		    g_ptr_array_index(plan->matrix->factors, f);
		const Level *level = plan_level(plan, cell, f);
		if (factor->class >= at_least)
			for (size_t i = 0; i < level->settings->len; i++)
				g_ptr_array_add(settings,
				    g_ptr_array_index(level->settings, i));
	}
	return settings;
}

const Cell *
plan_server_cell(const Plan *plan, size_t server)
{
	const PlanIndex *index = plan->index;

	return plan_cell(plan, index->server_cells[index->cell_at[server]]);
}

/*
 * 31 bits of the identity: random enough for an order, and short enough to be
 * read out and typed into a matrix as a plain integer.
 */
static uint64_t
seed_of(const Plan *plan)
{
	const Design *design = &plan->matrix->design;

	if (design->seed_given)
		return design->seed;
	g_autofree char *head = g_strndup(plan->identity, 8);
	return g_ascii_strtoull(head, NULL, 16) & 0x7fffffff;
}

static char *
identity_of(const Matrix *matrix)
{
	g_autofree char *text = matrix_identity_text(matrix);

	return text_sha256(text, strlen(text));
}

Plan *
plan_new(const Matrix *matrix, GError **error)
{
	g_autoptr(Plan) plan = g_new0(Plan, 1);

	plan->matrix = matrix;
	plan->cells = g_ptr_array_new();
	plan->index = g_new0(PlanIndex, 1);
	plan->index->names = g_string_chunk_new(1 << 16);
	if (!cells_expand(plan, error) || !questions_check(plan, error))
		return NULL;
	index_fill(plan, plan->index);
	plan->identity = identity_of(matrix);
	plan->seed = seed_of(plan);
	return g_steal_pointer(&plan);
}

void
plan_free(Plan *plan)
{
	if (plan == NULL)
		return;
	g_ptr_array_unref(plan->cells);
	index_free(plan->index);
	g_free(plan->identity);
	g_free(plan);
}
