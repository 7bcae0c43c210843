/*
 * How far the night is: one line with the time left on a terminal, plain
 * lines in a log.  Safe from several threads.
 */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include <stddef.h>

#include <glib.h>

typedef struct Progress Progress;

/* visits: how many are to be done, over all targets. */
Progress *progress_new(size_t visits);
void progress_free(Progress *progress);
/* So many visits more than were planned. */
void progress_more(Progress *progress, size_t visits);
/* A visit has ended, or need not be done. */
void progress_visit(Progress *progress);
/* What target is doing now, for the progress line. */
void progress_now(Progress *progress, const char *target, const char *what);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Progress, progress_free)

#endif
