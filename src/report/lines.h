/*
 * Text laid out in columns of a terminal or a mail: what a character takes
 * there, wrapping that loses nothing, padding.  All results are to be freed.
 */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include <stddef.h>

#include <glib.h>

/* Columns: wide characters count two, combining ones none. */
size_t lines_width(const char *text);
/*
 * Wraps at width columns: the first line after one indent, the others after
 * another.  Words too long for a line are broken where it ends; "%" stays
 * with its number; a newline begins a new line.  Every line ends with '\n'.
 */
char *lines_wrap(
    const char *text, const char *first, const char *others, size_t width);
/* Spaces to the given width are added, before the text or after it. */
void lines_append(GString *out, const char *text, size_t width, gboolean right);

#endif
