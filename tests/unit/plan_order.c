#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan_matrix.h"

/* A round as text: what two rounds have in common is then plain to see. */
static char *
write_round(const Plan *plan, size_t number)
{
	g_autoptr(PlanRound) round = plan_round(plan, number);
	GString *text = g_string_new(NULL);

	assert_int_equal(round->round, number);
	for (size_t b = 0; b < round->n_blocks; b++) {
		const PlanBlock *block = &round->blocks[b];
		g_string_append_printf(
		    text, "%s%zu:", block->reboot ? "R" : "b", block->boot);
		for (size_t v = 0; v < block->n_visits; v++) {
			const PlanVisit *visit = &block->visits[v];
			g_string_append_printf(text, " %zu", visit->server);
			for (size_t s = 0; s < visit->n_starts; s++) {
				const PlanStart *start = &visit->starts[s];
				g_string_append_c(text, '(');
				for (size_t i = 0; i < start->n_steps; i++)
					g_string_append_printf(text,
					    "%s%zu.%zu", i > 0 ? " " : "",
					    start->steps[i].cell,
					    start->steps[i].load);
				g_string_append_c(text, ')');
			}
		}
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, FALSE);
}

static void
assert_round(const Plan *plan, size_t number, const char *wanted)
{
	g_autofree char *text = write_round(plan, number);

	assert_string_equal(text, wanted);
}

/* A matrix with all classes, and loads that use two, one and no variable. */
static Matrix *
make_mixed(void)
{
	Matrix *matrix = hand_matrix();

	hand_factor(matrix, "clients", CLASS_LOAD, "1,4");
	hand_factor(matrix, "kernel", CLASS_BOOT, "4BSD,ULE");
	hand_factor(matrix, "malloc", CLASS_SERVER, "libc,jemalloc,mimalloc");
	hand_factor(matrix, "rows", CLASS_LOAD, "10,100,1000");
	hand_load(matrix, "update", true, "clients");
	hand_load(matrix, "select", false, "clients,rows");
	hand_load(matrix, "count", false, NULL);
	hand_load(matrix, "insert", true, "rows,clients");
	return matrix;
}

/* From a second implementation of the streams, in another language. */
static void
the_order_is_the_same_on_every_machine(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_round(plan, 1,
	    "R0: 3(3.0 3.1) 1(1.0 1.1) 0(0.0 0.1) 2(2.0 2.1)\n"
	    "R1: 6(6.0 6.1) 4(4.0 4.1) 5(5.0 5.1) 7(7.0 7.1)\n");
	assert_round(plan, 2,
	    "R1: 4(4.0 4.1) 6(6.0 6.1) 7(7.0 7.1) 5(5.0 5.1)\n"
	    "R0: 1(1.0 1.1) 0(0.0 0.1) 3(3.0 3.1) 2(2.0 2.1)\n");
	assert_round(plan, 3,
	    "R0: 3(3.0 3.1) 2(2.0 2.1) 1(1.0 1.1) 0(0.0 0.1)\n"
	    "R1: 5(5.0 5.1) 4(4.0 4.1) 6(6.0 6.1) 7(7.0 7.1)\n");
}

static void
the_same_seed_gives_the_same_order(void **state)
{
	g_autoptr(Matrix) a = make_mixed();
	g_autoptr(Matrix) b = make_mixed();
	g_autoptr(Plan) plan_a = new_plan(a);
	g_autoptr(Plan) plan_b = new_plan(b);

	(void)state;
	for (size_t r = 1; r <= 20; r++) {
		g_autofree char *one = write_round(plan_a, r);
		assert_round(plan_b, r, one);
	}
}

static void
another_seed_or_round_gives_another_order(void **state)
{
	g_autoptr(Matrix) matrix = make_mixed();
	g_autoptr(Plan) plan = new_plan(matrix);
	g_autoptr(Matrix) other = make_mixed();
	other->design.seed++;
	g_autoptr(Plan) other_plan = new_plan(other);
	g_autoptr(GHashTable) seen =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	(void)state;
	for (size_t r = 1; r <= 50; r++) {
		assert_true(g_hash_table_add(seen, write_round(plan, r)));
		assert_true(g_hash_table_add(seen, write_round(other_plan, r)));
	}
}

