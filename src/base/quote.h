/*
 * Quoting for a remote shell that may be sh, bash, zsh, csh, tcsh or fish.
 * Inside '...' csh still expands ! and fish still reads \, so each of ' ! \
 * is written as \c between closed and reopened quotes.
 */
#ifndef BASE_QUOTE_H
#define BASE_QUOTE_H

#include <glib.h>

/*
 * The word, quoted for all of these shells; free it.  NULL with
 * ABRUN_ERROR_USAGE if it holds a newline, which csh cannot quote: such text
 * goes through standard input.
 */
char *quote_word(const char *word, GError **error);
/*
 * The word, quoted for a POSIX sh alone; any text, newlines included.  For
 * what goes through standard input to /bin/sh.  Free it.
 */
char *quote_sh(const char *word);

#endif
