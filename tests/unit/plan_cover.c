#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan_matrix.h"

/* The cover in words: "a=1, b=1; a=2, b=2". */
static char *
cover_of(const Plan *plan, GHashTable *without)
{
	g_autoptr(GArray) cover = plan_cover(plan, without);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < cover->len; i++) {
		g_autofree char *words =
		    plan_server_words(plan, g_array_index(cover, size_t, i));
		g_string_append_printf(
		    text, "%s%s", text->len == 0 ? "" : "; ", words);
	}
	return g_string_free(text, FALSE);
}

static void
each_level_is_held_by_as_few_cells_as_the_widest_factor_has(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();

	(void)state;
	hand_factor(matrix, "a", CLASS_SERVER, "1,2");
	hand_factor(matrix, "b", CLASS_SERVER, "x,y,z");
	hand_factor(matrix, "c", CLASS_SERVER, "on,off");
	g_autoptr(Plan) plan = new_plan(matrix);
	g_autofree char *cover = cover_of(plan, NULL);
	assert_string_equal(
	    cover, "a=1, b=x, c=on; a=1, b=z, c=on; a=2, b=y, c=off");
}

static void
variables_are_not_counted(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();

	(void)state;
	hand_factor(matrix, "clients", CLASS_LOAD, "1,4,16");
	hand_load(matrix, "select", false, "clients");
	g_autoptr(Plan) none = new_plan(matrix);
	g_autofree char *only = cover_of(none, NULL);
	assert_string_equal(only, "the only cell");

	hand_factor(matrix, "flush", CLASS_SERVER, "1,2");
	g_autoptr(Plan) plan = new_plan(matrix);
	g_autofree char *cover = cover_of(plan, NULL);
	assert_string_equal(cover, "flush=1; flush=2");
}

static void
kernels_are_held_too(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_autoptr(Plan) plan = new_plan(matrix);
	g_autofree char *cover = cover_of(plan, NULL);

	(void)state;
	assert_string_equal(cover,
	    "kernel=4BSD, threadlib=libpthread, yieldloops=default; "
	    "kernel=ULE, threadlib=libthr, yieldloops=30");
}

static void
cells_that_are_excluded_are_not_in_it(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();

	(void)state;
	hand_factor(matrix, "a", CLASS_SERVER, "1,2");
	hand_factor(matrix, "b", CLASS_SERVER, "x,y");
	g_ptr_array_add(matrix->design.exclude, hand_pattern("a=2;b=y"));
	matrix->design.aa = true;
	g_autoptr(Plan) plan = new_plan(matrix);
	g_autofree char *cover = cover_of(plan, NULL);
	assert_string_equal(cover, "a=1, b=x; a=1, b=y; a=2, b=x");
}

static void
levels_that_cannot_be_had_are_left_out(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	g_autoptr(GHashTable) without =
	    g_hash_table_new(g_direct_hash, g_direct_equal);
	Factor *a = hand_factor(matrix, "a", CLASS_SERVER, "1,2");

	(void)state;
	hand_factor(matrix, "b", CLASS_SERVER, "x,y");
	g_autoptr(Plan) plan = new_plan(matrix);
	(void)g_hash_table_add(without, a->levels->pdata[0]);
	g_autofree char *rest = cover_of(plan, without);
	assert_string_equal(rest, "a=2, b=x; a=2, b=y");
	(void)g_hash_table_add(without, a->levels->pdata[1]);
	g_autofree char *none = cover_of(plan, without);
	assert_string_equal(none, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    each_level_is_held_by_as_few_cells_as_the_widest_factor_has),
		cmocka_unit_test(variables_are_not_counted),
		cmocka_unit_test(kernels_are_held_too),
		cmocka_unit_test(cells_that_are_excluded_are_not_in_it),
		cmocka_unit_test(levels_that_cannot_be_had_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
