/* Files of numbers for abrun stat. */
#ifndef CMD_STAT_READ_H
#define CMD_STAT_READ_H

#include <glib.h>

#include "base/numbers.h"

/* How a file is called that is standard input. */
#define STAT_STDIN "<stdin>"

/*
 * Reads a file, "-" for standard input, into numbers that were initialised.
 * ABRUN_ERROR_USAGE with the file's name where that fails.
 */
bool stat_read(const char *path, Numbers *numbers, GError **error);

#endif
