#include <string.h>

#include "report/document.h"
#include "report/lines.h"
#include "report/report.h"

enum {
	WIDTH = 72, /* of a line, as a mailing list wants it */
	GAP = 2,    /* between columns */
	PROSE = 30, /* columns a wrapped cell needs beside the others */
	NOTE = 5,   /* indent of what stands under a row */
};

static const char spaces[] = "                                              "
			     "                          ";

/* Spaces, at most a line of them; borrowed. */
static const char *
indent_of(size_t columns)
{
	return spaces + (sizeof spaces - 1 - MIN(columns, sizeof spaces - 1));
}

static const Column *
column_at(const Table *table, size_t i)
{
	return table->columns->pdata[i];
}

/* How a table is laid out. */
typedef struct {
	const Table *table;
	size_t *widths; /* of each column */
	size_t labels;  /* how many columns are labels; they come first */
	size_t *narrow; /* the same without the heads */
	size_t rest_width;
	gboolean stacked; /* labels do not fit beside the rest */
	gboolean aligned; /* stacked, but without the heads they do */
} Layout;

static size_t
width_of_cells(const Table *table, size_t i)
{
	size_t width = 0;

	for (size_t j = 0; j < table->rows->len; j++) {
		const Row *row = table->rows->pdata[j];
		if (!row->group)
			width = MAX(width, lines_width(row->cells->pdata[i]));
	}
	return width;
}

static size_t
width_of_labels(const Layout *layout, const size_t *widths)
{
	size_t width = 0;

	for (size_t i = 0; i < layout->labels; i++)
		width += widths[i] + (i == 0 ? 0 : GAP);
	return width;
}

static void
layout_init(Layout *layout, const Table *table)
{
	const size_t n = table->columns->len;

	*layout = (Layout){ .table = table,
		.widths = g_new0(size_t, n + 1),
		.narrow = g_new0(size_t, n + 1) };
	for (size_t i = 0; i < n; i++) {
		layout->narrow[i] = width_of_cells(table, i);
		layout->widths[i] = MAX(
		    layout->narrow[i], lines_width(column_at(table, i)->head));
		if (column_at(table, i)->kind == COLUMN_LABEL)
			layout->labels++;
		else if (column_at(table, i)->kind == COLUMN_PROSE)
			layout->rest_width += GAP + PROSE;
		else
			layout->rest_width += GAP + layout->widths[i];
	}
	layout->stacked =
	    1 + width_of_labels(layout, layout->widths) + layout->rest_width >
	    WIDTH;
	layout->aligned = layout->stacked &&
	    1 + width_of_labels(layout, layout->narrow) + layout->rest_width <=
		WIDTH;
}

/* Labels one after the other, as they are in a line of their own. */
static char *
joined_labels(const Layout *layout, const GPtrArray *cells)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < layout->labels; i++) {
		const char *cell = cells->pdata[i];
		if (layout->aligned) {
			g_string_append(text, indent_of(i == 0 ? 0 : GAP));
			lines_append(text, cell, layout->narrow[i], FALSE);
		} else if (*cell != '\0')
			g_string_append_printf(
			    text, "%s%s", text->len == 0 ? "" : "  ", cell);
	}
	return g_string_free(text, FALSE);
}

