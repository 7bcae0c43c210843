#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "plan_matrix.h"

static void
refuses(const Matrix *matrix, const char *message)
{
	g_autoptr(GError) error = NULL;

	assert_null(plan_new(matrix, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	assert_string_equal(error->message, message);
}

static bool
has_cell(const Plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->cells->len; i++)
		if (strcmp(plan_cell(plan, i)->name, name) == 0)
			return true;
	return false;
}

static void
the_last_factor_turns_fastest(void **state)
{
	static const char *const names[] = { "4BSD / libpthread / default",
		"4BSD / libpthread / 30", "4BSD / libthr / default",
		"4BSD / libthr / 30", "ULE / libpthread / default",
		"ULE / libpthread / 30", "ULE / libthr / default",
		"ULE / libthr / 30" };
	g_autoptr(Matrix) matrix = hand_post();
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->cells->len, 8);
	for (size_t i = 0; i < 8; i++) {
		const Cell *cell = plan_cell(plan, i);
		assert_int_equal(cell->id, i);
		assert_string_equal(cell->name, names[i]);
		assert_int_equal(cell->boot, i / 4);
		assert_int_equal(cell->server, i);
		assert_false(cell->again);
	}
	assert_int_equal(plan->n_boots, 2);
	assert_int_equal(plan->n_servers, 8);
	assert_int_equal(plan->baseline, 0);
	assert_true(plan->boot_class);
}

/* E74: what differs in one tunable alone is another cell, start and plan. */
static void
e74_one_tunable_makes_another_cell(void **state)
{
	static const char matrix_text[] =
	    "targets = ( { name = \"a\"; ssh = \"a\"; os = \"linux\"; } );\n"
	    "factors: { knob = (\n"
	    "  { name = \"x\"; sysctl = [ \"vm.a=1\", \"vm.b=1\" ]; },\n"
	    "  { name = \"y\"; sysctl = [ \"vm.a=1\", \"vm.b=%s\" ]; } ); };\n"
	    "server: { command = \"/usr/sbin/mariadbd\"; };\n"
	    "loads = ( { use = \"command\"; name = \"t\"; "
	    "command = \"true\"; } );\n";
	g_autofree char *last = NULL;

	(void)state;
	for (int i = 2; i <= 3; i++) {
		g_autofree char *value = g_strdup_printf("%d", i);
		g_auto(GStrv) parts = g_strsplit(matrix_text, "%s", -1);
		g_autofree char *text = g_strjoinv(value, parts);
		g_autoptr(Matrix) matrix =
		    matrix_parse(text, strlen(text), "e74.cfg", NULL);
		assert_non_null(matrix);
		g_autoptr(Plan) plan = plan_new(matrix, NULL);
		assert_non_null(plan);
		assert_int_equal(plan->cells->len, 2);
		assert_int_equal(plan->n_servers, 2);
		assert_int_not_equal(
		    plan_cell(plan, 0)->server, plan_cell(plan, 1)->server);
		assert_string_not_equal(
		    plan->identity, last == NULL ? "" : last);
		g_free(last);
		last = g_strdup(plan->identity);
	}
}

static void
variables_share_a_server(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_factor(matrix, "clients", CLASS_LOAD, "1,4,16");
	hand_factor(matrix, "malloc", CLASS_SERVER, "libc,jemalloc");
	hand_load(matrix, "select", false, "clients");
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->cells->len, 6);
	assert_int_equal(plan->n_servers, 2);
	assert_int_equal(plan->n_boots, 1);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(plan_cell(plan, i)->server, i % 2);
	assert_int_equal(plan_server_cell(plan, 1)->id, 1);
}

static void
a_matrix_of_variables_has_one_server(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_factor(matrix, "clients", CLASS_LOAD, "1,4,16");
	hand_load(matrix, "select", false, "clients");
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->n_servers, 1);
}

static void
a_matrix_without_factors_is_one_cell(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_load(matrix, "select", false, NULL);
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->cells->len, 1);
	assert_string_equal(plan_cell(plan, 0)->name, "all");
}

