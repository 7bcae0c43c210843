#include "load_case.h"

#include "base/error.h"

static void
assert_expands(bool is_command, const char *text, const char *wanted)
{
	g_autoptr(GHashTable) values = load_new_values();
	GError *error = NULL;

	load_set_value(values, "plain", "word");
	load_set_value(values, "hard", "it's \"$HOME\" `x` \\");
	load_set_value(values, "none", NULL);
	load_set_value(values, "threads", "4");
	g_autofree char *seen = is_command
	    ? load_expand_command(text, values, &error)
	    : load_expand_value(text, values, &error);
	if (seen == NULL)
		fail_msg("%s", error->message);
	assert_string_equal(seen, wanted);
}

static void
only_braces_around_a_name_are_templates(void **state)
{
	static const char *const stay[] = { "", "${X}", "${X:-1}", "{print $1}",
		"{a,b}", "{}", "{ plain }", "{1}", "{plain", "plain}", "}}",
		"{", "${plain}", "a $", "{-plain}" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(stay); i++) {
		assert_expands(true, stay[i], stay[i]);
		assert_expands(false, stay[i], stay[i]);
	}
	assert_expands(false, "{{plain}", "{plain}");
	assert_expands(false, "{{{plain}}", "{word}");
	assert_expands(false, "{plain}{plain}", "wordword");
	assert_expands(false, "${{plain}", "${word");
	assert_expands(false, "{{{{", "{{");
}

static void
values_of_keys_are_not_quoted(void **state)
{
	(void)state;
	assert_expands(false, "--threads={threads} {hard}",
	    "--threads=4 it's \"$HOME\" `x` \\");
	assert_expands(false, "\\{plain}", "\\word");
}

static void
values_in_commands_are_one_word_whatever_surrounds_them(void **state)
{
	(void)state;
	assert_expands(true, "a {plain} {none}", "a 'word' ''");
	assert_expands(true, "a --x={plain}", "a --x='word'");
	assert_expands(true, "{hard}", "'it'\\''s \"$HOME\" `x` \\'");
	assert_expands(
	    true, "\"{hard}\"", "\"it's \\\"\\$HOME\\\" \\`x\\` \\\\\"");
	assert_expands(true, "'{hard}'", "'it'\\''s \"$HOME\" `x` \\'");
	assert_expands(true, "\"'\" {plain}", "\"'\" 'word'");
	assert_expands(true, "\\' {plain}", "\\' 'word'");
	assert_expands(true, "\\{plain}", "\\{plain}");
	assert_expands(true, "\"\\\"\" {plain}", "\"\\\"\" 'word'");
	assert_expands(true, "'\\' {plain}", "'\\' 'word'");
}

static void
sh_reads_the_value_back(void **state)
{
	static const char *const commands[] = { "printf %s {value}",
		"printf %s \"{value}\"", "printf %s '{value}'",
		"x={value}; printf %s \"$x\"" };
	static const char value[] =
	    " a'b\"c$HOME`id`\\n\\\\ *\n{plain} !x # ;&|<>(){} ~";

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++) {
		g_autoptr(GHashTable) values = load_new_values();
		g_autofree char *out = NULL;
		load_set_value(values, "value", value);
		g_autofree char *command =
		    load_expand_command(commands[i], values, NULL);
		const char *argv[] = { "/bin/sh", "-c", command, NULL };
		assert_true(g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL,
		    NULL, &out, NULL, NULL, NULL));
		assert_string_equal(out, value);
	}
}

