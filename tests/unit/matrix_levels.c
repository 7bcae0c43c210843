#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "matrix/matrix.h"

/* What is told about a factor of these two levels; NULL: nothing. */
static char *
told_about(const char *one, const char *other)
{
	g_autofree char *text = g_strdup_printf(
	    "targets = ( { name = \"lab1\"; os = \"linux\"; } );\n"
	    "factors: { f = ( { name = \"one\"; %s }, { name = \"other\"; %s } "
	    "); };\n"
	    "loads = ( { use = \"command\"; command = \"true\"; } );\n",
	    one, other);
	g_autoptr(GError) error = NULL;
	g_autoptr(Matrix) matrix =
	    matrix_parse(text, strlen(text), "tests/data/matrix/x.cfg", &error);

	return matrix != NULL ? NULL : g_strdup(error->message);
}

#define COMMANDS(apply, undo, verify)                                          \
	"apply = \"" apply "\"; undo = \"" undo "\"; verify = \"" verify "\";"

static const struct {
	const char *what, *one, *other;
} differing[] = {
	{ "apply", COMMANDS("a", "b", "c"), COMMANDS("x", "b", "c") },
	{ "undo", COMMANDS("a", "b", "c"), COMMANDS("a", "x", "c") },
	{ "verify", COMMANDS("a", "b", "c"), COMMANDS("a", "b", "x") },
	{ "value", "env = [ \"A=1\" ];", "env = [ \"A=2\" ];" },
	{ "name", "env = [ \"A=1\" ];", "env = [ \"B=1\" ];" },
	{ "kind", "preload = \"jemalloc\";", "threadlib = \"jemalloc\";" },
	{ "expect", "expect = [ \"smt=on\" ];", "expect = [ \"smt=off\" ];" },
	{ "a second setting", "thp = \"never\";",
	    "thp = \"never\"; env = [ \"A=1\" ];" },
};

static void
levels_that_differ_in_one_thing_are_two(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(differing); i++) {
		g_autofree char *told =
		    told_about(differing[i].one, differing[i].other);
		if (told != NULL)
			fail_msg("%s: %s", differing[i].what, told);
	}
}

static void
levels_that_differ_in_nothing_are_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(differing); i++) {
		g_autofree char *told =
		    told_about(differing[i].one, differing[i].one);
		if (told == NULL)
			fail_msg("%s: nothing is told", differing[i].what);
		assert_non_null(
		    strstr(told, "level \"other\" sets the same as \"one\""));
		g_autofree char *twin =
		    g_strconcat("same = true; ", differing[i].one, NULL);
		g_autofree char *meant = told_about(differing[i].one, twin);
		assert_null(meant);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_that_differ_in_one_thing_are_two),
		cmocka_unit_test(levels_that_differ_in_nothing_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
