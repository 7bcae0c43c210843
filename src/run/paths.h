/*
 * Small helpers on names and paths that several files of run/ need.
 */
#ifndef RUN_PATHS_H
#define RUN_PATHS_H

#include <glib.h>

/* The keys of a table of strings, sorted; borrowed, free the array alone. */
GPtrArray *paths_sorted(GHashTable *table);
/*
 * A path of the matrix as a path from here: relative ones are relative to the
 * matrix file, ~/ is the home directory.  NULL stays NULL; free it.
 */
char *paths_from_matrix(const char *matrix_path, const char *path);

#endif
