#include "plan/cells.h"

#include <string.h>

#include "base/error.h"
#include "plan/index.h"
#include "plan/pattern.h"

static const Factor *
factor_at(const Matrix *matrix, size_t i)
{
	return g_ptr_array_index(matrix->factors, i);
}

static const char *
level_name(const Matrix *matrix, size_t factor, size_t level)
{
	const Level *found =
	    g_ptr_array_index(factor_at(matrix, factor)->levels, level);
	return found->name;
}

static bool
any_matches(const GPtrArray *patterns, const size_t *levels)
{
	for (size_t i = 0; i < patterns->len; i++)
		if (pattern_matches(g_ptr_array_index(patterns, i), levels))
			return true;
	return false;
}

static GPtrArray *
patterns_new(const Matrix *matrix, const GPtrArray *sources, const char *key,
    GError **error)
{
	g_autoptr(GPtrArray) patterns =
	    g_ptr_array_new_with_free_func((GDestroyNotify)pattern_free);

	for (size_t i = 0; i < sources->len; i++) {
		Pattern *pattern = pattern_new(
		    matrix, g_ptr_array_index(sources, i), key, error);
		if (pattern == NULL)
			return NULL;
		g_ptr_array_add(patterns, pattern);
	}
	return g_steal_pointer(&patterns);
}

/* What an include does not name is at the baseline's level. */
static void
pin_to_baseline(
    const Matrix *matrix, const GPtrArray *include, const size_t *baseline)
{
	for (size_t i = 0; i < include->len; i++) {
		Pattern *pattern = g_ptr_array_index(include, i);
		for (size_t f = 0; f < pattern->n_factors; f++) {
			if (pattern->match[f] != NULL)
				continue;
			pattern->match[f] =
			    g_new0(bool, factor_at(matrix, f)->levels->len);
			pattern->match[f][baseline[f]] = true;
		}
	}
}

/* The level of each factor in the baseline; the first where none is named. */
static size_t *
baseline_levels(const Matrix *matrix, GError **error)
{
	g_autofree size_t *levels = g_new0(size_t, matrix->factors->len + 1);

	if (matrix->design.baseline == NULL)
		return g_steal_pointer(&levels);
	g_autoptr(Pattern) pattern =
	    pattern_new(matrix, matrix->design.baseline, "baseline", error);
	if (pattern == NULL)
		return NULL;
	for (size_t f = 0; f < matrix->factors->len; f++) {
		size_t l = 0;
		while (pattern->match[f] != NULL && !pattern->match[f][l])
			l++;
		levels[f] = l;
	}
	return g_steal_pointer(&levels);
}

static bool
product_size(const Matrix *matrix, size_t *size, GError **error)
{
	*size = 1;
	for (size_t f = 0; f < matrix->factors->len; f++) {
		*size *= factor_at(matrix, f)->levels->len;
		if (*size <= MATRIX_CELLS)
			continue;
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s: the factors make more than %d cells", matrix->path,
		    MATRIX_CELLS);
		return false;
	}
	return true;
}

/* The next row of the product; the last factor turns fastest. */
static void
turn(const Matrix *matrix, size_t *levels)
{
	for (size_t f = matrix->factors->len; f-- > 0;) {
		if (++levels[f] < factor_at(matrix, f)->levels->len)
			return;
		levels[f] = 0;
	}
}

static char *
cell_name(const Plan *plan, const size_t *levels, bool again)
{
	const Matrix *matrix = plan->matrix;
	g_autoptr(GString) name = g_string_new(NULL);

	for (size_t f = 0; f < matrix->factors->len; f++) {
		if (f > 0)
			g_string_append(name, " / ");
		g_string_append(name, level_name(matrix, f, levels[f]));
	}
	if (matrix->factors->len == 0)
		g_string_append(name, "all");
	if (again)
		g_string_append(name, " (again)");
	return g_string_chunk_insert_len(
	    plan->index->names, name->str, (gssize)name->len);
}

static void
add_cell(Plan *plan, const size_t *levels, bool again)
{
	const size_t n_factors = plan->matrix->factors->len;
	const size_t id = plan->cells->len;
	size_t *row = plan->index->levels + id * n_factors;
	Cell *cell = &plan->index->cells[id];

	for (size_t f = 0; f < n_factors; f++)
		row[f] = levels[f];
	cell->id = id;
	cell->level = row;
	cell->name = cell_name(plan, levels, again);
	cell->again = again;
	g_ptr_array_add(plan->cells, cell);
}

