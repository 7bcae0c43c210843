/*
 * Small arithmetic on numbers of a load's output: "transactions / seconds".
 * Names, numbers, * / + - and ( ), with the usual precedence.
 */
#ifndef MATRIX_FORMULA_H
#define MATRIX_FORMULA_H

#include <stdbool.h>

#include <glib.h>

/*
 * Gives the value of a name.  False when there is none: with error set when
 * that is a mistake, without when the formula just cannot be computed.
 */
typedef bool (*FormulaName)(
    const char *name, void *data, double *value, GError **error);

/*
 * False with ABRUN_ERROR_USAGE for what is no formula, with ABRUN_ERROR_FAILED
 * for a result that is not finite, with what name() said, or without an error
 * when name() had no value.
 */
bool formula_compute(const char *text, FormulaName name, void *data,
    double *value, GError **error);

#endif