/* Rounds are asked for in any order, and the night may grow. */
static void
E78_more_rounds_do_not_change_earlier_ones(void **state)
{
	g_autoptr(Matrix) matrix = make_mixed();
	g_autoptr(Plan) plan = new_plan(matrix);
	g_autoptr(Matrix) longer = make_mixed();
	longer->design.rounds = 50;
	g_autoptr(Plan) longer_plan = new_plan(longer);

	(void)state;
	for (size_t r = 20; r >= 1; r--) {
		g_autofree char *text = write_round(longer_plan, r);
		assert_round(plan, r, text);
	}
}

/* What one load sees of a cell in a visit: its variables' levels. */
static char *
write_step(const Plan *plan, size_t server, const PlanStep *step)
{
	const Load *load = g_ptr_array_index(plan->matrix->loads, step->load);
	const Cell *cell = plan_cell(plan, step->cell);
	GString *text = g_string_new(NULL);

	g_string_printf(text, "%zu %s", server, load->name);
	for (size_t i = 0; i < load->variables->len; i++)
		for (size_t f = 0; f < plan->matrix->factors->len; f++) {
			const Factor *factor =
			    g_ptr_array_index(plan->matrix->factors, f);
			if (strcmp(factor->name,
				g_ptr_array_index(load->variables, i)) == 0)
				g_string_append_printf(
				    text, " %zu", cell->level[f]);
		}
	return g_string_free(text, FALSE);
}

/* One step of a round and where it stands; visits and starts from 1. */
typedef struct {
	size_t boot, server, visit, start;
	PlanStep step;
} Place;

static GArray *
places_of(const Plan *plan, size_t number)
{
	g_autoptr(PlanRound) round = plan_round(plan, number);
	GArray *places = g_array_new(FALSE, FALSE, sizeof(Place));
	Place place = { 0 };

	for (size_t b = 0; b < round->n_blocks; b++)
		for (size_t v = 0; v < round->blocks[b].n_visits; v++) {
			const PlanVisit *visit = &round->blocks[b].visits[v];
			place.boot = round->blocks[b].boot;
			place.server = visit->server;
			place.visit++;
			for (size_t s = 0; s < visit->n_starts; s++) {
				place.start++;
				for (size_t i = 0; i < visit->starts[s].n_steps;
				     i++) {
					place.step = visit->starts[s].steps[i];
					g_array_append_val(places, place);
				}
			}
		}
	return places;
}

/* Checks what must hold in every round, and how much there is. */
static void
count_is(const Plan *plan, size_t visits, size_t starts, size_t steps)
{
	for (size_t r = 1; r <= 10; r++) {
		g_autoptr(GArray) places = places_of(plan, r);
		g_autoptr(GHashTable) seen = g_hash_table_new_full(
		    g_str_hash, g_str_equal, g_free, NULL);
		g_autofree size_t *visit_of = g_new0(size_t, plan->n_servers);
		size_t start = 0;

		assert_int_equal(places->len, steps);
		for (size_t i = 0; i < places->len; i++) {
			const Place *place = &g_array_index(places, Place, i);
			const Cell *cell = plan_cell(plan, place->step.cell);
			assert_int_equal(cell->server, place->server);
			assert_int_equal(cell->boot, place->boot);
			assert_true(g_hash_table_add(seen,
			    write_step(plan, place->server, &place->step)));
			/* No empty start, and each server is met once. */
			assert_true(place->start <= start + 1);
			start = place->start;
			if (visit_of[place->server] == 0)
				visit_of[place->server] = place->visit;
			assert_int_equal(visit_of[place->server], place->visit);
		}
		const Place *last =
		    &g_array_index(places, Place, places->len - 1);
		assert_int_equal(last->visit, visits);
		assert_int_equal(last->start, starts);
	}
}

static void
every_cell_and_load_comes_once_a_round(void **state)
{
	static const BootPolicy boots[] = { BOOT_BLOCK, BOOT_ROUND, BOOT_VISIT,
		BOOT_LAZY };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(boots); i++)
		for (int random = 0; random < 2; random++) {
			g_autoptr(Matrix) matrix = make_mixed();
			matrix->design.boot = boots[i];
			matrix->design.random = random != 0;
			g_autoptr(Plan) plan = new_plan(matrix);
			/* A visit: update 2, select 6, count 1, insert 6. */
			count_is(plan, 6, 6, 6 * 15);
		}
}

