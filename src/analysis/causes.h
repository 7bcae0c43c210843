/*
 * What failed, told once for all that failed alike wherever it was.  Pure.
 */
#ifndef ANALYSIS_CAUSES_H
#define ANALYSIS_CAUSES_H

#include <stddef.h>

#include <glib.h>

typedef struct {
	char *where, *what; /* of the first: "round 1, ULE", "failed: ..." */
	size_t times;       /* how often in all */
} Cause;

/* For Cause, in order of first use; free it. */
GPtrArray *causes_new(void);
/* Copies both. */
void causes_add(
    GPtrArray *causes, const char *where, const char *what, size_t times);

#endif
