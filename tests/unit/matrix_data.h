/*
 * Matrices of tests/data/matrix, and texts as if they lay there.
 */
#ifndef TESTS_MATRIX_DATA_H
#define TESTS_MATRIX_DATA_H

#include <string.h>

#include <glib.h>

#include "matrix/matrix.h"

static inline Matrix *
load(const char *name)
{
	g_autofree char *path = g_strdup_printf("tests/data/matrix/%s", name);
	GError *error = NULL;
	Matrix *matrix = matrix_load(path, &error);

	if (matrix == NULL)
		fail_msg("%s", error->message);
	return matrix;
}

/* Text beside the other files of the tests. */
static inline Matrix *
parse(const char *text)
{
	GError *error = NULL;
	Matrix *matrix =
	    matrix_parse(text, strlen(text), "tests/data/matrix/t.cfg", &error);

	if (matrix == NULL)
		fail_msg("%s", error->message);
	return matrix;
}

#endif
