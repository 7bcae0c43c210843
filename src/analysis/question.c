#include "analysis/question.h"

#include <math.h>

#include "analysis/comparison.h"
#include "analysis/effect.h"

static void
question_free(void *what)
{
	Question *question = what;

	g_free(question->weights);
	g_free(question);
}

GPtrArray *
questions_on(const Grid *grid, const Asked *asked, GPtrArray *unasked)
{
	GPtrArray *questions = g_ptr_array_new_with_free_func(question_free);

	for (guint i = 0; i < asked->contrasts->len; i++) {
		const AskedContrast *one = asked->contrasts->pdata[i];
		Question *question = g_new0(Question, 1);
		question->asked = one;
		if (asked_applies(one, grid))
			question->weights = asked_weigh(
			    one, grid, &question->test, &question->base);
		if (question->weights != NULL) {
			g_ptr_array_add(questions, question);
			continue;
		}
		g_ptr_array_add(unasked, asked_name(one, grid->data));
		question_free(question);
	}
	return questions;
}

bool
question_is_asked(
    const GPtrArray *questions, const Grid *grid, const double *weights)
{
	const double hair = 1e-9;

	for (guint i = 0; i < questions->len; i++) {
		const Question *question = questions->pdata[i];
		double apart = 0, around = 0;
		for (size_t row = 0; row < grid->rows->len; row++) {
			const double asked = question->weights[row];
			apart = fmax(apart, fabs(weights[row] - asked));
			around = fmax(around, fabs(weights[row] + asked));
		}
		if (fmin(apart, around) < hair)
			return true;
	}
	return false;
}

/* The dearest factor that the sides differ in. */
static FactorClass
differing_class(const Question *question, const Grid *grid)
{
	FactorClass class = CLASS_LOAD;

	for (size_t f = 0; f < question->asked->n_factors; f++)
		if (asked_differs(question->asked, grid, f))
			class = MAX(
			    class, (FactorClass)grid_factor(grid, f)->class);
	return class;
}

/* The levels of a factor that have weight on one side; free it. */
static GArray *
levels_with(const Question *question, const Grid *grid, size_t factor, int sign)
{
	GArray *levels = g_array_new(FALSE, FALSE, sizeof(EffectLevel));
	const size_t n = grid_factor(grid, factor)->levels->len;

	for (size_t i = 0; i < n; i++) {
		const EffectLevel level = { factor, i, sign };
		bool used = false;
		for (size_t row = 0; row < grid->rows->len && !used; row++)
			used = question->weights[row] * sign > 0 &&
			    grid_level(grid, row, factor) == i;
		if (used)
			g_array_append_val(levels, level);
	}
	return levels;
}

AnalysisContrast *
question_answer(const Question *question, const Grid *grid)
{
	const AskedContrast *asked = question->asked;
	const EffectSum sum = { grid, question->weights,
		differing_class(question, grid) };
	AnalysisContrast *contrast = effect_new(&sum);

	for (size_t f = 0; f < asked->n_factors; f++) {
		if (grid_factor(grid, f)->class != CLASS_BOOT ||
		    !asked_differs(asked, grid, f))
			continue;
		g_autoptr(GArray) test = levels_with(question, grid, f, 1);
		g_autoptr(GArray) base = levels_with(question, grid, f, -1);
		effect_need_boots(contrast, &sum, test, base);
	}
	contrast->asked = true;
	contrast->named = asked->name != NULL;
	contrast->name = asked_name(asked, grid->data);
	contrast->test_label = asked_label(asked, grid->data, ASKED_OF);
	contrast->base_label = asked_label(asked, grid->data, ASKED_AGAINST);
	if (question->test != SIZE_MAX)
		effect_show(contrast, grid, question->test, question->base);
	return contrast;
}
