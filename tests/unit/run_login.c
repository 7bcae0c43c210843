/*
 * run/login.h: what a later night keeps of a host is all that abrun restore
 * knows of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/login.h"

static void
keep(Store *store, const char *const *power, const char *key)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	const Host host = {
		.name = (char *)"box",
		.ssh = (char *)"root@box",
		.os = (char *)"freebsd",
		.key = (char *)key,
		.power = words,
		.power_timeout_ms = 90000,
		.power_rest_ms = 5000,
		.patience_ms = 60000,
	};

	for (; *power != NULL; power++)
		g_ptr_array_add(words, (gpointer)*power);
	assert_true(login_keep(store, 0, &host, "/lab/x.cfg", NULL));
}

static void
each_means_is_kept_with_its_times(void **state)
{
	static const char *const power[] = { "ipmi bmc", "command outlet 3",
		NULL };
	g_autoptr(Store) store = store_scratch(NULL);

	(void)state;
	assert_non_null(store);
	keep(store, power, "/lab/key");
	g_autoptr(Login) login = login_read(store, 0, NULL);
	assert_non_null(login);
	assert_string_equal(login->host.name, "box");
	assert_string_equal(login->matrix_path, "/lab/x.cfg");
	assert_string_equal(login->host.key, "/lab/key");
	assert_null(login->host.fingerprint);
	assert_int_equal(login->host.power->len, 2);
	assert_string_equal(login->host.power->pdata[0], "ipmi bmc");
	assert_string_equal(login->host.power->pdata[1], "command outlet 3");
	assert_int_equal(login->host.power_timeout_ms, 90000);
	assert_int_equal(login->host.power_rest_ms, 5000);
}

/* What the matrix does not give any more is not used. */
static void
what_is_not_given_is_kept_too(void **state)
{
	static const char *const power[] = { "ipmi bmc", NULL };
	static const char *const none[] = { NULL };
	g_autoptr(Store) store = store_scratch(NULL);

	(void)state;
	assert_non_null(store);
	keep(store, power, "/lab/key");
	keep(store, none, NULL);
	g_autoptr(Login) login = login_read(store, 0, NULL);
	assert_non_null(login);
	assert_int_equal(login->host.power->len, 0);
	assert_null(login->host.key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_means_is_kept_with_its_times),
		cmocka_unit_test(what_is_not_given_is_kept_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