static void
exclude_takes_all_its_factors_together(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_ptr_array_add(matrix->design.exclude,
	    hand_pattern("kernel=ULE;yieldloops=30,default;threadlib=libthr"));
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->cells->len, 6);
	assert_int_equal(plan->excluded, 2);
	assert_false(has_cell(plan, "ULE / libthr / 30"));
	assert_false(has_cell(plan, "ULE / libthr / default"));
	assert_true(has_cell(plan, "4BSD / libthr / 30"));
	assert_true(has_cell(plan, "ULE / libpthread / 30"));
	for (size_t i = 0; i < plan->cells->len; i++)
		assert_int_equal(plan_cell(plan, i)->id, i);
}

static void
a_kernel_without_cells_is_never_booted(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_ptr_array_add(matrix->design.exclude, hand_pattern("kernel=ULE"));
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->n_boots, 1);
	assert_int_equal(plan->n_servers, 4);
}

static void
include_adds_at_the_baseline_after_exclude(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_ptr_array_add(matrix->design.exclude, hand_pattern("kernel=ULE"));
	g_ptr_array_add(
	    matrix->design.include, hand_pattern("kernel=ULE;yieldloops=30"));
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->cells->len, 5);
	assert_true(has_cell(plan, "ULE / libpthread / 30"));
}

static void
include_follows_a_named_baseline(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	matrix->design.baseline = hand_pattern("threadlib=libthr");
	g_ptr_array_add(matrix->design.exclude, hand_pattern("kernel=ULE"));
	g_ptr_array_add(
	    matrix->design.include, hand_pattern("kernel=ULE;yieldloops=30"));
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->cells->len, 5);
	assert_true(has_cell(plan, "ULE / libthr / 30"));
	assert_string_equal(
	    plan_cell(plan, plan->baseline)->name, "4BSD / libthr / default");
}

static void
include_does_not_double_a_cell(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_ptr_array_add(matrix->design.include, hand_pattern("kernel=ULE"));
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan->cells->len, 8);
}

static void
aa_adds_the_baseline_with_a_boot_and_start_of_its_own(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	matrix->design.aa = true;
	matrix->design.baseline = hand_pattern("kernel=ULE");
	g_autoptr(Plan) plan = new_plan(matrix);
	const Cell *again = plan_cell(plan, 8);

	(void)state;
	assert_int_equal(plan->cells->len, 9);
	assert_true(again->again);
	assert_string_equal(again->name, "ULE / libpthread / default (again)");
	assert_int_equal(again->boot, 2);
	assert_int_equal(again->server, 8);
	assert_int_equal(plan->n_boots, 3);
	assert_int_equal(plan->n_servers, 9);
	assert_int_equal(plan->baseline, 4);
	assert_false(plan_cell(plan, 4)->again);
}

static void
aa_shares_the_boot_where_boots_are_shared(void **state)
{
	g_autoptr(Matrix) lazy = hand_post();
	lazy->design.aa = true;
	lazy->design.boot = BOOT_LAZY;
	g_autoptr(Plan) lazy_plan = new_plan(lazy);

	(void)state;
	assert_int_equal(lazy_plan->n_boots, 2);
	assert_int_equal(plan_cell(lazy_plan, 8)->boot, 0);

	g_autoptr(Matrix) warm = hand_matrix();
	hand_factor(warm, "malloc", CLASS_SERVER, "libc,jemalloc");
	hand_load(warm, "select", false, NULL);
	warm->design.aa = true;
	g_autoptr(Plan) warm_plan = new_plan(warm);
	assert_int_equal(warm_plan->n_boots, 1);
	assert_int_equal(warm_plan->n_servers, 3);
}

static void
settings_are_those_of_the_class_and_above(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_autoptr(Plan) plan = new_plan(matrix);
	const Cell *cell = plan_cell(plan, 7);
	g_autoptr(GPtrArray) all = plan_settings(plan, cell, CLASS_LOAD);
	g_autoptr(GPtrArray) boot = plan_settings(plan, cell, CLASS_BOOT);

	(void)state;
	assert_int_equal(all->len, 3);
	assert_int_equal(boot->len, 1);
	const Setting *kernel = g_ptr_array_index(boot, 0);
	assert_string_equal(kernel->value, "ULE");
	assert_string_equal(plan_level(plan, cell, 1)->name, "libthr");
}

