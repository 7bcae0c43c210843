/*
 * The rows of super-smack's gen-data, byte for byte, on every system.
 *
 * gen-data draws with the C library's rand() and never seeds it, so the file
 * it makes depends on the system; the files in use are those of glibc.  Here
 * is glibc's own generator with its seed 1: additive feedback over 31 words,
 * r[i] = r[i-3] + r[i-31], of which the first 310 are dropped and the lowest
 * bit is never given.  The stock format and 90000 rows give 5421337 bytes,
 * md5 f0d0fcc1c0b95d390b5d6155e8d2309c.
 *
 * Pure; a GenData is for one thread.
 */
#ifndef ABLOAD_GENDATA_H
#define ABLOAD_GENDATA_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef struct GenData GenData;

/*
 * For a format of gen-data: text, %% for %, %s letters, %n the row's number
 * from 1, %d a number; %M-Ns letters of M to N - 1 length, or of M where M = N.
 * NULL with ABRUN_ERROR_USAGE for any other % and for lengths over 4096.
 */
GenData *gendata_new(const char *format, GError **error);
void gendata_free(GenData *data);
/* Appends the next row, as it is without a newline. */
void gendata_row(GenData *data, GString *row);

/*
 * Reads a shell's command "[PATH/]gen-data -n ROWS -f FORMAT" with the quotes
 * of sh.  True and *format (free it) where it is that; false for any other.
 */
bool gendata_command(const char *command, uint64_t *rows, char **format);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GenData, gendata_free)

#endif
