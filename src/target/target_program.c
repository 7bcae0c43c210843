#include "target/target.h"

#include "base/failure.h"
#include "base/file.h"

/* Written by hand. */
enum { PROGRAM_BYTES = 1 << 20 };

/* The text of hooks/os/NAME.sh, empty if it need not be there; free it. */
static char *
read_part(
    const char *matrix_path, const char *name, bool needed, GError **error)
{
	g_autofree char *relative = g_strdup_printf("hooks/os/%s.sh", name);
	g_autofree char *path = matrix_find_file(matrix_path, relative);

	if (path != NULL)
		return file_read(path, PROGRAM_BYTES, NULL, error);
	if (!needed)
		return g_strdup("");
	g_autofree char *places = matrix_places(matrix_path, relative);
	failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
	    "there is no %s: looked for %s", relative, places);
	return NULL;
}

char *
target_program(const char *matrix_path, const char *os, GError **error)
{
	g_autofree char *boot = g_strconcat(os, "-boot", NULL);
	const char *const names[] = { "common", os, boot };
	g_autoptr(GString) program = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *part =
		    read_part(matrix_path, names[i], names[i] != boot, error);
		if (part == NULL)
			return NULL;
		g_string_append(program, part);
		g_string_append_c(program, '\n');
	}
	return g_string_free(g_steal_pointer(&program), FALSE);
}
