/*
 * Mistakes that libconfig 1.5 hides: it wraps large integers, joins strings
 * for want of a comma, takes an unterminated comment for the rest of the
 * file, and drops a NUL character inside a string.
 */
#ifndef MATRIX_PRESCAN_H
#define MATRIX_PRESCAN_H

#include "matrix/mistakes.h"
#include "matrix/source.h"

void prescan(const Source *source, Mistakes *mistakes);

#endif
