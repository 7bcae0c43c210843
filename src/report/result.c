#include <math.h>
#include <string.h>

#include "analysis/wording.h"
#include "base/text.h"
#include "report/lines.h"
#include "report/method.h"
#include "report/numbers.h"
#include "report/sections.h"
#include "store/imported.h"

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

char *
section_subject(const Analysis *analysis)
{
	g_autofree char *title = printable(analysis->data->title);
	if (imported_from(analysis->data) != NULL) {
		g_autofree char *runs = wording_count(analysis->runs, "runs");
		return g_strdup_printf("%s: %s (%s, imported, not proved)",
		    title, analysis->headline, runs);
	}
	g_autofree char *rounds = wording_count(analysis->rounds, "rounds");
	const bool all = analysis->visits_valid == analysis->visits_planned;
	g_autofree char *visits = all
	    ? g_strdup("all visits valid")
	    : g_strdup_printf("%zu of %zu visits valid", analysis->visits_valid,
		  analysis->visits_planned);

	return g_strdup_printf(
	    "%s: %s (%s, %s)", title, analysis->headline, rounds, visits);
}

void
section_answer(Document *document, const Analysis *analysis)
{
	g_auto(GStrv) lines = g_strsplit(analysis->answer, "\n", -1);

	for (size_t i = 0; lines[i] != NULL; i++)
		if (*lines[i] != '\0')
			document_add(document, BLOCK_ANSWER, lines[i]);
}

static void
append(GString *note, const char *separator, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	if (note->len > 0)
		g_string_append(note, separator);
	g_string_append(note, text);
}

/* "libthr with 4BSD +7.8 %, with ULE +12.1 %" */
static char *
simple_effects(const AnalysisContrast *contrast)
{
	const AnalysisSimple *first = contrast->simple->pdata[0];
	const AnalysisSimple *second = contrast->simple->pdata[1];
	g_autofree char *a = numbers_change(contrast, first->percent);
	g_autofree char *b = numbers_change(contrast, second->percent);

	return g_strdup_printf("interaction: %s with %s %s, with %s %s",
	    first->effect, first->context, a, second->context, b);
}

/* "one of 1.0 % would have been seen with probability .8" */
static char *
detectable(const AnalysisContrast *contrast, const DataMetric *metric)
{
	if (isnan(contrast->detectable))
		return NULL;
	const double size = contrast->detectable;
	if (size > SECTION_CLEAR && !contrast->raw)
		return g_strdup_printf("not even one of %d %% would have been "
				       "seen with probability .8",
		    SECTION_CLEAR);
	g_autofree char *text = wording_number(size,
	    size >= 1        ? 1
		: size >= .1 ? 2
			     : 3);
	g_autofree char *unit = printable(metric->unit);
	return g_strdup_printf(
	    "one of %s %s would have been seen with probability .8", text,
	    contrast->raw ? unit : "%");
}

static char *
contrast_note(const AnalysisContrast *contrast, const DataMetric *metric,
    const MethodCommon *common)
{
	GString *note = g_string_new(NULL);

	if (contrast->simple->len == 2) {
		g_autofree char *effects = simple_effects(contrast);
		append(note, "; ", effects);
	}
	if (contrast->named) {
		g_autofree char *sides = g_strdup_printf("%s against %s",
		    contrast->test_label, contrast->base_label);
		append(note, "; ", sides);
	}
	if (common->reason == NULL)
		append(note, "; ", contrast->reason);
	append(note, "; ", contrast->remark);
	append(note, "; ", contrast->both);
	g_autofree char *least = detectable(contrast, metric);
	append(note, "; ", least);
	if (contrast->raw)
		append(note, "; ", "in the metric's unit, not per cent");
	if (strcmp(contrast->unit, "boots") == 0 && !contrast->interaction &&
	    contrast->reason == NULL) {
		g_autofree char *boots =
		    g_strdup_printf("%zu boots against %zu", contrast->n_test,
			contrast->n_base);
		append(note, "; ", boots);
	}
	if (contrast->welch && !isnan(contrast->se) && !common->welch) {
		g_autofree char *welch = g_strdup_printf(
		    "by means of %s (Welch), not by rounds", contrast->unit);
		append(note, "; ", welch);
	} else if (common->rounds == NULL && contrast->left_out->len > 0 &&
	    contrast->n_rounds > 0) {
		g_autofree char *rounds = wording_rounds(contrast->left_out);
		g_autofree char *left = g_strdup_printf(
		    "over %zu rounds, without %s %s", contrast->n_rounds,
		    contrast->left_out->len == 1 ? "round" : "rounds", rounds);
		append(note, "; ", left);
	}
	return g_string_free(note, note->len == 0);
}

