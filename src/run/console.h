/*
 * What a host's console prints around a boot, by the command that the matrix
 * gives: kept below raw/, its last lines told where the boot fails.
 */
#ifndef RUN_CONSOLE_H
#define RUN_CONSOLE_H

#include <stdbool.h>

#include "base/follow.h"
#include "run/worker.h"

/* Kind of the events that have its last lines. */
#define CONSOLE_EVENT "console"

typedef struct {
	Follow *follow; /* NULL: the matrix gives none, or it did not start */
	char *path;     /* of what is kept */
} Console;

/*
 * From now on; what says which boot it is, for the name of the file.  A console
 * that cannot be had is an event and no failure.
 */
void console_open(Worker *worker, const char *what, Console *console);
/* Ends it; failed tells of a boot that is to be explained. */
void console_close(Worker *worker, Console *console, bool failed);

#endif
