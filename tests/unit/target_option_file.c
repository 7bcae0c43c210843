#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <glib.h>
#include <glib/gstdio.h>

#include "base/error.h"
#include "target/option_file.h"

static void
assert_refused(const char *path, const char *why)
{
	g_autoptr(GError) error = NULL;

	assert_false(option_file_check(path, &error));
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
	assert_true(option_file_check(path, NULL));
	assert_int_equal(chmod(path, 0400), 0);
	assert_true(option_file_check(path, NULL));
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 65534, 65534), 0);
		assert_refused(path, "must belong to the user");
	}
	(void)g_unlink(path);
	(void)g_rmdir(dir);
}

/* As the client library of MariaDB 10.11.19 was seen to take them. */
static void
a_password_is_the_one_the_client_library_reads(void **state)
{
	static const struct {
		const char *text;
		const char *password;
	} known[] = {
		{ "[client]\npassword=abc\n", "abc" },
		{ "[client]\npassword = \"a b\" \n", "a b" },
		{ "[client]\n password\t=\tx", "x" },
		{ "[client]\npassword='a#b'\n", "a#b" },
		{ "[client]\npassword=a#b\n", "a#b" },
		{ "[client]\npassword=a;b\n", "a;b" },
		{ "[client]\npassword=\"a\\\"b\"\n", "a\"b" },
		{ "[client]\npassword=a\\sb\\\\c\n", "a b\\c" },
		{ "[client]\npassword=\"it's\"\n", "it's" },
		{ "[client]\npassword=\"a\n", "a" },
		{ "[client]\npassword\n", "" },
		{ "[client]\npassword=\n", "" },
		{ "[client]\nPassword=x\n", "" },
		{ "[client]\npasswordx=y\n", "" },
		{ "[mysqld]\npassword=b\n", "" },
		{ "[client]\npassword=a\n[mysqld]\npassword=b\n"
		  "[client-server]\npassword=c\n",
		    "c" },
		{ "[client]\npassword=a\n\n[client]\n  password=b\n"
		  ";password=d\n#password=e\n",
		    "b" },
		{ "[client]\r\npassword=a\r\nskip-ssl\r\n", "a" },
		{ "!includedir /etc/mysql\n[client]\nskip-ssl\npassword=a",
		    "a" },
		{ "", "" },
	};
	g_autofree char *dir = g_dir_make_tmp("abrun-unit-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "my.cnf", NULL);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		assert_true(g_file_set_contents(path, known[i].text, -1, NULL));
		assert_int_equal(chmod(path, 0600), 0);
		g_autofree char *password = option_file_password(path, NULL);
		assert_string_equal(password, known[i].password);
	}
	assert_int_equal(chmod(path, 0640), 0);
	assert_null(option_file_password(path, NULL));
	(void)g_unlink(path);
	(void)g_rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_option_file_must_be_ours_alone),
		cmocka_unit_test(
		    a_password_is_the_one_the_client_library_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
