#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "matrix/formula.h"
#include "matrix/loaddef_read.h"

static LoadDef *
parse(const char *text, GError **error)
{
	return loaddef_parse(text, strlen(text), "x.cfg", "x", error);
}

static void
a_definition_is_read_whole(void **state)
{
	static const char text[] =
	    "help = \"a\"; tool = \"t\"; version = \"t -V\";\n"
	    "keys = ( { name = \"n\"; help = \"h\"; },\n"
	    "  { name = \"s\"; help = \"h\"; default = 10; script = true; } "
	    ");\n"
	    "command = \"t {n}\"; setup = \"a\"; prepare = \"b\";\n"
	    "restore = \"c\"; cleanup = \"d\"; warmup_key = \"n\";\n"
	    "length_key = \"s\"; writes = \"^t\"; exit_status = 7;\n"
	    "metrics = ( { name = \"m\"; regex = \"(1)\"; unit = \"u\";\n"
	    "    choice = \"sum\"; better = \"higher\"; min = 1; max = 2.5; "
	    "},\n"
	    "  { name = \"o\"; formula = \"m * k\"; optional = true; } );\n"
	    "numbers = ( { name = \"k\"; regex = \"(2)\"; } );\n"
	    "require = [ \"r\" ]; forbid = [ \"f\", \"g\" ];\n"
	    "checks = ( { what = \"w\"; left = \"m\"; right = \"{n}\";\n"
	    "  within = 0.5; at_most = true; } );\n";
	g_autoptr(GError) error = NULL;
	g_autoptr(LoadDef) def = parse(text, &error);

	(void)state;
	if (def == NULL)
		fail_msg("%s", error->message);
	assert_string_equal(def->name, "x");
	assert_string_equal(def->path, "x.cfg");
	assert_string_equal(def->tool, "t");
	assert_string_equal(def->version, "t -V");
	assert_string_equal(def->command, "t {n}");
	assert_string_equal(def->restore, "c");
	assert_string_equal(def->warmup_key, "n");
	assert_string_equal(def->length_key, "s");
	assert_string_equal(def->writes, "^t");
	assert_string_equal(def->primary, "m");
	assert_int_equal(def->exit_status, 7);
	assert_int_equal(def->forbid->len, 2);
	assert_null(loaddef_key(def, "n")->fallback);
	assert_string_equal(loaddef_key(def, "s")->fallback, "10");
	assert_true(loaddef_key(def, "s")->script);
	const Metric *metric = loaddef_metric(def->metrics, "m");
	assert_int_equal(metric->choice, MATCH_SUM);
	assert_true(metric->higher_is_better);
	assert_true(metric->min == 1 && metric->max == 2.5);
	metric = loaddef_metric(def->metrics, "o");
	assert_false(metric->higher_is_better);
	assert_true(metric->optional && metric->regex == NULL);
	const CrossCheck *check = g_ptr_array_index(def->checks, 0);
	assert_true(check->at_most && check->within == 0.5);
}

static void
what_every_shipped_definition_says_is_right(void **state)
{
	g_autoptr(GDir) dir = g_dir_open("hooks/load", 0, NULL);
	const char *file = NULL;
	size_t n = 0;

	(void)state;
	assert_non_null(dir);
	while ((file = g_dir_read_name(dir)) != NULL) {
		if (!g_str_has_suffix(file, ".cfg"))
			continue;
		g_autofree char *path =
		    g_build_filename("hooks/load", file, NULL);
		g_autoptr(GError) error = NULL;
		g_autoptr(LoadDef) def = loaddef_read(path, file, &error);
		if (def == NULL)
			fail_msg("%s", error->message);
		n++;
	}
	assert_true(n >= 2);
}

