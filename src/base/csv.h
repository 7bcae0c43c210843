/*
 * Records of comma separated values, after RFC 4180: a field may stand in
 * double quotes, in which commas, ends of lines and doubled quotes are text.
 * Lines end with LF or CR LF.  Empty lines, and lines that begin with '#', are
 * passed over; a byte order mark before the first is, too.  Pure.
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stddef.h>

#include <glib.h>

enum {
	CSV_FIELDS = 256,       /* of a record: more is no table of samples */
	CSV_FIELD_BYTES = 4096, /* names and numbers are short */
};

typedef struct {
	size_t line; /* that the last record began on, counted from 1 */
	/* Private. */
	const char *at, *end;
	size_t next_line;
} Csv;

/* Borrows the text. */
void csv_init(Csv *csv, const char *text, size_t length);
/*
 * The fields (char *) of the next record; unref them.  NULL at the end, and
 * with ABRUN_ERROR_USAGE where the text is none of that: csv->line is where.
 */
GPtrArray *csv_next(Csv *csv, GError **error);

#endif