static void
trim_line(GString *out)
{
	while (out->len > 0 && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

/* The cells after the labels; prose is wrapped where it begins. */
static void
put_rest(GString *line, const Layout *layout, const GPtrArray *cells)
{
	for (size_t i = layout->labels; i < cells->len; i++) {
		const Column *column = column_at(layout->table, i);
		if (column->kind == COLUMN_PROSE)
			continue;
		g_string_append(line, indent_of(GAP));
		lines_append(line, cells->pdata[i], layout->widths[i],
		    column->kind == COLUMN_NUMBER);
	}
}

static const char *
prose_of(const Layout *layout, const GPtrArray *cells)
{
	const size_t last = cells->len - 1;

	return column_at(layout->table, last)->kind == COLUMN_PROSE
	    ? cells->pdata[last]
	    : NULL;
}

static void
put_side_by_side(GString *out, const Layout *layout, const GPtrArray *cells)
{
	g_autoptr(GString) line = g_string_new(" ");

	for (size_t i = 0; i < layout->labels; i++) {
		g_string_append(line, indent_of(i == 0 ? 0 : GAP));
		lines_append(line, cells->pdata[i], layout->widths[i], FALSE);
	}
	put_rest(line, layout, cells);
	const char *prose = prose_of(layout, cells);
	if (prose != NULL && *prose != '\0') {
		g_string_append(line, indent_of(GAP));
		g_autofree char *wrapped = lines_wrap(
		    prose, line->str, indent_of(lines_width(line->str)), WIDTH);
		g_string_append(out, wrapped);
		return;
	}
	g_string_append(out, line->str);
	trim_line(out);
}

/* Labels on a line of their own, unless just these fit beside the rest. */
static void
put_stacked(GString *out, const Layout *layout, const GPtrArray *cells)
{
	g_autofree char *labels = joined_labels(layout, cells);
	g_autoptr(GString) rest = g_string_new(NULL);
	const char *prose = prose_of(layout, cells);

	put_rest(rest, layout, cells);
	const size_t width = lines_width(rest->str);
	const size_t room = WIDTH > width ? WIDTH - width : 0;
	if (prose == NULL && 1 + lines_width(labels) <= room) {
		g_string_append_c(out, ' ');
		lines_append(out, labels, room - 1, FALSE);
	} else if (*labels != '\0') {
		g_autofree char *own = lines_wrap(labels, " ", "   ", WIDTH);
		g_string_append(out, own);
		if (prose == NULL)
			g_string_append(out, indent_of(room));
	} else
		g_string_append(out, indent_of(room));
	if (prose == NULL) {
		g_string_append(out, rest->str);
		trim_line(out);
		return;
	}
	g_autofree char *wrapped =
	    lines_wrap(prose, indent_of(NOTE), indent_of(NOTE), WIDTH);
	g_string_append(out, wrapped);
}

static void
put_cells(GString *out, const Layout *layout, const GPtrArray *cells)
{
	if (layout->stacked)
		put_stacked(out, layout, cells);
	else
		put_side_by_side(out, layout, cells);
}

static void
put_table(GString *out, const Table *table)
{
	Layout layout;
	g_autoptr(GPtrArray) heads = g_ptr_array_new();
	gboolean headed = FALSE;

	layout_init(&layout, table);
	for (size_t i = 0; i < table->columns->len; i++) {
		char *head = column_at(table, i)->head;
		g_ptr_array_add(heads, head);
		headed = headed || *head != '\0';
	}
	if (headed)
		put_cells(out, &layout, heads);
	for (size_t i = 0; i < table->rows->len; i++) {
		const Row *row = table->rows->pdata[i];
		if (row->group) {
			if (i > 0)
				g_string_append_c(out, '\n');
			g_autofree char *title =
			    lines_wrap(row->cells->pdata[0], "", "   ", WIDTH);
			g_string_append(out, title);
			continue;
		}
		put_cells(out, &layout, row->cells);
		if (row->note == NULL)
			continue;
		g_autofree char *note = lines_wrap(
		    row->note, indent_of(NOTE), indent_of(NOTE), WIDTH);
		g_string_append(out, note);
	}
	g_free(layout.widths);
	g_free(layout.narrow);
}

static void
put_wrapped(
    GString *out, const char *text, const char *first, const char *others)
{
	g_autofree char *lines = lines_wrap(text, first, others, WIDTH);

	g_string_append(out, lines);
}

/* What follows without an empty line between. */
static gboolean
is_joined(BlockKind before, BlockKind kind)
{
	return before == BLOCK_HEADING || before == BLOCK_CAPTION ||
	    (before == kind &&
		(kind == BLOCK_ANSWER || kind == BLOCK_WARNING ||
		    kind == BLOCK_ITEM));
}

static void
put_block(GString *out, const Block *block)
{
	switch (block->kind) {
	case BLOCK_HEADING: {
		g_autofree char *upper = g_ascii_strup(block->text, -1);
		put_wrapped(out, upper, "", "");
		return;
	}
	case BLOCK_CAPTION:
	case BLOCK_ANSWER:
		put_wrapped(out, block->text, "", " ");
		return;
	case BLOCK_PARAGRAPH:
		put_wrapped(out, block->text, " ", " ");
		return;
	case BLOCK_WARNING:
		put_wrapped(out, block->text, " ! ", "   ");
		return;
	case BLOCK_ITEM:
		put_wrapped(out, block->text, " ", "   ");
		return;
	case BLOCK_PICTURE:
		g_string_append(out, block->text);
		return;
	case BLOCK_TABLE:
		put_table(out, block->table);
		return;
	}
	g_assert_not_reached();
}

static char *
render(const Analysis *analysis)
{
	g_autoptr(Document) document = document_new(analysis);
	GString *out = g_string_new(NULL);
	BlockKind before = BLOCK_HEADING;

	put_wrapped(out, document->subject, "Subject: ", "         ");
	g_string_append_c(out, '\n');
	for (size_t i = 0; i < document->blocks->len; i++) {
		const Block *block = document->blocks->pdata[i];
		if (i > 0 && !is_joined(before, block->kind))
			g_string_append_c(out, '\n');
		put_block(out, block);
		before = block->kind;
	}
	return g_string_free(out, FALSE);
}

const ReportFormat report_post = {
	.name = "post",
	.file = "post.txt",
	.render = render,
};