/* text and the one mistake that must be told of it, or all lines of it. */
static const struct {
	const char *text;
	const char *report;
} mistakes[] = {
	{ "command = \"x\";",
	    "x.cfg:1: help: is missing, write help = \"what the tool is, in "
	    "one line\"" },
	{ "help = \"h\"; comand = \"x\";",
	    "x.cfg:1: comand: unknown key, did you mean \"command\"?" },
	{ "help = \"h\"; regex = \"x\";",
	    "x.cfg:1: regex: unknown key here, belongs in a metric" },
	{ "help = \"h\";\nkeys = ( { name = \"db\"; help = \"h\"; } );",
	    "x.cfg:2: keys[0].name: \"db\" is built in, choose another name" },
	{ "help = \"h\"; keys = ( { name = \"a-b\"; help = \"h\"; } );",
	    "x.cfg:1: keys[0].name: \"a-b\" must be letters, digits and _" },
	{ "help = \"h\"; keys = ( { name = \"a\"; help = \"h\"; },\n"
	  "{ name = \"a\"; help = \"h\"; } );",
	    "x.cfg:2: keys[1].name: \"a\" is there already" },
	{ "help = \"h\"; keys = ( { name = \"a\"; help = \"h\";\n"
	  "type = \"integer\"; min = 3; max = 2; } );",
	    "x.cfg:1: keys[0]: min is greater than max: no value would ever "
	    "be right" },
	{ "help = \"h\"; keys = ( { name = \"a\"; help = \"h\"; min = 3; } "
	  ");",
	    "x.cfg:1: keys[0]: min and max are for type \"integer\", "
	    "\"number\" and \"seconds\"" },
	{ "help = \"h\"; keys = ( { name = \"a\"; help = \"h\";\n"
	  "type = \"number\"; min = 3; max = 8.5; default = 2.5; } );",
	    "x.cfg:2: keys[0].default: \"2.5\" must be a number, from 3 to "
	    "8.5" },
	{ "help = \"h\"; setup = \"awk '{print}' {db} {run}\";",
	    "x.cfg:1: setup: {print} is neither one of keys nor built in, "
	    "write {{print} for the text itself" },
	{ "help = \"h\"; length_key = \"time\";",
	    "x.cfg:1: length_key: \"time\" is none of the definition's keys" },
	{ "help = \"h\"; metrics = ( { name = \"a\"; regex = \"x\"; } );",
	    "x.cfg:1: metrics[0].regex: has no group, must have ( ) around the "
	    "number" },
	{ "help = \"h\"; metrics = ( { name = \"a\"; } );",
	    "x.cfg:1: metrics[0]: must have one of regex and formula, which "
	    "say where its number comes from" },
	{ "help = \"h\"; metrics = ( { name = \"wall\"; regex = \"(x)\"; } );",
	    "x.cfg:1: metrics[0].name: \"wall\" is measured for every load, "
	    "choose another name" },
	{ "help = \"h\"; metrics = ( { name = \"a\"; regex = \"(x)\";\n"
	  "min = 2; max = 1; } );",
	    "x.cfg:1: metrics[0]: min is greater than max: no value would ever "
	    "be right" },
	{ "help = \"h\"; metrics = ( { name = \"a\"; formula = \"b / 2\"; } );",
	    "x.cfg:1: metrics[0].formula: names \"b\", which is none of "
	    "metrics and numbers" },
	{ "help = \"h\"; metrics = ( { name = \"a\"; formula = \"(2\"; } );",
	    "x.cfg:1: metrics[0].formula: \"(2\" is no formula: \"\" is not "
	    "understood" },
	{ "help = \"h\"; primary = \"tps\";",
	    "x.cfg:1: primary: \"tps\" is none of its metrics" },
	{ "help = \"h\"; primary = \"a\";\n"
	  "metrics = ( { name = \"a\"; regex = \"(x)\"; optional = true; } );",
	    "x.cfg:1: primary: \"a\" is optional: a run without it would say "
	    "nothing" },
	{ "help = \"h\"; metrics = ( { name = \"a\"; regex = \"(x)\"; } );\n"
	  "numbers = ( { name = \"a\"; regex = \"(x)\"; } );",
	    "x.cfg:2: numbers[0]: \"a\" is a metric, too" },
	{ "help = \"h\"; exit_status = 256; writes = 3;",
	    "x.cfg:1: writes: is an integer, must be true or false without "
	    "quotes\n"
	    "x.cfg:1: exit_status: is 256, must be from 0 to 255" },
};

static void
mistakes_are_told_with_their_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(mistakes); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(LoadDef) def = parse(mistakes[i].text, &error);
		if (def != NULL)
			fail_msg("%s passed", mistakes[i].text);
		assert_true(
		    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
		assert_string_equal(error->message, mistakes[i].report);
	}
}

static void
a_wrong_pattern_is_a_mistake(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(parse("help = \"h\"; forbid = [ \"a\", \"(\" ];", &error));
	assert_non_null(strstr(error->message, "x.cfg:1: forbid: "));
}

/* a = 2, b = 3; c has no value, any other is a mistake. */
static bool
letter(const char *name, void *data, double *value, GError **error)
{
	(void)data;
	if (strcmp(name, "c") == 0)
		return false;
	if (strcmp(name, "a") != 0 && strcmp(name, "b") != 0) {
		g_set_error(
		    error, ABRUN_ERROR, ABRUN_ERROR_USAGE, "no %s", name);
		return false;
	}
	*value = name[0] == 'a' ? 2 : 3;
	return true;
}

static void
formulas_have_the_usual_precedence(void **state)
{
	static const struct {
		const char *text;
		double value;
	} right[] = { { "a", 2 }, { " 1.5 ", 1.5 }, { "a + b * 2", 8 },
		{ "(a + b) * 2", 10 }, { "b - a - 1", 0 }, { "8 / a / 2", 2 },
		{ "8/(a/2)", 8 }, { "((a))", 2 } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(right); i++) {
		double value = -1;
		assert_true(
		    formula_compute(right[i].text, letter, NULL, &value, NULL));
		if (!(value >= right[i].value && value <= right[i].value))
			fail_msg("%s is %g", right[i].text, value);
	}
}

static void
what_is_no_formula_is_told(void **state)
{
	static const char *const wrong[] = { "", "a b", "a +", "(a", "a)", "-a",
		"1.2.3", "a % b", "{a}", "nan", "d" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		double value = -1;
		g_autoptr(GError) error = NULL;
		if (formula_compute(wrong[i], letter, NULL, &value, &error))
			fail_msg("%s passed", wrong[i]);
		assert_true(
		    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
		assert_true(value < 0);
	}
	g_autofree char *deep = g_strnfill(100000, '(');
	assert_false(formula_compute(deep, letter, NULL, NULL, NULL));
}

static void
what_cannot_be_computed_is_no_number(void **state)
{
	double value = -1;
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_false(
	    formula_compute("a / (b - 3)", letter, NULL, &value, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_FAILED));
	g_clear_error(&error);
	assert_false(formula_compute("a + c", letter, NULL, &value, &error));
	assert_null(error);
	assert_true(value < 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_definition_is_read_whole),
		cmocka_unit_test(what_every_shipped_definition_says_is_right),
		cmocka_unit_test(mistakes_are_told_with_their_place),
		cmocka_unit_test(a_wrong_pattern_is_a_mistake),
		cmocka_unit_test(formulas_have_the_usual_precedence),
		cmocka_unit_test(what_is_no_formula_is_told),
		cmocka_unit_test(what_cannot_be_computed_is_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
