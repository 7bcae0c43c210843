/*
 * Each tests/data/matrix-errors/NAME.cfg has a mistake, and NAME.err the exact
 * message, with paths as seen from that directory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/file.h"
#include "matrix/matrix.h"

#define DIRECTORY "tests/data/matrix-errors"

static int
by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
list_files(void)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GDir *directory = g_dir_open(DIRECTORY, 0, NULL);

	assert_non_null(directory);
	for (const char *name = g_dir_read_name(directory); name != NULL;
	     name = g_dir_read_name(directory))
		if (g_str_has_suffix(name, ".cfg"))
			g_ptr_array_add(
			    names, g_strndup(name, strlen(name) - 4));
	g_dir_close(directory);
	g_ptr_array_sort(names, by_name);
	return names;
}

/* The message without what depends on where the test runs. */
static char *
localized(const char *message)
{
	GString *text = g_string_new(message);

	(void)g_string_replace(text, ", hooks/", ", ./hooks/", 0);
	(void)g_string_replace(text, DIRECTORY "/", "", 0);
	(void)g_string_replace(text, SHAREDIR, "SHAREDIR", 0);
	return g_string_free(text, FALSE);
}

static bool
check(const char *name)
{
	g_autofree char *path = g_strdup_printf("%s/%s.cfg", DIRECTORY, name);
	g_autofree char *wanted_path =
	    g_strdup_printf("%s/%s.err", DIRECTORY, name);
	g_autofree char *wanted = file_read(wanted_path, 1 << 20, NULL, NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(Matrix) matrix = matrix_load(path, &error);

	if (matrix != NULL || wanted == NULL || error->domain != ABRUN_ERROR ||
	    error->code != ABRUN_ERROR_USAGE) {
		print_error("%s: %s\n", name,
		    wanted == NULL ? "has no .err" : "is not refused");
		return false;
	}
	g_autofree char *message = localized(error->message);
	g_autofree char *seen = g_strconcat(message, "\n", NULL);
	if (strcmp(seen, wanted) == 0)
		return true;
	print_error("%s\n wanted: %s said:   %s", name, wanted, seen);
	return false;
}

static void
each_mistake_has_its_exact_message(void **state)
{
	g_autoptr(GPtrArray) names = list_files();
	size_t wrong = 0;

	(void)state;
	assert_true(names->len >= 50);
	for (guint i = 0; i < names->len; i++)
		wrong += !check(g_ptr_array_index(names, i));
	assert_int_equal(wrong, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_mistake_has_its_exact_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
