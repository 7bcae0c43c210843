#include "analysis/contrast.h"

#include <math.h>
#include <string.h>

#include "analysis/comparison.h"
#include "analysis/estimate.h"
#include "analysis/far.h"
#include "analysis/stop.h"
#include "analysis/wording.h"
#include "store/imported.h"

static double
as_percent(double logs)
{
	return 100 * expm1(logs);
}

static FactorClass
class_of(const Comparison *compared)
{
	const FactorClass a =
	    (FactorClass)grid_factor(compared->grid, compared->factor_a)->class;

	if (compared->factor_b == SIZE_MAX)
		return a;
	return MAX(a,
	    (FactorClass)grid_factor(compared->grid, compared->factor_b)
		->class);
}

static const char *
unit_name(FactorClass class, const StoreData *data)
{
	switch (class) {
	case CLASS_BOOT:
		return "boots";
	case CLASS_SERVER:
		return data->has_server ? "starts" : "visits";
	case CLASS_LOAD:
		return imported_unit(data);
	}
	g_assert_not_reached();
}

/* Distinct boots of a level whose values were used. */
static size_t
boots_of(const Comparison *compared, size_t factor, size_t level, bool welch)
{
	const Grid *grid = compared->grid;
	g_autoptr(GHashTable) boots =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t row = 0; row < grid->rows->len; row++)
		for (size_t place = 0; place < grid->places->len; place++) {
			const size_t at = grid_at(grid, row, place);
			if (compared->weights[row] == 0 ||
			    (!welch &&
				!estimate_complete(
				    grid, compared->weights, place)) ||
			    grid_level(grid, row, factor) != level ||
			    isnan(grid->means[at]))
				continue;
			g_hash_table_add(boots,
			    g_strdup_printf("%zu/%" G_GINT64_FORMAT,
				g_array_index(grid->places, GridPlace, place)
				    .target,
				(gint64)grid->boots[at]));
		}
	return g_hash_table_size(boots);
}

/* Fewer boots than a verdict needs: says so, and no p is left to adjust. */
static void
check_boots(AnalysisContrast *contrast, const Comparison *compared)
{
	const size_t factors[] = { compared->factor_a, compared->factor_b };
	const size_t tests[] = { compared->test_a, compared->test_b };
	const size_t bases[] = { compared->base_a, compared->base_b };

	for (size_t i = 0; i < 2; i++) {
		if (factors[i] == SIZE_MAX ||
		    grid_factor(compared->grid, factors[i])->class !=
			CLASS_BOOT)
			continue;
		contrast->n_test =
		    boots_of(compared, factors[i], tests[i], contrast->welch);
		contrast->n_base =
		    boots_of(compared, factors[i], bases[i], contrast->welch);
		if (MIN(contrast->n_test, contrast->n_base) >= CONTRAST_BOOTS)
			continue;
		const StoreData *data = compared->grid->data;
		g_autofree char *test =
		    wording_level(data, factors[i], tests[i]);
		g_autofree char *base =
		    wording_level(data, factors[i], bases[i]);
		g_autofree char *n_test =
		    wording_count(contrast->n_test, "boots");
		g_autofree char *n_base =
		    wording_count(contrast->n_base, "boots");
		g_free(contrast->reason);
		contrast->reason = g_strdup_printf(
		    "%s of %s, %s of %s; a verdict needs %d of each", n_test,
		    test, n_base, base, CONTRAST_BOOTS);
	}
}

static void
add_simple(AnalysisContrast *contrast, const Comparison *compared, bool at_test)
{
	/* The cheaper factor's effect, at a level of the dearer one. */
	const bool b_is_effect =
	    grid_factor(compared->grid, compared->factor_b)->class <=
	    grid_factor(compared->grid, compared->factor_a)->class;
	static const int of_b_at_test[4] = { 1, 0, -1, 0 };
	static const int of_b_at_base[4] = { 0, 1, 0, -1 };
	static const int of_a_at_test[4] = { 1, -1, 0, 0 };
	static const int of_a_at_base[4] = { 0, 0, 1, -1 };
	size_t pairs = 0;
	g_autofree double *weights = comparison_weigh(compared,
	    b_is_effect ? (at_test ? of_b_at_test : of_b_at_base)
			: (at_test ? of_a_at_test : of_a_at_base),
	    &pairs);
	const double estimate = estimate_mean(compared->grid, weights,
	    compared->weights, contrast->welch, contrast->raw);
	const StoreData *data = compared->grid->data;
	g_autofree char *effect = b_is_effect
	    ? wording_level(data, compared->factor_b, compared->test_b)
	    : wording_level(data, compared->factor_a, compared->test_a);
	g_autofree char *context = b_is_effect
	    ? wording_level(data, compared->factor_a,
		  at_test ? compared->test_a : compared->base_a)
	    : wording_level(data, compared->factor_b,
		  at_test ? compared->test_b : compared->base_b);

	AnalysisSimple *simple = g_new0(AnalysisSimple, 1);
	simple->effect = g_steal_pointer(&effect);
	simple->context = g_steal_pointer(&context);
	simple->percent = contrast->raw ? estimate : as_percent(estimate);
	g_ptr_array_add(contrast->simple, simple);
}

