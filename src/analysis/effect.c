#include "analysis/effect.h"

#include <math.h>

#include "analysis/contrast.h"
#include "analysis/estimate.h"
#include "analysis/far.h"
#include "analysis/wording.h"
#include "store/imported.h"

double
effect_percent(double logs)
{
	return 100 * expm1(logs);
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

static bool
has_sign(double weight, int sign)
{
	return weight != 0 && (sign == 0 || (weight > 0) == (sign > 0));
}

/* Distinct boots of a level whose values were used. */
static size_t
boots_of(const EffectSum *sum, const EffectLevel *level, bool welch)
{
	const Grid *grid = sum->grid;
	g_autoptr(GHashTable) boots =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t row = 0; row < grid->rows->len; row++)
		for (size_t place = 0; place < grid->places->len; place++) {
			const size_t at = grid_at(grid, row, place);
			if (!has_sign(sum->weights[row], level->sign) ||
			    (!welch &&
				!estimate_complete(
				    grid, sum->weights, place)) ||
			    grid_level(grid, row, level->factor) !=
				level->level ||
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

/* The boots of one side; the least of a level goes to *least. */
static size_t
count_side(const EffectSum *sum, const GArray *levels, bool welch,
    size_t *least, GPtrArray *words)
{
	size_t all = 0;

	for (size_t i = 0; i < levels->len; i++) {
		const EffectLevel *level =
		    &g_array_index(levels, EffectLevel, i);
		const size_t n = boots_of(sum, level, welch);
		g_autofree char *count = wording_count(n, "boots");
		g_autofree char *name =
		    wording_level(sum->grid->data, level->factor, level->level);
		g_ptr_array_add(
		    words, g_strdup_printf("%s of %s", count, name));
		*least = MIN(*least, n);
		all += n;
	}
	return all;
}

void
effect_need_boots(AnalysisContrast *contrast, const EffectSum *sum,
    const GArray *test, const GArray *base)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	size_t least = CONTRAST_BOOTS;

	contrast->n_test =
	    count_side(sum, test, contrast->welch, &least, words);
	contrast->n_base =
	    count_side(sum, base, contrast->welch, &least, words);
	if (least >= CONTRAST_BOOTS)
		return;
	g_ptr_array_add(words, NULL);
	g_autofree char *list = g_strjoinv(", ", (char **)words->pdata);
	g_free(contrast->reason);
	contrast->reason = g_strdup_printf(
	    "%s; a verdict needs %d of each", list, CONTRAST_BOOTS);
	contrast->p = NAN;
}

static void
simple_free(AnalysisSimple *simple)
{
	g_free(simple->effect);
	g_free(simple->context);
	g_free(simple);
}

void
effect_free(void *what)
{
	AnalysisContrast *contrast = what;

	g_free(contrast->name);
	g_free(contrast->factor);
	g_free(contrast->test_label);
	g_free(contrast->base_label);
	g_array_unref(contrast->left_out);
	g_free(contrast->reason);
	g_free(contrast->remark);
	g_free(contrast->both);
	g_ptr_array_unref(contrast->simple);
	g_free(contrast->base_name);
	g_free(contrast->test_name);
	g_free(contrast);
}

/* Why there is no test, where there is none; free it. */
static char *
why_not(const Grid *grid, const Estimate *estimate)
{
	const MeanTest *test = &estimate->test;

	if (isnan(test->difference.estimate))
		return g_strdup(estimate->n_rounds == 0
			? "some of its cells gave no value"
			: "its values cannot be compared");
	if (test->valid)
		return NULL;
	if (grid->imported)
		return g_strdup("no two values that differ");
	return g_strdup(estimate->n_rounds < 2
		? "one round does not tell what the next would give"
		: "no variance at all between rounds");
}

static void
fill(AnalysisContrast *contrast, const EffectSum *sum)
{
	g_auto(Estimate) estimate;
	estimate_init(&estimate, sum->grid, sum->weights, sum->class);
	const MeanTest *test = &estimate.test;
	const Interval d = test->difference;

	contrast->raw = estimate.raw;
	contrast->percent = estimate.raw
	    ? d
	    : (Interval){ effect_percent(d.estimate), effect_percent(d.low),
		      effect_percent(d.high) };
	contrast->estimate = d.estimate;
	contrast->se = test->se;
	contrast->df = test->df;
	contrast->welch = estimate.welch;
	contrast->n_rounds = estimate.n_rounds;
	contrast->left_out = g_steal_pointer(&estimate.left_out);
	contrast->reason = why_not(sum->grid, &estimate);
	contrast->p = contrast->reason == NULL ? test->p : NAN;
	contrast->both = far_words(&estimate, 1 - sum->grid->level);
}

AnalysisContrast *
effect_new(const EffectSum *sum)
{
	AnalysisContrast *contrast = g_new0(AnalysisContrast, 1);

	contrast->unit = unit_name(sum->class, sum->grid->data);
	contrast->detectable = contrast->p_holm = NAN;
	contrast->simple =
	    g_ptr_array_new_with_free_func((GDestroyNotify)simple_free);
	fill(contrast, sum);
	return contrast;
}

void
effect_show(AnalysisContrast *contrast, const Grid *grid, size_t test_row,
    size_t base_row)
{
	const DataCell *test = grid_row(grid, test_row)->cell;
	const DataCell *base = grid_row(grid, base_row)->cell;

	contrast->test_row = test_row;
	contrast->base_row = base_row;
	contrast->test_name = wording_cell(grid->data, test);
	contrast->base_name = wording_cell(grid->data, base);
}