/* An interaction is neither fast nor slow. */
static const char *
verdict_cell(const AnalysisContrast *contrast, const DataMetric *metric)
{
	const gboolean shown = contrast->verdict == VERDICT_FASTER ||
	    contrast->verdict == VERDICT_SLOWER;

	return shown && contrast->interaction
	    ? "interact"
	    : verdict_word(contrast->verdict, metric);
}

/* "-28.6 .. -27.2", its ends as wide as the widest of the table. */
static char *
interval_cell(const AnalysisContrast *contrast, size_t widths[2])
{
	const int decimals = wording_decimals(contrast->percent);
	g_autofree char *low = wording_signed(contrast->percent.low, decimals);
	g_autofree char *high =
	    wording_signed(contrast->percent.high, decimals);

	if (isnan(contrast->percent.low))
		return g_strdup("n/a");
	GString *cell = g_string_new(NULL);
	lines_append(cell, low, widths[0], TRUE);
	g_string_append(cell, " .. ");
	lines_append(cell, high, widths[1], TRUE);
	widths[0] = MAX(widths[0], lines_width(low));
	widths[1] = MAX(widths[1], lines_width(high));
	return g_string_free(cell, FALSE);
}

static void
add_contrast(Table *table, const AnalysisContrast *contrast,
    const AnalysisLoad *load, size_t widths[2], const MethodCommon *common)
{
	g_autofree char *change =
	    numbers_change(contrast, contrast->percent.estimate);
	g_autofree char *interval = interval_cell(contrast, widths);
	g_autofree char *p = wording_p(contrast->p_holm);
	const char *const cells[] = { contrast->name, change, interval, p,
		verdict_cell(contrast, load->metric) };

	table_row(table, cells)->note =
	    contrast_note(contrast, load->metric, common);
}

static size_t
count_contrasts(const Analysis *analysis)
{
	size_t n = 0;

	for (size_t i = 0; i < analysis->loads->len; i++)
		n += ((const AnalysisLoad *)analysis->loads->pdata[i])
			 ->contrasts->len;
	return n;
}

static void
add_load(Table *table, const AnalysisLoad *load, size_t widths[2],
    const MethodCommon *common)
{
	g_autofree char *name = printable(load->load->name);
	g_autofree char *unit = printable(load->metric->unit);
	g_autofree char *title = g_strdup_printf("%s, %s%s", name, unit,
	    load->metric->higher_is_better ? "" : " (less is better)");

	table_group(table, title);
	for (size_t j = 0; j < load->contrasts->len; j++)
		add_contrast(
		    table, load->contrasts->pdata[j], load, widths, common);
}

static void
add_contrasts(Document *document, const Analysis *analysis)
{
	const MethodCommon common = method_common(analysis);
	size_t widths[2] = { 0, 0 };

	/* The first pass measures, the table is of the second. */
	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++)
			g_free(
			    interval_cell(load->contrasts->pdata[j], widths));
	}
	Table *table = document_add_table(document);
	table_column(table, "", COLUMN_LABEL);
	table_column(table, "change", COLUMN_NUMBER);
	table_column(table, "95 % interval", COLUMN_NUMBER);
	table_column(table, "adj. p", COLUMN_NUMBER);
	table_column(table, "verdict", COLUMN_WORD);
	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		if (load->contrasts->len > 0)
			add_load(table, load, widths, &common);
	}
	method_tell(document, analysis, &common);
}

void
section_contrasts(Document *document, const Analysis *analysis)
{
	if (count_contrasts(analysis) > 0 && analysis->runs > 0)
		add_contrasts(document, analysis);
	method_tell_noise(document, analysis);
}

void
section_warnings(Document *document, const Analysis *analysis)
{
	for (size_t i = 0; i < analysis->warnings->len; i++)
		document_add(
		    document, BLOCK_WARNING, analysis->warnings->pdata[i]);
}
