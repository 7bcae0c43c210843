#include "analysis/contrast.h"

#include <math.h>

#include "analysis/asked.h"
#include "analysis/comparison.h"
#include "analysis/effect.h"
#include "analysis/estimate.h"
#include "analysis/question.h"
#include "analysis/wording.h"

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
	simple->percent = contrast->raw ? estimate : effect_percent(estimate);
	g_ptr_array_add(contrast->simple, simple);
}

/* Each factor of class boot, its level against the baseline's. */
static void
need_boots(AnalysisContrast *contrast, const Comparison *compared,
    const EffectSum *sum)
{
	const EffectLevel tests[] = { { compared->factor_a, compared->test_a,
					  0 },
		{ compared->factor_b, compared->test_b, 0 } };
	const EffectLevel bases[] = { { compared->factor_a, compared->base_a,
					  0 },
		{ compared->factor_b, compared->base_b, 0 } };

	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++) {
		if (tests[i].factor == SIZE_MAX ||
		    grid_factor(compared->grid, tests[i].factor)->class !=
			CLASS_BOOT)
			continue;
		g_autoptr(GArray) test =
		    g_array_new(FALSE, FALSE, sizeof(EffectLevel));
		g_autoptr(GArray) base =
		    g_array_new(FALSE, FALSE, sizeof(EffectLevel));
		g_array_append_val(test, tests[i]);
		g_array_append_val(base, bases[i]);
		effect_need_boots(contrast, sum, test, base);
	}
}

static AnalysisContrast *
contrast_new(const Comparison *compared)
{
	const EffectSum sum = { compared->grid, compared->weights,
		class_of(compared) };
	AnalysisContrast *contrast = effect_new(&sum);

	contrast->factor =
	    g_strdup(grid_factor(compared->grid, compared->factor_a)->name);
	contrast->interaction = compared->factor_b != SIZE_MAX;
	need_boots(contrast, compared, &sum);
	return contrast;
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
	effect_show(contrast, grid, corner[0], corner[1]);
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
add_main(GPtrArray *contrasts, const GPtrArray *questions, const Grid *grid,
    size_t factor)
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
		if (compared.pairs == 0 ||
		    question_is_asked(questions, grid, weights))
			continue;
		AnalysisContrast *contrast = contrast_new(&compared);
		contrast->test_label = wording_level(grid->data, factor, level);
		contrast->base_label = wording_level(grid->data, factor, base);
		contrast->name = comparison_name(grid_factor(grid, factor),
		    contrast->test_label, contrast->base_label);
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

static size_t
add_usual(GPtrArray *contrasts, const GPtrArray *questions, const Grid *grid)
{
	const size_t *factors = (const size_t *)(void *)grid->factors->data;
	const size_t n = grid->factors->len;
	size_t untold = 0;

	for (size_t i = 0; i < n; i++)
		add_main(contrasts, questions, grid, factors[i]);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			untold += add_interactions(
			    contrasts, grid, factors[i], factors[j]);
	return untold;
}

GPtrArray *
contrasts_new(
    const Grid *grid, const Asked *asked, size_t *untold, GPtrArray *unasked)
{
	GPtrArray *contrasts = g_ptr_array_new_with_free_func(effect_free);
	g_autoptr(GPtrArray) questions = questions_on(grid, asked, unasked);

	*untold = asked->only ? 0 : add_usual(contrasts, questions, grid);
	for (guint i = 0; i < questions->len; i++)
		g_ptr_array_add(
		    contrasts, question_answer(questions->pdata[i], grid));
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
	return (Interval){ effect_percent(d.estimate), effect_percent(d.low),
		effect_percent(d.high) };
}
