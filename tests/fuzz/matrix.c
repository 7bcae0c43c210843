/*
 * Fuzz target: any bytes as a matrix.  With clang -fsanitize=fuzzer it hunts;
 * with tests/fuzz/replay.c it replays files.  Includes and load definitions
 * are read relative to the working directory, nothing is written.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "matrix/matrix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Matrix) matrix =
	    matrix_parse((const char *)data, size, "fuzz.cfg", &error);

	/* One or the other, and a report that says something. */
	if ((matrix == NULL) == (error == NULL))
		abort();
	if (error != NULL && *error->message == '\0')
		abort();
	if (matrix == NULL)
		return 0;
	g_autofree char *identity = matrix_identity_text(matrix);
	g_autofree char *not_yet = matrix_not_yet(matrix);
	g_autoptr(GPtrArray) subjects = matrix_subjects(matrix);
	if (identity == NULL || subjects == NULL)
		abort();
	return 0;
}
