/*
 * Templates: {name} in commands and in values of a load's keys.  Only
 * { letters, digits, _ } is a template: ${X}, {print $1}, {a,b} and {} stay,
 * and in commands so does what follows a backslash.  {{ is one brace, so
 * {{print} is how awk's {print} is written; } needs no such thing and }}
 * stays as it is.
 */
#ifndef MATRIX_TEMPLATE_H
#define MATRIX_TEMPLATE_H

#include <stdbool.h>

#include <glib.h>

/* The names in the text, in order, each as often as it occurs (char *). */
GPtrArray *template_words(const char *text, bool is_command);
/*
 * The text with each {name} replaced by its value in the table of char * to
 * char *.  In commands it is quoted for sh: a whole word where the command has
 * no quotes around it, and the right escapes where it has.  Free it.
 *
 * A name that the table lacks stays; the first such is put into *unknown,
 * which may be NULL.  Free that too.
 */
char *template_fill(
    const char *text, bool is_command, GHashTable *values, char **unknown);

#endif
