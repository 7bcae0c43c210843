#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

static char *directory;

static char *
path_of(const char *name)
{
	return g_build_filename(directory, name, NULL);
}

static int
make_directory(void **state)
{
	(void)state;
	directory = g_dir_make_tmp("abrun-file.XXXXXX", NULL);
	return directory == NULL;
}

static int
remove_directory(void **state)
{
	static const char *const names[] = { "a", "a.new", "link", "target" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = path_of(names[i]);
		(void)g_unlink(path);
	}
	const int status = g_rmdir(directory);
	g_free(directory);
	return status;
}

static void
what_was_written_is_read(void **state)
{
	g_autofree char *path = path_of("a");
	struct stat info;
	size_t length = 0;

	(void)state;
	assert_true(file_write(path, "one\0two", 7, 0600, NULL));
	g_autofree char *data = file_read(path, 7, &length, NULL);
	assert_int_equal(length, 7);
	assert_memory_equal(data, "one\0two", 8);
	assert_int_equal(g_stat(path, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
	assert_true(file_write(path, "", 0, 0600, NULL));
	g_autofree char *empty = file_read(path, 0, &length, NULL);
	assert_string_equal(empty, "");
	assert_int_equal(length, 0);
}

static void
a_file_that_is_too_large_is_refused(void **state)
{
	g_autofree char *path = path_of("a");
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(file_write(path, "12345678", 8, 0600, NULL));
	assert_null(file_read(path, 7, NULL, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	assert_true(g_str_has_suffix(error->message, "larger than 7 bytes"));
}

static void
what_is_no_file_is_refused(void **state)
{
	g_autofree char *missing = path_of("missing");
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(file_read(directory, 100, NULL, &error));
	assert_true(g_str_has_suffix(error->message, "not a regular file"));
	g_clear_error(&error);
	assert_null(file_read("/dev/zero", 100, NULL, &error));
	assert_true(g_str_has_suffix(error->message, "not a regular file"));
	g_clear_error(&error);
	assert_null(file_read(missing, 100, NULL, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
}

static void
a_write_that_fails_leaves_the_old_file(void **state)
{
	g_autofree char *path = path_of("a");
	g_autofree char *temporary = path_of("a.new");
	g_autofree char *target = path_of("target");
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(file_write(path, "old", 3, 0600, NULL));
	/* Nobody's link leads the new text elsewhere. */
	assert_int_equal(symlink(target, temporary), 0);
	assert_false(file_write(path, "new", 3, 0600, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	g_autofree char *data = file_read(path, 100, NULL, NULL);
	assert_string_equal(data, "old");
	assert_false(g_file_test(target, G_FILE_TEST_EXISTS));
	assert_true(file_write(path, "new", 3, 0600, NULL));
	g_autofree char *after = file_read(path, 100, NULL, NULL);
	assert_string_equal(after, "new");
	assert_false(g_file_test(temporary, G_FILE_TEST_EXISTS));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(a_file_that_is_too_large_is_refused),
		cmocka_unit_test(what_is_no_file_is_refused),
		cmocka_unit_test(a_write_that_fails_leaves_the_old_file),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
