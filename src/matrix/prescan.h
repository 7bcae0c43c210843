/*
 * Mistakes that libconfig 1.5 hides: it wraps large integers, joins strings
 * for want of a comma, takes an unterminated comment for the rest of the
 * file, drops a NUL character inside a string, and looks through all names of
 * a group for each new one.
 */
#ifndef MATRIX_PRESCAN_H
#define MATRIX_PRESCAN_H

#include <stdbool.h>

#include "matrix/mistakes.h"
#include "matrix/source.h"

/* False when a group is so large that libconfig should not be asked. */
bool prescan(const Source *source, Mistakes *mistakes);

#endif