static void
simple_free(AnalysisSimple *simple)
{
	g_free(simple->effect);
	g_free(simple->context);
	g_free(simple);
}

static void
contrast_free(AnalysisContrast *contrast)
{
	g_free(contrast->name);
	g_free(contrast->factor);
	g_free(contrast->test_label);
	g_free(contrast->base_label);
	g_array_unref(contrast->left_out);
	g_free(contrast->reason);
	g_free(contrast->remark);
	g_free(contrast->both);
	g_ptr_array_unref(contrast->simple);
	g_array_unref(contrast->base_values);
	g_array_unref(contrast->test_values);
	g_free(contrast->base_name);
	g_free(contrast->test_name);
	g_free(contrast);
}

static void
fill(AnalysisContrast *contrast, const Comparison *compared)
{
	g_auto(Estimate) estimate;
	estimate_init(
	    &estimate, compared->grid, compared->weights, class_of(compared));
	const MeanTest *test = &estimate.test;
	const Interval d = test->difference;

	contrast->raw = estimate.raw;
	contrast->percent = estimate.raw
	    ? d
	    : (Interval){ as_percent(d.estimate), as_percent(d.low),
		      as_percent(d.high) };
	contrast->estimate = d.estimate;
	contrast->se = test->se;
	contrast->df = test->df;
	contrast->p = test->p;
	contrast->welch = estimate.welch;
	contrast->n_rounds = estimate.n_rounds;
	contrast->left_out = g_steal_pointer(&estimate.left_out);
	if (isnan(d.estimate))
		contrast->reason = g_strdup(contrast->n_rounds == 0
			? "some of its cells gave no value"
			: "its values cannot be compared");
	else if (!test->valid && imported_from(compared->grid->data) != NULL)
		contrast->reason = g_strdup("no two values that differ");
	else if (!test->valid && estimate.n_rounds < 2)
		contrast->reason = g_strdup(
		    "one round does not tell what the next would give");
	else if (!test->valid)
		contrast->reason =
		    g_strdup("no variance at all between rounds");
	contrast->both =
	    far_words(&estimate, 1 - stop_level(compared->grid->data));
	check_boots(contrast, compared);
	if (contrast->reason != NULL)
		contrast->p = NAN;
}

static AnalysisContrast *
contrast_new(const Comparison *compared)
{
	AnalysisContrast *contrast = g_new0(AnalysisContrast, 1);

	contrast->factor =
	    g_strdup(grid_factor(compared->grid, compared->factor_a)->name);
	contrast->unit = unit_name(class_of(compared), compared->grid->data);
	contrast->detectable = contrast->p_holm = NAN;
	contrast->simple =
	    g_ptr_array_new_with_free_func((GDestroyNotify)simple_free);
	contrast->base_values = g_array_new(FALSE, FALSE, sizeof(double));
	contrast->test_values = g_array_new(FALSE, FALSE, sizeof(double));
	contrast->interaction = compared->factor_b != SIZE_MAX;
	fill(contrast, compared);
	return contrast;
}

static void
copy_values(const Grid *grid, size_t row, GArray *values)
{
	for (size_t place = 0; place < grid->places->len; place++) {
		const double value = grid->means[grid_at(grid, row, place)];
		if (!isnan(value))
			g_array_append_val(values, value);
	}
}

/* Two plain cells to show: the baseline's other levels, if there are both. */
static void
choose_picture(AnalysisContrast *contrast, const Comparison *compared)
{
	const Grid *grid = compared->grid;
	const size_t baseline = grid_baseline(grid);
	size_t corner[4], chosen = SIZE_MAX;

	for (size_t row = 0; row < grid->rows->len; row++) {
		if (!comparison_is_test(compared, row) ||
		    !comparison_rows(compared, row, corner))
			continue;
		if (chosen == SIZE_MAX || corner[1] == baseline)
			chosen = row;
	}
	if (chosen == SIZE_MAX || !comparison_rows(compared, chosen, corner))
		return;
	const DataCell *test = grid_row(grid, corner[0])->cell;
	const DataCell *base = grid_row(grid, corner[1])->cell;
	contrast->cell_test = (size_t)test->id;
	contrast->cell_base = (size_t)base->id;
	contrast->test_name = wording_cell(grid->data, test);
	contrast->base_name = wording_cell(grid->data, base);
	copy_values(grid, corner[0], contrast->test_values);
	copy_values(grid, corner[1], contrast->base_values);
}

