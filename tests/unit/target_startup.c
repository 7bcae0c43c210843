#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/file.h"
#include "target/startup.h"

static Server
server_with(char *command, char *socket, int port)
{
	return (Server){ .kind = SERVER_COMMAND,
		.mysqld = true,
		.command = command,
		.socket = socket,
		.port = port };
}

static GPtrArray *
three_settings(void)
{
	static Setting settings[] = {
		{ .kind = SETTING_MYSQLD,
		    .name = (char *)"a_b",
		    .value = (char *)"it's" },
		{ .kind = SETTING_ENV,
		    .name = (char *)"MALLOC_CONF",
		    .value = (char *)"" },
		{ .kind = SETTING_PRELOAD,
		    .name = (char *)"",
		    .value = (char *)"/l/a.so" },
		{ .kind = SETTING_PRELOAD,
		    .name = (char *)"",
		    .value = (char *)"/l/b.so" },
		{ .kind = SETTING_CPUSET,
		    .name = (char *)"",
		    .value = (char *)"0-1" },
	};
	GPtrArray *list = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++)
		g_ptr_array_add(list, &settings[i]);
	return list;
}

static void
the_cells_options_come_last(void **state)
{
	Server server =
	    server_with((char *)"/sbin/mariadbd --a-b=1", (char *)"/t/s", 3307);
	g_autoptr(GPtrArray) settings = three_settings();

	(void)state;
	server.datadir = (char *)"/d d";

	g_autofree char *command = startup_command(&server, settings);

	assert_string_equal(command,
	    "/sbin/mariadbd --a-b=1 '--datadir=/d d' '--socket=/t/s' "
	    "'--port=3307' '--pid-file=abrun.pid' '--a_b=it'\\''s'");
	assert_string_equal(startup_cpus(settings), "0-1");
}

static void
a_server_with_a_socket_alone_has_no_port(void **state)
{
	Server with_socket = server_with((char *)"mariadbd", (char *)"/t/s", 0);
	Server with_nothing = server_with((char *)"mariadbd", NULL, 0);
	g_autoptr(GPtrArray) settings = g_ptr_array_new();

	(void)state;
	assert_int_equal(startup_port(&with_socket), 0);
	assert_int_equal(startup_port(&with_nothing), 3306);

	g_autofree char *one = startup_command(&with_socket, settings);
	g_autofree char *two = startup_command(&with_nothing, settings);

	assert_non_null(strstr(one, " --skip-networking "));
	assert_null(strstr(one, "--port"));
	assert_non_null(strstr(two, "'--port=3306'"));
}

static void
preloads_are_joined_and_empty_values_kept(void **state)
{
	g_autoptr(GPtrArray) settings = three_settings();
	g_autoptr(GPtrArray) environment = startup_environment(settings);

	(void)state;
	assert_int_equal(environment->len, 2);
	assert_string_equal(
	    startup_variable(environment, "LD_PRELOAD"), "/l/a.so:/l/b.so");
	assert_string_equal(startup_variable(environment, "MALLOC_CONF"), "");
	assert_null(startup_variable(environment, "MALLOC"));
	assert_null(startup_variable(environment, "MALLOC_CONF2"));
}

static void
a_socket_path_over_107_bytes_is_refused(void **state)
{
	g_autofree char *fits = g_strnfill(107, 'a');
	g_autofree char *too_long = g_strnfill(108, 'a');
	Server server = server_with((char *)"mariadbd", fits, 0);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(startup_check(&server, NULL));
	server.socket = too_long;
	assert_false(startup_check(&server, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	assert_non_null(strstr(error->message, "108 bytes"));
	assert_non_null(strstr(error->message, "107"));
}

/* What abrun says of logs that real servers left. */
static const struct {
	const char *file, *reason;
} logs[] = {
	{ "mariadb1011-badopt-1",
	    "mariadbd: Can't lock aria control file "
	    "'/var/lib/mysql/aria_log_control' for exclusive use, error: 11. "
	    "Will retry for 30 seconds ... InnoDB: Plugin initialization "
	    "aborted with error Generic error" },
	{ "mariadb1011-badopt-2",
	    "mariadbd: unknown variable 'no-such-option=1'" },
	{ "mariadb1011-port-1",
	    "Can't start server: Bind on TCP/IP port. Got error: 98: Address "
	    "already in use" },
	{ "mysql94-badopt-1", "unknown variable 'innodb_log_file_size=256M'." },
	{ "mysql80-lock-1",
	    "Unable to lock ./ibdata1 error: 11 ... Cannot open datafile "
	    "'./ibdata1'" },
	{ "mysql56-bind-1",
	    "Can't start server: Bind on TCP/IP port: Cannot assign requested "
	    "address" },
	{ "mysql55-socket-1",
	    "Can't start server : Bind on unix socket: Permission denied" },
	{ "mariadb-selinux-1",
	    "Cant start server: Bind on TCP/IP port. Got error: 13: Permission "
	    "denied" },
	{ "mariadb1011-rootuser-1",
	    "mariadbd: Please consult the MariaDB Documentation to find out "
	    "how to run mariadbd as root!" },
};

static void
logs_of_failed_starts_give_their_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(logs); i++) {
		g_autofree char *path = g_strconcat(
		    "tests/data/server-log/", logs[i].file, ".txt", NULL);
		size_t length = 0;
		g_autofree char *text = file_read(path, 1 << 20, &length, NULL);

		assert_non_null(text);

		/* The first line says where the log is from. */
		g_autofree char *reason =
		    startup_reason(strchr(text, '\n') + 1);

		assert_string_equal(reason, logs[i].reason);
	}
}

static void
a_log_without_errors_gives_its_last_line(void **state)
{
	(void)state;

	/* mariadbd rings the bell before some of its errors. */
	g_autofree char *bell = startup_reason(
	    "2026-11-30 16:14:25 0 [Note] x\n\amariadbd: Can't change dir\n");
	g_autofree char *nothing = startup_reason("");
	g_autofree char *shell =
	    startup_reason("2026-11-30 11:42:46 0 [Note] x\nsh: 1: exec: "
			   "mariadbd: not found\n");
	g_autofree char *escape =
	    startup_reason("[ERROR] a\033[2Jb\r\n[ERROR] Aborting\n");

	assert_string_equal(bell, "mariadbd: Can't change dir");
	assert_string_equal(nothing, "its log says nothing");
	assert_string_equal(shell, "sh: 1: exec: mariadbd: not found");
	assert_string_equal(escape, "a\\x1b[2Jb");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cells_options_come_last),
		cmocka_unit_test(a_server_with_a_socket_alone_has_no_port),
		cmocka_unit_test(preloads_are_joined_and_empty_values_kept),
		cmocka_unit_test(a_socket_path_over_107_bytes_is_refused),
		cmocka_unit_test(logs_of_failed_starts_give_their_reason),
		cmocka_unit_test(a_log_without_errors_gives_its_last_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
