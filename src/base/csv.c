#include "base/csv.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"

static const char byte_order_mark[] = "\xef\xbb\xbf";

void
csv_init(Csv *csv, const char *text, size_t length)
{
	const size_t mark = strlen(byte_order_mark);
	const bool marked =
	    length >= mark && memcmp(text, byte_order_mark, mark) == 0;

	*csv = (Csv){ .at = text + (marked ? mark : 0),
		.end = text + length,
		.next_line = 1 };
}

static bool G_GNUC_PRINTF(2, 3) refuse(GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error_literal(error, ABRUN_ERROR, ABRUN_ERROR_USAGE, text);
	return false;
}

/* The bytes of an end of line here: 0 where there is none. */
static size_t
line_end(const Csv *csv)
{
	if (csv->at == csv->end || *csv->at == '\n')
		return csv->at == csv->end ? 0 : 1;
	return *csv->at == '\r' && csv->at + 1 < csv->end && csv->at[1] == '\n'
	    ? 2
	    : 0;
}

/* To the closing quote, and over it. */
static bool
read_quoted(Csv *csv, GString *field, GError **error)
{
	for (csv->at++; csv->at < csv->end; csv->at++) {
		if (*csv->at == '"' &&
		    (csv->at + 1 == csv->end || csv->at[1] != '"')) {
			csv->at++;
			return csv->at == csv->end || *csv->at == ',' ||
			    line_end(csv) > 0 ||
			    refuse(error, "text follows a closing quote");
		}
		if (*csv->at == '"')
			csv->at++;
		if (*csv->at == '\n')
			csv->next_line++;
		g_string_append_c(field, *csv->at);
		if (field->len > CSV_FIELD_BYTES)
			break;
	}
	return refuse(
	    error, "a quote is not closed within %d bytes", CSV_FIELD_BYTES);
}

static bool
read_plain(Csv *csv, GString *field, GError **error)
{
	while (csv->at < csv->end && *csv->at != ',' && line_end(csv) == 0) {
		if (*csv->at == '"')
			return refuse(error, "a quote stands within a field");
		if (field->len == CSV_FIELD_BYTES)
			return refuse(error, "a field has more than %d bytes",
			    CSV_FIELD_BYTES);
		g_string_append_c(field, *csv->at++);
	}
	return true;
}

/* Names are shown, and stored as text. */
static bool
is_text(const GString *field, GError **error)
{
	for (size_t i = 0; i < field->len; i++)
		if (g_ascii_iscntrl(field->str[i]))
			return refuse(error,
			    "a field holds the control character \\x%02x",
			    (unsigned)(unsigned char)field->str[i]);
	if (!g_utf8_validate_len(field->str, field->len, NULL))
		return refuse(error, "a field is no UTF-8 text");
	return true;
}

/* One field, and the comma behind it: *more then. */
static bool
read_field(Csv *csv, GPtrArray *fields, bool *more, GError **error)
{
	g_autoptr(GString) field = g_string_new(NULL);
	const bool quoted = csv->at < csv->end && *csv->at == '"';

	if (fields->len == CSV_FIELDS)
		return refuse(error, "more than %d fields", CSV_FIELDS);
	if (!(quoted ? read_quoted : read_plain)(csv, field, error))
		return false;
	if (!is_text(field, error))
		return false;
	g_ptr_array_add(fields, g_strstrip(g_strdup(field->str)));
	*more = csv->at < csv->end && *csv->at == ',';
	csv->at += *more ? 1 : 0;
	return true;
}

static void
skip_line(Csv *csv)
{
	const char *end = memchr(csv->at, '\n', (size_t)(csv->end - csv->at));

	csv->at = end == NULL ? csv->end : end + 1;
	csv->next_line++;
}

/* Lines that hold no record. */
static void
skip_idle(Csv *csv)
{
	while (csv->at < csv->end && (*csv->at == '#' || line_end(csv) > 0))
		skip_line(csv);
}

GPtrArray *
csv_next(Csv *csv, GError **error)
{
	g_autoptr(GPtrArray) fields = g_ptr_array_new_with_free_func(g_free);
	bool more = true;

	skip_idle(csv);
	if (csv->at == csv->end)
		return NULL;
	csv->line = csv->next_line;
	while (more)
		if (!read_field(csv, fields, &more, error))
			return NULL;
	csv->at += line_end(csv);
	csv->next_line++;
	return g_steal_pointer(&fields);
}
