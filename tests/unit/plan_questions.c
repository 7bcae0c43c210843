/*
 * design.contrasts that no night could answer are refused before it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "plan_matrix.h"

static void
ask(Matrix *matrix, int line, const char *name, const char *of,
    const char *against)
{
	Contrast *contrast = g_new0(Contrast, 1);

	contrast->name = g_strdup(name);
	contrast->named = true;
	contrast->of = hand_pattern(of);
	contrast->against = hand_pattern(against);
	contrast->line = line;
	g_ptr_array_set_free_func(
	    matrix->design.contrasts, matrix_contrast_free);
	g_ptr_array_add(matrix->design.contrasts, contrast);
}

static Matrix *
with_clients(void)
{
	Matrix *matrix = hand_matrix();

	hand_factor(matrix, "kernel", CLASS_BOOT, "4BSD,ULE");
	hand_factor(matrix, "clients", CLASS_LOAD, "1,4,64");
	hand_factor(matrix, "tables", CLASS_LOAD, "1,8");
	hand_load(matrix, "select", false, "clients");
	hand_load(matrix, "update", true, "tables");
	return matrix;
}

static void
refuses(const Matrix *matrix, const char *message)
{
	g_autoptr(GError) error = NULL;

	assert_null(plan_new(matrix, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	assert_string_equal(error->message, message);
}

static void
what_can_be_compared_is_planned_and_told(void **state)
{
	g_autoptr(Matrix) matrix = with_clients();

	(void)state;
	ask(matrix, 8, "64 on 1", "clients=64", "clients=1");
	ask(matrix, 9, "many", "clients=4,64;kernel=ULE",
	    "clients=1;kernel=ULE");
	g_autoptr(Plan) plan = new_plan(matrix);
	g_autofree char *text = plan_text(plan);
	assert_non_null(strstr(text, "64 on 1 (clients = 64 against"));
}

static void
a_side_without_cells_is_refused(void **state)
{
	g_autoptr(Matrix) matrix = with_clients();

	(void)state;
	g_ptr_array_add(
	    matrix->design.exclude, hand_pattern("clients=64;kernel=ULE"));
	ask(matrix, 8, "gone", "clients=1", "clients=64;kernel=ULE");
	refuses(matrix,
	    "hand.cfg:8: design.contrasts: \"gone\" has no cell on the side "
	    "of \"against\": see design.exclude");
}

static void
sides_that_share_a_cell_are_refused(void **state)
{
	g_autoptr(Matrix) matrix = with_clients();

	(void)state;
	ask(matrix, 8, "slip", "kernel=ULE", "clients=1");
	refuses(matrix,
	    "hand.cfg:8: design.contrasts: \"slip\" has ULE / 1 / 1 on both "
	    "sides: name levels that tell them apart");
}

static void
sides_that_never_meet_are_refused(void **state)
{
	g_autoptr(Matrix) matrix = with_clients();

	(void)state;
	/* ULE only with 64 clients, 4BSD never. */
	g_ptr_array_add(
	    matrix->design.exclude, hand_pattern("clients=1,4;kernel=ULE"));
	g_ptr_array_add(
	    matrix->design.exclude, hand_pattern("clients=64;kernel=4BSD"));
	ask(matrix, 8, "kernels", "kernel=ULE", "kernel=4BSD");
	refuses(matrix,
	    "hand.cfg:8: design.contrasts: \"kernels\" has no cells of both "
	    "sides that are else alike: see design.exclude");
}

static void
what_no_load_can_tell_is_refused(void **state)
{
	g_autoptr(Matrix) matrix = with_clients();

	(void)state;
	ask(matrix, 8, "mixed", "clients=64;tables=8", "clients=1;tables=1");
	refuses(matrix,
	    "hand.cfg:8: design.contrasts: \"mixed\" names variables of which "
	    "no load uses all: no load can tell");
}

static void
what_is_asked_twice_is_refused(void **state)
{
	g_autoptr(Matrix) twice = with_clients();
	g_autoptr(Matrix) names = with_clients();

	(void)state;
	ask(twice, 8, "a", "clients=64", "clients=1");
	ask(twice, 9, "b", "clients=1", "clients=64");
	refuses(twice,
	    "hand.cfg:9: design.contrasts: \"b\" asks what the one in line 8 "
	    "asks");
	ask(names, 8, "a", "clients=64", "clients=1");
	ask(names, 9, "a", "clients=4", "clients=1");
	refuses(names,
	    "hand.cfg:9: design.contrasts: \"a\" is the name of the one in "
	    "line 8, too");
}

static void
names_that_are_not_there_are_refused(void **state)
{
	g_autoptr(Matrix) matrix = with_clients();

	(void)state;
	ask(matrix, 8, "x", "clients=64", "clients=2");
	refuses(matrix,
	    "hand.cfg:7: design.contrasts: there is no level of factor "
	    "clients named \"2\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_can_be_compared_is_planned_and_told),
		cmocka_unit_test(a_side_without_cells_is_refused),
		cmocka_unit_test(sides_that_share_a_cell_are_refused),
		cmocka_unit_test(sides_that_never_meet_are_refused),
		cmocka_unit_test(what_no_load_can_tell_is_refused),
		cmocka_unit_test(what_is_asked_twice_is_refused),
		cmocka_unit_test(names_that_are_not_there_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
