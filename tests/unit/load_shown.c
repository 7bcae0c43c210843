#include "load_case.h"

#include <sys/stat.h>

static void
assert_shown(const char *command, const char *wanted)
{
	g_autofree char *shown = load_shown_command(command);

	assert_string_equal(shown, wanted);
}

static void
a_plain_command_loses_needless_quotes_alone(void **state)
{
	(void)state;
	assert_shown("make", "make");
	assert_shown("exec ./x -c 'a' --n='4' -m 'b c' ''",
	    "./x -c a --n=4 -m 'b c' ''");
	assert_shown(
	    "x 'it'\\''s' '$HOME' \"'a'\"", "x 'it'\\''s' '$HOME' \"'a'\"");
	assert_shown("cd 'd'; exec make 'all'", "cd d; exec make all");
	assert_shown("exec a\nb", "exec a\nb");
}

static void
what_sh_puts_together_is_put_together(void **state)
{
	(void)state;
	assert_shown("eval set -- ''; exec x \"$@\" run", "x run");
	assert_shown("eval set -- ''; exec x run \"$@\"", "x run ");
	assert_shown("eval set -- '-a '\\''b c'\\'''; exec x \"$@\" run",
	    "x -a 'b c' run");
	assert_shown("if [ -n '/s' ]; then set -- -S '/s'; else set -- -h 'h'; "
		     "fi; exec x \"$@\"",
	    "x -S /s");
	assert_shown(
	    "if [ -n '' ]; then set -- -S ''; else set -- -h 'h;'; fi; "
	    "exec x \"$@\"",
	    "x -h 'h;'");
	assert_shown(
	    "eval set -- '-v'; if [ -n '' ]; then set -- \"$@\" 1; else "
	    "set -- \"$@\" 2; fi; exec x \"$@\" 3",
	    "x -v 2 3");
}

static void
what_is_of_another_shape_stays(void **state)
{
	static const char *const commands[] = {
		"if [ -n '' ]; then true; else false; fi; x",
		"if [ -n '' ]; then set -- a; fi; x \"$@\"",
		"eval set -- \"$x\"; x; y",
		"for i in 1 2; do x; done",
		"eval set -- 'open",
		"set -- 'a b'; x \"$@\"; y",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		assert_shown(commands[i], commands[i]);
}

/* What a program in its place is called with, one argument a line. */
static char *
arguments(const char *directory, const char *command)
{
	g_autofree char *line =
	    g_strdup_printf("PATH=%s:$PATH; %s", directory, command);
	const char *argv[] = { "/bin/sh", "-c", line, NULL };
	char *out = NULL;

	assert_true(g_spawn_sync(
	    NULL, (char **)argv, NULL, 0, NULL, NULL, &out, NULL, NULL, NULL));
	return out;
}

/* A definition, and the keys that it cannot do without. */
static const struct {
	const char *name;
	const char *keys[6];
} definitions[] = {
	{ "sysbench", { "test", "oltp_read_only" } },
	{ "mysqlslap", { "query", "select 'a;b'", "queries", "100" } },
	{ "pgbench", { NULL } },
	{ "super-smack",
	    { "smack", "s.smack", "clients", "1", "rounds", "2" } },
};

static void
compare(const char *directory, size_t index, const char *socket,
    const char *options)
{
	LoadCase test;
	g_autoptr(GHashTable) builtin = case_builtin();
	const char *const *keys = definitions[index].keys;

	case_open(&test, definitions[index].name);
	for (size_t i = 0; i < 6 && keys[i] != NULL; i += 2)
		case_key(&test, keys[i], keys[i + 1]);
	case_key(&test, "options", options);
	load_set_value(builtin, "socket", socket);
	test.values = load_values(&test.load, builtin, NULL, &test.error);
	assert_non_null(test.values);
	g_autofree char *command =
	    load_expand_command(test.load.command, test.values, NULL);
	g_autofree char *shown = load_shown_command(command);
	if (!g_str_has_prefix(shown, test.load.def->tool) ||
	    strstr(shown, "set --") != NULL)
		fail_msg("nobody would type %s", shown);
	g_autofree char *wanted = arguments(directory, command);
	g_autofree char *seen = arguments(directory, shown);
	assert_true(g_str_has_prefix(wanted, "called\n"));
	assert_string_equal(seen, wanted);
	case_close(&test);
}

static void
shown_commands_do_what_those_of_the_definitions_do(void **state)
{
	static const char script[] =
	    "#!/bin/sh\nprintf '%s\\n' called \"$@\"\n";
	static const char *const options[] = { "", "-v",
		"--a='b c' \"d;e\" f\\'g" };
	g_autofree char *directory = g_dir_make_tmp("abrun-XXXXXX", NULL);

	(void)state;
	assert_non_null(directory);
	for (size_t i = 0; i < G_N_ELEMENTS(definitions); i++) {
		g_autofree char *tool =
		    g_build_filename(directory, definitions[i].name, NULL);
		assert_true(
		    file_write(tool, script, strlen(script), 0700, NULL));
		for (size_t j = 0; j < G_N_ELEMENTS(options); j++) {
			compare(directory, i, "/tmp/s", options[j]);
			compare(directory, i, "", options[j]);
		}
		assert_int_equal(remove(tool), 0);
	}
	assert_int_equal(remove(directory), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_command_loses_needless_quotes_alone),
		cmocka_unit_test(what_sh_puts_together_is_put_together),
		cmocka_unit_test(what_is_of_another_shape_stays),
		cmocka_unit_test(
		    shown_commands_do_what_those_of_the_definitions_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
