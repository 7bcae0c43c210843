/*
 * A local command whose output is kept while something else is done: each line
 * with the time it began at, in a file that is bounded.  A thread of its own
 * reads it; what is here is for the one that has started it.
 */
#ifndef BASE_FOLLOW_H
#define BASE_FOLLOW_H

#include <glib.h>

typedef struct Follow Follow;

/*
 * Runs a command of sh(1), in a process group of its own that ends with us,
 * even if we are killed; its output is added to the file at path, which is
 * there.  env ends with NULL.  NULL with ABRUN_ERROR_FAILED if it cannot be
 * started.
 */
Follow *follow_start(const char *command, const char *const *env,
    const char *path, GError **error);

/*
 * Ends it and all that it has started.  The last FOLLOW_LAST_BYTES of what it
 * printed, or less; free them.
 */
enum { FOLLOW_LAST_BYTES = 8192 };
char *follow_end(Follow *follow);

/*
 * The last lines of a text in one line, joined by " / ", which is not longer
 * than so many bytes, but for what cannot be printed; free it.
 */
char *follow_last_lines(const char *text, size_t bytes);

#endif
