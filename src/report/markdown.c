#include <string.h>

#include "report/document.h"
#include "report/report.h"

/*
 * Escapes what Markdown would take for its own.  Underscores between letters
 * are text to it, and names are full of them.
 */
static void
put_text(GString *out, const char *text)
{
	for (const char *p = text; *p != '\0'; p++) {
		const gboolean inside = *p == '_' && p > text &&
		    g_ascii_isalnum(p[-1]) && g_ascii_isalnum(p[1]);
		if (!inside && strchr("\\`*_[]<>|#&~", *p) != NULL)
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p == '\n' ? ' ' : *p);
	}
}

/* At the start of a line a sign or "1." would begin a list. */
static void
put_start(GString *out, const char *text)
{
	const size_t digits = strspn(text, "0123456789");
	const char *after = text + digits;

	if (*text == '-' || *text == '+' || *text == '=')
		g_string_append_c(out, '\\');
	if (digits > 0 && (*after == '.' || *after == ')')) {
		g_string_append_len(out, text, (gssize)digits);
		g_string_append_c(out, '\\');
		text = after;
	}
	put_text(out, text);
}

static gboolean
has_notes(const Table *table)
{
	for (size_t i = 0; i < table->rows->len; i++)
		if (((const Row *)table->rows->pdata[i])->note != NULL)
			return TRUE;
	return FALSE;
}

/* One cell; runs of spaces that align in plain text are one here. */
static void
put_cell(GString *out, const char *text)
{
	g_autoptr(GString) plain = g_string_new(NULL);

	for (const char *p = text; *p != '\0'; p++)
		if (*p != ' ' ||
		    (plain->len > 0 && plain->str[plain->len - 1] != ' '))
			g_string_append_c(plain, *p);
	g_string_append_c(out, ' ');
	put_text(out, plain->str);
	g_string_append(out, " |");
}

static void
put_row(GString *out, const Table *table, const Row *row, gboolean notes)
{
	g_string_append_c(out, '|');
	if (row->group) {
		g_string_append(out, " **");
		put_text(out, row->cells->pdata[0]);
		g_string_append(out, "** |");
		for (size_t i = 1; i < table->columns->len; i++)
			g_string_append(out, " |");
	} else
		for (size_t i = 0; i < row->cells->len; i++)
			put_cell(out, row->cells->pdata[i]);
	if (notes)
		put_cell(out, row->note == NULL ? "" : row->note);
	g_string_append_c(out, '\n');
}

static void
put_table(GString *out, const Table *table)
{
	const gboolean notes = has_notes(table);

	g_string_append_c(out, '|');
	for (size_t i = 0; i < table->columns->len; i++)
		put_cell(out, ((const Column *)table->columns->pdata[i])->head);
	g_string_append(out, notes ? " remarks |\n|" : "\n|");
	for (size_t i = 0; i < table->columns->len; i++) {
		const Column *column = table->columns->pdata[i];
		g_string_append(
		    out, column->kind == COLUMN_NUMBER ? "---:|" : "---|");
	}
	g_string_append(out, notes ? "---|\n" : "\n");
	for (size_t i = 0; i < table->rows->len; i++)
		put_row(out, table, table->rows->pdata[i], notes);
}

/* A fence longer than any run of backticks in it. */
static void
put_picture(GString *out, const char *text)
{
	size_t longest = 2, run = 0;

	for (const char *p = text; *p != '\0'; p++) {
		run = *p == '`' ? run + 1 : 0;
		longest = MAX(longest, run);
	}
	g_autofree char *fence = g_strnfill(longest + 1, '`');
	g_string_append_printf(out, "%s\n%s%s\n", fence, text, fence);
}

static void
put_line(GString *out, const char *before, const char *text)
{
	g_string_append(out, before);
	put_start(out, text);
	g_string_append_c(out, '\n');
}

static void
put_block(GString *out, const Block *block)
{
	switch (block->kind) {
	case BLOCK_HEADING:
		put_line(out, "## ", block->text);
		return;
	case BLOCK_CAPTION:
		put_line(out, "### ", block->text);
		return;
	case BLOCK_ANSWER:
	case BLOCK_PARAGRAPH:
		put_line(out, "", block->text);
		return;
	case BLOCK_WARNING:
		put_line(out, "- **!** ", block->text);
		return;
	case BLOCK_ITEM:
		put_line(out, "- ", block->text);
		return;
	case BLOCK_PICTURE:
		put_picture(out, block->text);
		return;
	case BLOCK_TABLE:
		put_table(out, block->table);
		return;
	}
	g_assert_not_reached();
}

static gboolean
is_list(BlockKind kind)
{
	return kind == BLOCK_WARNING || kind == BLOCK_ITEM;
}

static char *
render(const Analysis *analysis)
{
	g_autoptr(Document) document = document_new(analysis);
	GString *out = g_string_new(NULL);
	BlockKind before = BLOCK_HEADING;

	put_line(out, "# ", document->subject);
	for (size_t i = 0; i < document->blocks->len; i++) {
		const Block *block = document->blocks->pdata[i];
		if (!is_list(block->kind) || block->kind != before)
			g_string_append_c(out, '\n');
		put_block(out, block);
		before = block->kind;
	}
	return g_string_free(out, FALSE);
}

const ReportFormat report_markdown = {
	.name = "md",
	.file = "report.md",
	.render = render,
};
