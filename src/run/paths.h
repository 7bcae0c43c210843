/*
 * Small helpers on names and paths that several files of run/ need.
 */
#ifndef RUN_PATHS_H
#define RUN_PATHS_H

#include <glib.h>

/* The keys of a table of strings, sorted; borrowed, free the array alone. */
GPtrArray *paths_sorted(GHashTable *table);

#endif