static void
unknown_words_are_told_with_a_guess(void **state)
{
	g_autoptr(GHashTable) values = load_new_values();
	g_autoptr(GError) error = NULL;

	(void)state;
	load_set_value(values, "threads", "4");
	assert_null(load_expand_command("x {thraeds}", values, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	assert_string_equal(error->message,
	    "{thraeds} is neither a variable nor a key nor built in; did you "
	    "mean {threads}? ({{thraeds} stands for the text itself)");
	g_clear_error(&error);
	assert_null(load_expand_value("awk '{print}'", values, &error));
	assert_string_equal(error->message,
	    "{print} is neither a variable nor a key nor built in ({{print} "
	    "stands for the text itself)");
}

static const char definition[] =
    "help = \"a test\"; command = \"x {n} {of} {opt}\";\n"
    "keys = ( { name = \"n\"; help = \"h\"; },\n"
    "         { name = \"of\"; help = \"h\"; default = \"{n}/{round}\"; },\n"
    "         { name = \"opt\"; help = \"h\"; default = \"\"; } );\n";

static void
fallbacks_come_last_and_may_use_the_rest(void **state)
{
	LoadCase test;
	g_autoptr(GHashTable) builtin = case_builtin();
	g_autoptr(GHashTable) variables = load_new_values();

	(void)state;
	case_parse(&test, definition);
	load_set_value(variables, "clients", "16");
	case_key(&test, "n", "{clients}0");
	test.values = load_values(&test.load, builtin, variables, &test.error);
	assert_non_null(test.values);
	g_autofree char *command =
	    load_expand_command(test.load.command, test.values, &test.error);
	assert_string_equal(command, "x '160' '160/1' ''");
	assert_null(g_hash_table_lookup(builtin, "n"));
	case_close(&test);
}

static const char typed[] =
    "help = \"a test\"; command = \"x {time} {rate} {more}\";\n"
    "keys = ( { name = \"time\"; help = \"h\"; type = \"seconds\";\n"
    "           min = 1; default = \"{run}min\"; },\n"
    "         { name = \"rate\"; help = \"h\"; type = \"number\";\n"
    "           default = 1.5; },\n"
    "         { name = \"more\"; help = \"h\"; type = \"words\";\n"
    "           default = \"\"; } );\n";

static void
values_are_given_as_the_tool_takes_them(void **state)
{
	static const struct {
		const char *time, *command;
	} cases[] = { { NULL, "x '60' '1.5' ''" }, { "5", "x '5' '1.5' ''" },
		{ "90s", "x '90' '1.5' ''" },
		{ "1h30min", "x '5400' '1.5' ''" },
		{ "{run}0", "x '10' '1.5' ''" } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		LoadCase test;
		case_parse(&test, typed);
		if (cases[i].time != NULL)
			case_key(&test, "time", cases[i].time);
		case_values(&test);
		g_autofree char *command = load_expand_command(
		    test.load.command, test.values, &test.error);
		assert_string_equal(command, cases[i].command);
		case_close(&test);
	}
}

static void
a_value_that_a_run_finds_wrong_is_told(void **state)
{
	LoadCase test;
	g_autoptr(GHashTable) builtin = case_builtin();

	(void)state;
	case_parse(&test, typed);
	case_key(&test, "time", "{run}0ms");
	assert_null(load_values(&test.load, builtin, NULL, &test.error));
	assert_reason(
	    &test, "load a load, time: \"10ms\" must be whole seconds");
	case_close(&test);
}

static void
a_variable_named_like_a_key_is_its_value(void **state)
{
	LoadCase test;
	g_autoptr(GHashTable) builtin = case_builtin();
	g_autoptr(GHashTable) variables = load_new_values();

	(void)state;
	case_parse(&test, definition);
	load_set_value(variables, "n", "3");
	test.values = load_values(&test.load, builtin, variables, &test.error);
	assert_string_equal(g_hash_table_lookup(test.values, "n"), "3");
	case_close(&test);
}

static void
refuse_values(const char *variable, const char *key, const char *value,
    const char *reason)
{
	LoadCase test;
	g_autoptr(GHashTable) builtin = case_builtin();
	g_autoptr(GHashTable) variables = load_new_values();

	case_parse(&test, definition);
	if (variable != NULL)
		load_set_value(variables, variable, "1");
	if (key != NULL)
		case_key(&test, key, value);
	assert_null(load_values(&test.load, builtin, variables, &test.error));
	assert_reason(&test, reason);
	assert_true(
	    g_error_matches(test.error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	case_close(&test);
}

static void
no_name_gets_two_values_and_none_is_missing(void **state)
{
	(void)state;
	refuse_values("seed", "n", "1", "the variable seed is built in");
	refuse_values("n", "n", "1", "load a load sets n, which a factor");
	refuse_values(NULL, NULL, NULL, "load a load gives no n");
	refuse_values(NULL, "n", "{of}", "load a load, n: {of} is neither");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_braces_around_a_name_are_templates),
		cmocka_unit_test(values_of_keys_are_not_quoted),
		cmocka_unit_test(
		    values_in_commands_are_one_word_whatever_surrounds_them),
		cmocka_unit_test(sh_reads_the_value_back),
		cmocka_unit_test(unknown_words_are_told_with_a_guess),
		cmocka_unit_test(fallbacks_come_last_and_may_use_the_rest),
		cmocka_unit_test(values_are_given_as_the_tool_takes_them),
		cmocka_unit_test(a_value_that_a_run_finds_wrong_is_told),
		cmocka_unit_test(a_variable_named_like_a_key_is_its_value),
		cmocka_unit_test(no_name_gets_two_values_and_none_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
