/*
 * Whole files: read with a limit, write so that a reader sees the old or the
 * new one and never a half (temporary name, fsync, rename, fsync of the
 * directory).
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

/*
 * The contents of a regular file, followed by a NUL byte that does not count;
 * free them.  NULL with ABRUN_ERROR_USAGE when it cannot be read, is no
 * regular file or is larger than max_bytes.
 */
char *file_read(
    const char *path, size_t max_bytes, size_t *length, GError **error);
/* Mode as for open(2).  ABRUN_ERROR_STORE when it cannot be written. */
bool file_write(const char *path, const char *data, size_t length, int mode,
    GError **error);

#endif
