/*
 * Groups { factor = names } of the design, looked up in the factors of a
 * matrix.  Private to plan/.
 */
#ifndef PLAN_PATTERN_H
#define PLAN_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "matrix/matrix.h"

/* A CellPattern, looked up: which levels of each factor it matches. */
typedef struct {
	size_t n_factors;
	bool **match; /* by factor, then level; NULL = any level */
} Pattern;

/*
 * ABRUN_ERROR_USAGE where it names what is not there; key is that of the
 * design, for the message.
 */
Pattern *pattern_new(const Matrix *matrix, const CellPattern *source,
    const char *key, GError **error);
void pattern_free(Pattern *pattern);

/* Levels are indices, one for each factor. */
bool pattern_matches(const Pattern *pattern, const size_t *levels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Pattern, pattern_free)

#endif
