#include "target/target.h"

#include "base/error.h"
#include "base/file.h"

/* Written by hand. */
enum { PROGRAM_BYTES = 1 << 20 };

/* The text of hooks/os/NAME.sh; free it. */
static char *
read_part(const char *matrix_path, const char *name, GError **error)
{
	g_autofree char *relative = g_strdup_printf("hooks/os/%s.sh", name);
	g_autofree char *path = matrix_find_file(matrix_path, relative);

	if (path != NULL)
		return file_read(path, PROGRAM_BYTES, NULL, error);
	g_autofree char *places = matrix_places(matrix_path, relative);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "there is no %s: looked for %s", relative, places);
	return NULL;
}

char *
target_program(const char *matrix_path, const char *os, GError **error)
{
	g_autofree char *common = read_part(matrix_path, "common", error);
	g_autofree char *own =
	    common == NULL ? NULL : read_part(matrix_path, os, error);

	return own == NULL ? NULL : g_strconcat(common, "\n", own, NULL);
}
