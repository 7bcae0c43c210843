#include "report/document.h"

#include "report/sections.h"
#include "store/imported.h"

static void
column_free(gpointer item)
{
	g_free(((Column *)item)->head);
	g_free(item);
}

static void
row_free(gpointer item)
{
	Row *row = item;

	g_ptr_array_unref(row->cells);
	g_free(row->note);
	g_free(row);
}

static void
block_free(gpointer item)
{
	Block *block = item;

	if (block->table != NULL) {
		g_ptr_array_unref(block->table->columns);
		g_ptr_array_unref(block->table->rows);
		g_free(block->table);
	}
	g_free(block->text);
	g_free(block);
}

void
document_add(Document *document, BlockKind kind, const char *text)
{
	Block *block = g_new0(Block, 1);

	block->kind = kind;
	block->text = g_strdup(text);
	g_ptr_array_add(document->blocks, block);
}

void
document_addf(Document *document, BlockKind kind, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	document_add(document, kind, text);
}

Table *
document_add_table(Document *document)
{
	Block *block = g_new0(Block, 1);

	block->kind = BLOCK_TABLE;
	block->table = g_new0(Table, 1);
	block->table->columns = g_ptr_array_new_with_free_func(column_free);
	block->table->rows = g_ptr_array_new_with_free_func(row_free);
	g_ptr_array_add(document->blocks, block);
	return block->table;
}

void
table_column(Table *table, const char *head, ColumnKind kind)
{
	Column *column = g_new0(Column, 1);

	column->head = g_strdup(head);
	column->kind = kind;
	g_ptr_array_add(table->columns, column);
}

Row *
table_row(Table *table, const char *const *cells)
{
	Row *row = g_new0(Row, 1);

	row->cells = g_ptr_array_new_with_free_func(g_free);
	for (size_t i = 0; i < table->columns->len; i++)
		g_ptr_array_add(row->cells, g_strdup(cells[i]));
	g_ptr_array_add(table->rows, row);
	return row;
}

Row *
table_group(Table *table, const char *title)
{
	Row *row = g_new0(Row, 1);

	row->cells = g_ptr_array_new_with_free_func(g_free);
	row->group = TRUE;
	g_ptr_array_add(row->cells, g_strdup(title));
	g_ptr_array_add(table->rows, row);
	return row;
}

Document *
document_new(const Analysis *analysis)
{
	Document *document = g_new0(Document, 1);
	const gboolean imported = imported_from(analysis->data) != NULL;

	document->blocks = g_ptr_array_new_with_free_func(block_free);
	document->subject = section_subject(analysis);
	section_answer(document, analysis);
	section_contrasts(document, analysis);
	section_warnings(document, analysis);
	if (!imported && analysis->runs == 0) {
		section_nothing(document, analysis);
		section_again(document, analysis);
		return document;
	}
	if (imported)
		section_imported(document, analysis);
	else {
		section_compared(document, analysis);
		section_where(document, analysis);
		section_how(document, analysis);
		section_proved(document, analysis);
	}
	section_tables(document, analysis);
	section_pictures(document, analysis);
	section_failures(document, analysis);
	if (!imported)
		section_again(document, analysis);
	return document;
}

void
document_free(Document *document)
{
	if (document == NULL)
		return;
	g_free(document->subject);
	g_ptr_array_unref(document->blocks);
	g_free(document);
}
