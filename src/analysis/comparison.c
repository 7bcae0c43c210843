#include "analysis/comparison.h"

#include <string.h>

const DataFactor *
grid_factor(const Grid *grid, size_t factor)
{
	return grid->data->factors->pdata[factor];
}

size_t
grid_baseline(const Grid *grid)
{
	for (size_t row = 0; row < grid->rows->len; row++)
		if (!grid_row(grid, row)->again &&
		    grid_row(grid, row)->cell->id ==
			(int64_t)grid->data->baseline)
			return row;
	for (size_t i = 0; i < grid->data->cells->len; i++) {
		const DataCell *cell = grid->data->cells->pdata[i];
		if (cell->id == (int64_t)grid->data->baseline)
			return grid_find(grid, cell);
	}
	return SIZE_MAX;
}

size_t
grid_base_level(const Grid *grid, size_t factor)
{
	const size_t row = grid_baseline(grid);

	return row == SIZE_MAX ? 0 : grid_level(grid, row, factor);
}

bool
comparison_rows(const Comparison *compared, size_t row, size_t corner[4])
{
	const Grid *grid = compared->grid;

	for (size_t i = 0; i < 4; i++) {
		if (compared->factor_b == SIZE_MAX && i >= 2) {
			corner[i] = SIZE_MAX;
			continue;
		}
		corner[i] = grid_partner(grid, row, compared->factor_a,
		    i % 2 == 0 ? compared->test_a : compared->base_a,
		    compared->factor_b,
		    i < 2 ? compared->test_b : compared->base_b);
		if (corner[i] == SIZE_MAX)
			return false;
	}
	return true;
}

bool
comparison_is_test(const Comparison *compared, size_t row)
{
	const Grid *grid = compared->grid;

	return !grid_row(grid, row)->again &&
	    grid_level(grid, row, compared->factor_a) == compared->test_a &&
	    (compared->factor_b == SIZE_MAX ||
		grid_level(grid, row, compared->factor_b) == compared->test_b);
}

double *
comparison_weigh(const Comparison *compared, const int signs[4], size_t *pairs)
{
	const size_t n = compared->grid->rows->len;
	double *weights = g_new0(double, n + 1);

	*pairs = 0;
	for (size_t row = 0; row < n; row++) {
		size_t corner[4];
		if (!comparison_is_test(compared, row) ||
		    !comparison_rows(compared, row, corner))
			continue;
		++*pairs;
		for (size_t i = 0; i < 4; i++)
			if (corner[i] != SIZE_MAX)
				weights[corner[i]] += signs[i];
	}
	for (size_t row = 0; row<n && * pairs> 0; row++)
		weights[row] /= (double)*pairs;
	return weights;
}

char *
comparison_name(const DataFactor *factor, const char *test, const char *base)
{
	g_autofree char *prefix = g_strdup_printf("%s ", factor->name);
	const bool twice =
	    g_str_has_prefix(test, prefix) && g_str_has_prefix(base, prefix);

	return g_strdup_printf(
	    "%s / %s", test, twice ? base + strlen(prefix) : base);
}