static void
a_pattern_must_name_what_is_there(void **state)
{
	(void)state;
	g_autoptr(Matrix) factor = hand_post();
	g_ptr_array_add(factor->design.exclude, hand_pattern("kernl=ULE"));
	refuses(
	    factor, "hand.cfg:7: design.exclude: there is no factor \"kernl\"");
	g_autoptr(Matrix) level = hand_post();
	g_ptr_array_add(level->design.include, hand_pattern("kernel=EEVDF"));
	refuses(level,
	    "hand.cfg:7: design.include: there is no level of factor kernel "
	    "named \"EEVDF\"");
	g_autoptr(Matrix) base = hand_post();
	base->design.baseline = hand_pattern("kernel=EEVDF");
	refuses(base,
	    "hand.cfg:7: design.baseline: there is no level of factor kernel "
	    "named \"EEVDF\"");
}

static void
what_leaves_no_cell_or_no_baseline_is_refused(void **state)
{
	(void)state;
	g_autoptr(Matrix) none = hand_post();
	g_ptr_array_add(none->design.exclude, hand_pattern("kernel=ULE,4BSD"));
	refuses(none, "hand.cfg: design.exclude leaves no cell");
	g_autoptr(Matrix) base = hand_post();
	g_ptr_array_add(base->design.exclude, hand_pattern("kernel=4BSD"));
	refuses(base,
	    "hand.cfg: design.exclude removes the baseline cell 4BSD / "
	    "libpthread / default; name another in design.baseline");
}

static void
too_many_cells_are_refused(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();

	(void)state;
	for (int i = 0; i < 7; i++) {
		g_autofree char *name = g_strdup_printf("f%d", i);
		hand_factor(matrix, name, CLASS_SERVER, "0,1,2,3,4,5,6,7,8,9");
	}
	hand_load(matrix, "select", false, NULL);
	refuses(matrix, "hand.cfg: the factors make more than 1000000 cells");
}

static void
the_seed_follows_from_the_identity(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	matrix->design.seed_given = false;
	g_autoptr(Plan) plan = new_plan(matrix);
	g_autoptr(Plan) same = new_plan(matrix);
	char head[9] = { 0 };

	(void)state;
	assert_int_equal(strlen(plan->identity), 64);
	assert_string_equal(plan->identity, same->identity);
	memcpy(head, plan->identity, 8);
	assert_true(plan->seed == (strtoull(head, NULL, 16) & 0x7fffffff));
	matrix->design.seed_given = true;
	matrix->design.seed = UINT64_MAX;
	g_autoptr(Plan) given = new_plan(matrix);
	assert_true(given->seed == UINT64_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_factor_turns_fastest),
		cmocka_unit_test(e74_one_tunable_makes_another_cell),
		cmocka_unit_test(variables_share_a_server),
		cmocka_unit_test(a_matrix_of_variables_has_one_server),
		cmocka_unit_test(a_matrix_without_factors_is_one_cell),
		cmocka_unit_test(exclude_takes_all_its_factors_together),
		cmocka_unit_test(a_kernel_without_cells_is_never_booted),
		cmocka_unit_test(include_adds_at_the_baseline_after_exclude),
		cmocka_unit_test(include_follows_a_named_baseline),
		cmocka_unit_test(include_does_not_double_a_cell),
		cmocka_unit_test(
		    aa_adds_the_baseline_with_a_boot_and_start_of_its_own),
		cmocka_unit_test(aa_shares_the_boot_where_boots_are_shared),
		cmocka_unit_test(settings_are_those_of_the_class_and_above),
		cmocka_unit_test(a_pattern_must_name_what_is_there),
		cmocka_unit_test(what_leaves_no_cell_or_no_baseline_is_refused),
		cmocka_unit_test(too_many_cells_are_refused),
		cmocka_unit_test(the_seed_follows_from_the_identity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
