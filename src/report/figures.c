#include <math.h>

#include "analysis/wording.h"
#include "base/text.h"
#include "report/numbers.h"
#include "report/report.h"
#include "report/sections.h"

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

static char *
missing_note(const AnalysisRow *row)
{
	if (row->failed == 0)
		return NULL;
	g_autofree char *due = wording_count(row->due, "rounds");
	return g_strdup_printf("no figure in %zu of %s", row->failed, due);
}

/* A cell without any value has no figures at all: no 0, no n/a. */
static char *
figure(const Summary *summary, char *text)
{
	if (summary->n > 0)
		return text;
	g_free(text);
	return g_strdup("-");
}

static void
add_row(Table *table, const AnalysisRow *row, NumberShape shape)
{
	const Summary *s = &row->summary;
	g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
	const double values[] = { s->min, s->max, s->median, s->mean };

	for (size_t i = 0; i < row->names->len; i++)
		g_ptr_array_add(cells, g_strdup(row->names->pdata[i]));
	if (row->names->len == 0)
		g_ptr_array_add(cells, g_strdup("all"));
	if (row->again) {
		g_autofree char *last =
		    g_ptr_array_steal_index(cells, cells->len - 1);
		g_ptr_array_add(cells, g_strdup_printf("%s (again)", last));
	}
	g_ptr_array_add(cells, g_strdup_printf("%zu", s->n));
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
		g_ptr_array_add(
		    cells, figure(s, numbers_text(shape, values[i])));
	g_ptr_array_add(cells, figure(s, numbers_text(shape, s->sd)));
	g_ptr_array_add(cells, figure(s, wording_number(s->cv_percent, 1)));
	table_row(table, (const char *const *)cells->pdata)->note =
	    missing_note(row);
}

static void
add_table(Document *document, const AnalysisLoad *load)
{
	static const char *const heads[] = { "N", "Min", "Max", "Median", "Avg",
		"Stddev", "CV %" };
	const NumberShape shape = numbers_shape(load);
	g_autofree char *name = printable(load->load->name);
	g_autofree char *metric = printable(load->metric->name);
	g_autofree char *unit = printable(load->metric->unit);
	g_autofree char *scale = shape.exponent == 0
	    ? g_strdup("")
	    : g_strdup_printf(" x 10^%d", shape.exponent);

	document_addf(document, BLOCK_CAPTION, "%s: %s in %s%s; N counts %s%s",
	    name, metric, unit, scale, load->unit,
	    load->metric->higher_is_better ? "" : " (less is better)");
	Table *table = document_add_table(document);
	for (size_t i = 0; i < load->factors->len; i++)
		table_column(table, load->factors->pdata[i], COLUMN_LABEL);
	if (load->factors->len == 0)
		table_column(table, "", COLUMN_LABEL);
	for (size_t i = 0; i < G_N_ELEMENTS(heads); i++)
		table_column(table, heads[i], COLUMN_NUMBER);
	for (size_t i = 0; i < load->rows->len; i++)
		add_row(table, load->rows->pdata[i], shape);
}

void
section_tables(Document *document, const Analysis *analysis)
{
	if (analysis->runs == 0)
		return;
	document_add(document, BLOCK_HEADING, "The figures");
	for (size_t i = 0; i < analysis->loads->len; i++)
		add_table(document, analysis->loads->pdata[i]);
}

/* A contrast that can be drawn, and whose it is. */
typedef struct {
	const AnalysisLoad *load;
	const AnalysisContrast *contrast;
} Drawable;

/* The largest first; equal ones stay in order. */
static gint
compare(gconstpointer a, gconstpointer b)
{
	const double x = fabs(((const Drawable *)a)->contrast->estimate);
	const double y = fabs(((const Drawable *)b)->contrast->estimate);

	return (x < y) - (x > y);
}

static PlotSet
set_of(const AnalysisLoad *load, size_t index)
{
	const AnalysisRow *row = load->rows->pdata[index];

	return (PlotSet){ (const double *)(const void *)row->values->data,
		row->values->len, row->summary };
}

/* ministat, too, wants three values of each. */
static gboolean
can_be_drawn(const Drawable *drawable)
{
	const AnalysisContrast *contrast = drawable->contrast;

	return contrast->base_name != NULL && isfinite(contrast->estimate) &&
	    set_of(drawable->load, contrast->base_row).n >= 3 &&
	    set_of(drawable->load, contrast->test_row).n >= 3;
}

static GArray *
drawables(const Analysis *analysis)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(Drawable));

	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			const AnalysisContrast *contrast =
			    load->contrasts->pdata[j];
			const Drawable drawable = { load, contrast };
			if (can_be_drawn(&drawable))
				g_array_append_val(list, drawable);
		}
	}
	g_array_sort(list, compare);
	return list;
}

static void
draw(Document *document, const Drawable *drawable)
{
	const AnalysisContrast *contrast = drawable->contrast;
	const PlotSet sets[] = { set_of(drawable->load, contrast->base_row),
		set_of(drawable->load, contrast->test_row) };
	const char *const names[] = { contrast->base_name,
		contrast->test_name };
	g_autofree char *picture =
	    report_plot(sets, names, 2, SECTION_PLOT_WIDTH);
	g_autofree char *name = printable(drawable->load->load->name);
	g_autofree char *unit = printable(drawable->load->metric->unit);

	document_addf(
	    document, BLOCK_CAPTION, "%s, %s: %s", name, unit, contrast->name);
	document_add(document, BLOCK_PICTURE, picture);
}

void
section_pictures(Document *document, const Analysis *analysis)
{
	g_autoptr(GArray) list = drawables(analysis);

	for (size_t i = 0; i < MIN(list->len, SECTION_PICTURES); i++)
		draw(document, &g_array_index(list, Drawable, i));
}

static void
add_items(Document *document, const char *heading, const GPtrArray *items)
{
	if (items->len > 0)
		document_add(document, BLOCK_HEADING, heading);
	for (size_t i = 0; i < items->len; i++)
		document_add(document, BLOCK_ITEM, items->pdata[i]);
}

void
section_failures(Document *document, const Analysis *analysis)
{
	add_items(document, "What failed", analysis->failures);
	add_items(document, "What was flagged", analysis->flags);
	add_items(document, "What else happened", analysis->events);
}
