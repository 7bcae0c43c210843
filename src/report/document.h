/*
 * A report before it has a format: headings, paragraphs, warnings, tables and
 * pictures in order.  All text in it is printable (text_printable()); what a
 * format must escape is escaped when it is rendered.
 */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include <glib.h>

#include "analysis/analysis.h"

typedef enum {
	COLUMN_LABEL,  /* left; joined and put on a line of its own if long */
	COLUMN_NUMBER, /* right */
	COLUMN_WORD,   /* left, short */
	COLUMN_PROSE,  /* left, the last one, wrapped */
} ColumnKind;

typedef struct {
	char *head;
	ColumnKind kind;
} Column;

typedef struct {
	GPtrArray *cells; /* char *, one for each column */
	char *note;       /* stands under the row; NULL */
	gboolean group;   /* the first cell is a title of the rows below */
} Row;

typedef struct {
	GPtrArray *columns; /* Column */
	GPtrArray *rows;    /* Row */
} Table;

typedef enum {
	BLOCK_HEADING, /* "How" */
	BLOCK_CAPTION, /* of the table or picture that follows */
	BLOCK_ANSWER,  /* a paragraph that is not indented */
	BLOCK_PARAGRAPH,
	BLOCK_WARNING, /* what weakens the result */
	BLOCK_ITEM,    /* of a list */
	BLOCK_PICTURE, /* lines as they are */
	BLOCK_TABLE,
} BlockKind;

typedef struct {
	BlockKind kind;
	char *text;   /* NULL in a table */
	Table *table; /* else NULL */
} Block;

typedef struct {
	char *subject;
	GPtrArray *blocks; /* Block */
} Document;

/* Everything a report says, in order. */
Document *document_new(const Analysis *analysis);
void document_free(Document *document);

void document_add(Document *document, BlockKind kind, const char *text);
void document_addf(Document *document, BlockKind kind, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* Owned by the document. */
Table *document_add_table(Document *document);
void table_column(Table *table, const char *head, ColumnKind kind);
/* Cells are one for each column; the result is for note and group. */
Row *table_row(Table *table, const char *const *cells);
Row *table_group(Table *table, const char *title);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Document, document_free)

#endif
