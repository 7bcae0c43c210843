#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "target/control.h"

static void
what_passes_by_itself_is_tried_again(void **state)
{
	static const unsigned passing[] = { 1040, 1053, 1158, 1161, 1927, 2002,
		2003, 2006, 2013 };
	static const unsigned lasting[] = { 1044, 1045, 1049, 1064, 1193, 1698,
		2026, 2054, 2059, 2061 };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(passing); i++)
		assert_int_equal(
		    control_error_code(passing[i]), ABRUN_ERROR_HOST);
	for (size_t i = 0; i < G_N_ELEMENTS(lasting); i++)
		assert_int_equal(
		    control_error_code(lasting[i]), ABRUN_ERROR_FAILED);
}

static void
assert_refused(const char *path, const char *why)
{
	g_autoptr(GError) error = NULL;

	assert_false(control_check_option_file(path, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	assert_non_null(strstr(error->message, path));
	assert_non_null(strstr(error->message, why));
}

static void
an_option_file_must_be_ours_alone(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("abrun-unit-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "my.cnf", NULL);
	static const mode_t open_modes[] = { 0644, 0640, 0620, 0604, 0601 };

	(void)state;
	assert_refused(path, "No such file");
	assert_refused(dir, "no regular file");
	assert_true(g_file_set_contents(path, "[client]\n", -1, NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(open_modes); i++) {
		assert_int_equal(chmod(path, open_modes[i]), 0);
		assert_refused(path, "chmod 600");
	}
	assert_int_equal(chmod(path, 0600), 0);
	assert_true(control_check_option_file(path, NULL));
	assert_int_equal(chmod(path, 0400), 0);
	assert_true(control_check_option_file(path, NULL));
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 65534, 65534), 0);
		assert_refused(path, "must belong to the user");
	}
	(void)g_unlink(path);
	(void)g_rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_passes_by_itself_is_tried_again),
		cmocka_unit_test(an_option_file_must_be_ours_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
