/*
 * Fuzz target: any bytes as a load definition.  Either it is read, or there
 * is a report that says why not.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "matrix/loaddef_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(LoadDef) def =
	    loaddef_parse((const char *)data, size, "fuzz.cfg", "fuzz", &error);

	if ((def == NULL) == (error == NULL))
		abort();
	if (error != NULL && *error->message == '\0')
		abort();
	return 0;
}