static void
a_load_runs_once_for_cells_that_are_alike_to_it(void **state)
{
	g_autoptr(Matrix) matrix = make_mixed();
	matrix->design.random = false;
	g_ptr_array_add(matrix->design.exclude, hand_pattern("kernel=ULE"));
	g_ptr_array_add(
	    matrix->design.exclude, hand_pattern("malloc=jemalloc;clients=1"));
	g_ptr_array_add(matrix->design.exclude,
	    hand_pattern("malloc=mimalloc;rows=10,100"));
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	/*
	 * clients x malloc x rows.  libc keeps all six: cells 0-2 and 4-6;
	 * jemalloc the three with 4 clients, 7-9; mimalloc 1000 rows with 1
	 * and 4 clients, 3 and 10.
	 */
	assert_round(plan, 1,
	    "R0: 0(0.1 0.2 1.1 2.1 4.1 5.1 6.1 "
	    "0.0 0.3 1.3 2.3 4.0 4.3 5.3 6.3)"
	    " 1(3.1 3.2 10.1 3.0 3.3 10.0 10.3)"
	    " 2(7.1 7.2 8.1 9.1 7.0 7.3 8.3 9.3)\n");
}

/* In a visit, or with restart = cell in each of its starts. */
static void
what_writes_comes_after_what_reads(void **state)
{
	static const RestartPolicy restarts[] = { RESTART_VISIT, RESTART_LOAD,
		RESTART_CELL };

	(void)state;
	for (size_t p = 0; p < G_N_ELEMENTS(restarts); p++) {
		g_autoptr(Matrix) matrix = make_mixed();
		matrix->design.restart = restarts[p];
		g_autoptr(Plan) plan = new_plan(matrix);
		for (size_t r = 1; r <= 20; r++) {
			g_autoptr(GArray) places = places_of(plan, r);
			size_t within = 0;
			bool wrote = false;
			for (size_t i = 0; i < places->len; i++) {
				const Place *place =
				    &g_array_index(places, Place, i);
				const Load *load = g_ptr_array_index(
				    matrix->loads, place->step.load);
				const size_t now = restarts[p] == RESTART_CELL
				    ? place->start
				    : place->visit;
				wrote = wrote && within == now;
				within = now;
				assert_false(wrote && !load->writes);
				wrote = load->writes;
			}
		}
	}
}

static void
restart_says_what_a_start_holds(void **state)
{
	(void)state;
	g_autoptr(Matrix) cell = make_mixed();
	cell->design.restart = RESTART_CELL;
	g_autoptr(Plan) cell_plan = new_plan(cell);
	count_is(cell_plan, 6, 6 * 6, 6 * 15);
	g_autoptr(Matrix) load = make_mixed();
	load->design.restart = RESTART_LOAD;
	g_autoptr(Plan) load_plan = new_plan(load);
	count_is(load_plan, 6, 6 * 15, 6 * 15);
}

/* No load needs the cells of x = b, y = b: each uses one of the two. */
static void
a_cell_that_no_load_needs_gets_no_start(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_factor(matrix, "x", CLASS_LOAD, "a,b");
	hand_factor(matrix, "y", CLASS_LOAD, "a,b");
	hand_load(matrix, "one", false, "x");
	hand_load(matrix, "two", true, "y");
	matrix->design.restart = RESTART_CELL;
	matrix->design.random = false;
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_round(plan, 1, "b0: 0(0.0 0.1)(1.1)(2.0)\n");
	assert_int_equal(plan_totals(plan, 1).starts, 3);
}

static void
listed_order_is_the_matrix_order_in_every_round(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	matrix->design.random = false;
	g_autoptr(Plan) plan = new_plan(matrix);
	static const char wanted[] =
	    "R0: 0(0.0 0.1) 1(1.0 1.1) 2(2.0 2.1) 3(3.0 3.1)\n"
	    "R1: 4(4.0 4.1) 5(5.0 5.1) 6(6.0 6.1) 7(7.0 7.1)\n";

	(void)state;
	assert_round(plan, 1, wanted);
	assert_round(plan, 9, wanted);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_is_the_same_on_every_machine),
		cmocka_unit_test(the_same_seed_gives_the_same_order),
		cmocka_unit_test(another_seed_or_round_gives_another_order),
		cmocka_unit_test(E78_more_rounds_do_not_change_earlier_ones),
		cmocka_unit_test(every_cell_and_load_comes_once_a_round),
		cmocka_unit_test(
		    a_load_runs_once_for_cells_that_are_alike_to_it),
		cmocka_unit_test(what_writes_comes_after_what_reads),
		cmocka_unit_test(restart_says_what_a_start_holds),
		cmocka_unit_test(a_cell_that_no_load_needs_gets_no_start),
		cmocka_unit_test(
		    listed_order_is_the_matrix_order_in_every_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