/* "jemalloc / libc", "flush 2 / 1": the factor's name at most once. */
static char *
main_name(const Comparison *compared, const char *test, const char *base)
{
	const DataFactor *factor =
	    grid_factor(compared->grid, compared->factor_a);
	g_autofree char *prefix = g_strdup_printf("%s ", factor->name);
	const bool twice =
	    g_str_has_prefix(test, prefix) && g_str_has_prefix(base, prefix);

	return g_strdup_printf(
	    "%s / %s", test, twice ? base + strlen(prefix) : base);
}

static bool
level_is_used(const Grid *grid, size_t factor, size_t level)
{
	for (size_t row = 0; row < grid->rows->len; row++)
		if (grid_level(grid, row, factor) == level)
			return true;
	return false;
}

static void
add_main(GPtrArray *contrasts, const Grid *grid, size_t factor)
{
	static const int signs[4] = { 1, -1, 0, 0 };
	const size_t base = grid_base_level(grid, factor);
	const size_t n = grid_factor(grid, factor)->levels->len;

	for (size_t level = 0; level < n; level++) {
		if (level == base || !level_is_used(grid, factor, level))
			continue;
		Comparison compared = { grid, factor, level, base, SIZE_MAX, 0,
			0, NULL, 0 };
		g_autofree double *weights =
		    comparison_weigh(&compared, signs, &compared.pairs);
		compared.weights = weights;
		if (compared.pairs == 0)
			continue;
		AnalysisContrast *contrast = contrast_new(&compared);
		contrast->test_label = wording_level(grid->data, factor, level);
		contrast->base_label = wording_level(grid->data, factor, base);
		contrast->name = main_name(
		    &compared, contrast->test_label, contrast->base_label);
		choose_picture(contrast, &compared);
		g_ptr_array_add(contrasts, contrast);
	}
}

static void
add_interaction(GPtrArray *contrasts, const Grid *grid, size_t a,
    size_t level_a, size_t b, size_t level_b)
{
	static const int signs[4] = { 1, -1, -1, 1 };
	Comparison compared = { grid, a, level_a, grid_base_level(grid, a), b,
		level_b, grid_base_level(grid, b), NULL, 0 };
	g_autofree double *weights =
	    comparison_weigh(&compared, signs, &compared.pairs);

	compared.weights = weights;
	if (compared.pairs == 0)
		return;
	AnalysisContrast *contrast = contrast_new(&compared);
	contrast->test_label = wording_level(grid->data, a, level_a);
	contrast->base_label = wording_level(grid->data, b, level_b);
	contrast->name = g_strdup_printf(
	    "%s x %s", contrast->test_label, contrast->base_label);
	add_simple(contrast, &compared, false);
	add_simple(contrast, &compared, true);
	g_ptr_array_add(contrasts, contrast);
}

/* All of two factors, or none where there are more than can be read. */
static size_t
add_interactions(GPtrArray *contrasts, const Grid *grid, size_t a, size_t b)
{
	const size_t base_a = grid_base_level(grid, a);
	const size_t base_b = grid_base_level(grid, b);
	const size_t n_a = grid_factor(grid, a)->levels->len;
	const size_t n_b = grid_factor(grid, b)->levels->len;

	if (n_a < 2 || n_b < 2)
		return 0;
	if ((n_a - 1) * (n_b - 1) > CONTRAST_INTERACTIONS)
		return (n_a - 1) * (n_b - 1);
	for (size_t i = 0; i < n_a; i++)
		for (size_t j = 0; j < n_b; j++)
			if (i != base_a && j != base_b)
				add_interaction(contrasts, grid, a, i, b, j);
	return 0;
}

GPtrArray *
contrasts_new(const Grid *grid, size_t *untold)
{
	GPtrArray *contrasts =
	    g_ptr_array_new_with_free_func((GDestroyNotify)contrast_free);
	const size_t *factors = (const size_t *)(void *)grid->factors->data;
	const size_t n = grid->factors->len;

	*untold = 0;
	for (size_t i = 0; i < n; i++)
		add_main(contrasts, grid, factors[i]);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			*untold += add_interactions(
			    contrasts, grid, factors[i], factors[j]);
	return contrasts;
}

Interval
contrast_noise(const Grid *grid, size_t *n_rounds)
{
	const Interval none = { NAN, NAN, NAN };
	const size_t baseline = grid_baseline(grid);
	size_t again = 0;

	*n_rounds = 0;
	while (again < grid->rows->len && !grid_row(grid, again)->again)
		again++;
	if (baseline == SIZE_MAX || again == grid->rows->len)
		return none;
	g_autofree double *weights = g_new0(double, grid->rows->len);
	weights[baseline] = -1;
	weights[again] = 1;
	g_auto(Estimate) estimate;
	estimate_init(&estimate, grid, weights, CLASS_SERVER);
	*n_rounds = estimate.n_rounds;
	const Interval d = estimate.test.difference;
	if (estimate.raw)
		return none;
	return (Interval){ as_percent(d.estimate), as_percent(d.low),
		as_percent(d.high) };
}
