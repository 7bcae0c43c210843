#include "report/method.h"

#include <math.h>
#include <string.h>

#include "analysis/wording.h"
#include "base/text.h"
#include "report/sections.h"
#include "store/imported.h"

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

static gboolean
same_rounds(const GArray *a, const GArray *b)
{
	return a->len == b->len &&
	    (a->len == 0 ||
		memcmp(a->data, b->data, a->len * sizeof(size_t)) == 0);
}

MethodCommon
method_common(const Analysis *analysis)
{
	const AnalysisContrast *first = NULL;
	gboolean rounds = TRUE, reason = TRUE, welch = TRUE;

	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			const AnalysisContrast *contrast =
			    load->contrasts->pdata[j];
			if (first == NULL)
				first = contrast;
			rounds = rounds &&
			    first->n_rounds == contrast->n_rounds &&
			    same_rounds(first->left_out, contrast->left_out);
			reason = reason &&
			    g_strcmp0(first->reason, contrast->reason) == 0;
			welch =
			    welch && (contrast->welch || isnan(contrast->p));
		}
	}
	if (first == NULL)
		return (MethodCommon){ NULL, 0, NULL, FALSE };
	return (MethodCommon){ rounds ? first->left_out : NULL, first->n_rounds,
		reason ? first->reason : NULL, welch };
}

/* "The unit is the boot for kernel, the start for preload and flush." */
static char *
say_units(const Analysis *analysis)
{
	static const struct {
		const char *unit, *words, *alone; /* without a server */
	} units[] = {
		{ "boots", "the boot for", "the boot for" },
		{ "starts", "the start for", "the visit for" },
		{ "runs", "the cell's runs in a start for",
		    "the cell's runs in a visit for" },
	};
	enum { RUNS = 2 };
	g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
	const bool imported = imported_from(analysis->data) != NULL;
	g_autofree char *of = g_strndup(imported_unit(analysis->data),
	    strlen(imported_unit(analysis->data)) - 1);

	for (size_t unit = 0; unit < G_N_ELEMENTS(units); unit++) {
		g_autoptr(GPtrArray) names =
		    g_ptr_array_new_with_free_func(g_free);
		for (size_t i = 0; i < analysis->data->factors->len; i++) {
			const DataFactor *factor =
			    analysis->data->factors->pdata[i];
			static const FactorClass classes[] = { CLASS_BOOT,
				CLASS_SERVER, CLASS_LOAD };
			if (factor->class == (int)classes[unit] &&
			    factor->levels->len > 1)
				g_ptr_array_add(names, printable(factor->name));
		}
		if (names->len == 0)
			continue;
		g_autofree char *list = wording_list(names);
		g_autofree char *words = imported && unit == RUNS
		    ? g_strdup_printf("the cell's %s for", of)
		    : g_strdup(analysis->data->has_server ? units[unit].words
							  : units[unit].alone);
		g_ptr_array_add(parts, g_strdup_printf("%s %s", words, list));
	}
	g_autofree char *list = wording_list(parts);
	return g_strdup_printf("The unit is %s.", list);
}

/* "over 4 contrasts, of which the matrix asks for 1" */
static char *
say_family(const Analysis *analysis)
{
	g_autofree char *family = wording_count(analysis->family, "contrasts");

	if (analysis->only_asked)
		return g_strdup_printf(
		    "%s, those alone that the matrix asks for", family);
	if (analysis->family_asked > 0)
		return g_strdup_printf("%s, of which the matrix asks for %zu",
		    family, analysis->family_asked);
	return g_steal_pointer(&family);
}

static void
add_untold(Document *document, const Analysis *analysis)
{
	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		g_autofree char *name = printable(load->load->name);
		if (load->untold > 0)
			document_addf(document, BLOCK_PARAGRAPH,
			    "%s: %zu interactions of factors with many levels "
			    "are not told.",
			    name, load->untold);
		if (load->unasked->len == 0)
			continue;
		g_autofree char *unasked = wording_list(load->unasked);
		document_addf(document, BLOCK_PARAGRAPH,
		    "%s cannot tell %s: it does not use the variables that "
		    "are compared there.",
		    name, unasked);
	}
}