/* Numbers the combinations of factors of at least a class, as they come. */
static size_t
number_combinations(
    const Plan *plan, FactorClass at_least, size_t size, size_t offset)
{
	const Matrix *matrix = plan->matrix;
	g_autofree size_t *number = g_new0(size_t, size); /* plus one */
	size_t n = 0;

	for (size_t i = 0; i < plan->cells->len; i++) {
		Cell *cell = g_ptr_array_index(plan->cells, i);
		size_t key = 0;
		for (size_t f = 0; f < matrix->factors->len; f++) {
			const Factor *factor = factor_at(matrix, f);
			if (factor->class >= at_least)
				key =
				    key * factor->levels->len + cell->level[f];
		}
		if (number[key] == 0)
			number[key] = ++n;
		*(size_t *)((char *)cell + offset) = number[key] - 1;
	}
	return n;
}

static void
number_cells(Plan *plan, size_t size)
{
	const Design *design = &plan->matrix->design;

	plan->n_boots = number_combinations(
	    plan, CLASS_BOOT, size, G_STRUCT_OFFSET(Cell, boot));
	plan->n_servers = number_combinations(
	    plan, CLASS_SERVER, size, G_STRUCT_OFFSET(Cell, server));
	if (!design->aa)
		return;
	Cell *again = g_ptr_array_index(plan->cells, plan->cells->len - 1);
	again->server = plan->n_servers++;
	if (plan->boot_class &&
	    (design->boot == BOOT_BLOCK || design->boot == BOOT_VISIT))
		again->boot = plan->n_boots++;
}

static bool
check_cells(const Plan *plan, const size_t *baseline, GError **error)
{
	const char *path = plan->matrix->path;

	if (plan->cells->len == 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s: design.exclude leaves no cell", path);
		return false;
	}
	if (plan->baseline == SIZE_MAX) {
		const char *name = cell_name(plan, baseline, false);
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s: design.exclude removes the baseline cell %s; name "
		    "another in design.baseline",
		    path, name);
		return false;
	}
	return true;
}

/* Walks the product and keeps what the patterns leave. */
static void
walk(Plan *plan, size_t size, const size_t *baseline, const GPtrArray *exclude,
    const GPtrArray *include)
{
	const size_t n_factors = plan->matrix->factors->len;
	g_autofree size_t *levels = g_new0(size_t, n_factors + 1);

	plan->baseline = SIZE_MAX;
	for (size_t i = 0; i < size; i++, turn(plan->matrix, levels)) {
		if (any_matches(exclude, levels) &&
		    !any_matches(include, levels)) {
			plan->excluded++;
			continue;
		}
		if (memcmp(levels, baseline, n_factors * sizeof *levels) == 0)
			plan->baseline = plan->cells->len;
		add_cell(plan, levels, false);
	}
}

bool
cells_expand(Plan *plan, GError **error)
{
	const Matrix *matrix = plan->matrix;
	const Design *design = &matrix->design;
	size_t size = 0;

	if (!product_size(matrix, &size, error))
		return false;
	g_autofree size_t *baseline = baseline_levels(matrix, error);
	if (baseline == NULL)
		return false;
	g_autoptr(GPtrArray) exclude =
	    patterns_new(matrix, design->exclude, "exclude", error);
	if (exclude == NULL)
		return false;
	g_autoptr(GPtrArray) include =
	    patterns_new(matrix, design->include, "include", error);
	if (include == NULL)
		return false;
	pin_to_baseline(matrix, include, baseline);

	plan->index->cells = g_new0(Cell, size + 1);
	plan->index->levels =
	    g_new0(size_t, (size + 1) * matrix->factors->len + 1);
	for (size_t f = 0; f < matrix->factors->len; f++)
		if (factor_at(matrix, f)->class == CLASS_BOOT)
			plan->boot_class = true;
	walk(plan, size, baseline, exclude, include);
	if (!check_cells(plan, baseline, error))
		return false;
	if (design->aa)
		add_cell(plan, baseline, true);
	number_cells(plan, size);
	return true;
}
