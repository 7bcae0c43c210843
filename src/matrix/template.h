/*
 * Templates: {name} in commands and in values of a load's keys.  Finding them
 * is all that a check needs; the load floor replaces them by the same rules:
 * {{ is a brace, ${X}, {print $1} and (in commands) \{ stay.
 */
#ifndef MATRIX_TEMPLATE_H
#define MATRIX_TEMPLATE_H

#include <stdbool.h>

#include <glib.h>

/* The names in the text, in order, each as often as it occurs (char *). */
GPtrArray *template_words(const char *text, bool is_command);
/*
 * The text with each {name} replaced by its value in the table of char * to
 * char *, quoted for sh in commands; unknown ones stay.  For looking at, not
 * for running.  Free it.
 */
char *template_fill(const char *text, bool is_command, GHashTable *values);

#endif