void
method_tell(
    Document *document, const Analysis *analysis, const MethodCommon *common)
{
	const GArray *left_out = common->rounds;
	g_autoptr(GString) text =
	    g_string_new("Changes are of geometric means");
	g_autofree char *units = say_units(analysis);
	g_autofree char *margin = wording_short(analysis->data->margin_percent);

	if (analysis->family > 0 && common->welch)
		g_string_append(
		    text, ", between units, not within rounds (Welch)");
	else if (analysis->family > 0 && left_out != NULL)
		g_string_append_printf(text,
		    ", by differences within %zu rounds (t)", common->n_rounds);
	else if (analysis->family > 0)
		g_string_append(text, ", by differences within rounds (t)");
	if (analysis->family > 0)
		g_string_append(text, "; each interval stands for itself");
	g_string_append_printf(text, ". %s", units);
	if (analysis->family > 0) {
		g_autofree char *family = say_family(analysis);
		g_string_append_printf(text,
		    " Verdicts go by p adjusted after Holm over %s.", family);
	}
	if (analysis->family > 0 && analysis->data->margin_percent > 0)
		g_string_append_printf(
		    text, " Equivalent means within %s %%.", margin);
	if (common->reason != NULL)
		g_string_append_printf(
		    text, " Not enough data: %s.", common->reason);
	if (left_out != NULL && left_out->len > 0 &&
	    left_out->len < analysis->rounds) {
		g_autofree char *rounds = wording_rounds(left_out);
		g_string_append_printf(text, " Left out of all: %s %s.",
		    left_out->len == 1 ? "round" : "rounds", rounds);
	}
	document_add(document, BLOCK_PARAGRAPH, text->str);
	add_untold(document, analysis);
}

void
method_tell_noise(Document *document, const Analysis *analysis)
{
	g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		const Interval noise = load->noise;
		if (isnan(noise.estimate))
			continue;
		const int decimals = wording_decimals(noise);
		g_autofree char *name = printable(load->load->name);
		g_autofree char *by = wording_signed(noise.estimate, decimals);
		g_autofree char *low = wording_signed(noise.low, decimals);
		g_autofree char *high = wording_signed(noise.high, decimals);
		g_ptr_array_add(parts,
		    isnan(noise.low) ? g_strdup_printf("%s %s %%", name, by)
				     : g_strdup_printf("%s %s %% (%s to %s)",
					   name, by, low, high));
	}
	if (parts->len == 0)
		return;
	g_autofree char *list = wording_list(parts);
	document_addf(document, BLOCK_PARAGRAPH,
	    "Noise floor of this night, the baseline against itself: %s.",
	    list);
}

/* "select: runs of one start differ by 0.4 % (CV), starts by 1.1 %; ..." */
void
method_advise(Document *document, const Analysis *analysis)
{
	const char *unit = analysis->data->has_server ? "start" : "visit";

	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		const Advice advice = load->advice;
		if (advice.runs == 0)
			continue;
		g_autofree char *name = printable(load->load->name);
		g_autofree char *runs = wording_number(advice.run_cv, 2);
		g_autofree char *units = wording_number(advice.unit_cv, 2);
		g_autofree char *count = wording_count(advice.runs, "runs");
		document_addf(document, BLOCK_PARAGRAPH,
		    "%s: runs of one %s differ by %s %% (CV), %ss besides by "
		    "%s %%. For the time that they took here %s%s of each %s "
		    "would tell most; there were %d.",
		    name, unit, runs, unit, units,
		    advice.more ? "more than " : "", count, unit,
		    analysis->data->runs_wanted);
	}
}
