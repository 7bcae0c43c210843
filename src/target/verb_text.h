/*
 * How the verb protocol writes a value: \ TAB LF CR as \\ \t \n \r.  The files
 * that a host keeps for abrun are written so, too.  Pure.
 */
#ifndef TARGET_VERB_TEXT_H
#define TARGET_VERB_TEXT_H

#include <stddef.h>

#include <glib.h>

/* A value for a line "key<TAB>value"; free it. */
char *verb_escape(const char *value);
/*
 * The value of an escaped text; NULL if it holds what verb_escape() never
 * writes.  Free it.
 */
char *verb_unescape(const char *text, size_t length);

#endif
