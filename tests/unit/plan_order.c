#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan_matrix.h"

static Plan *
new_plan(const Matrix *matrix)
{
	g_autoptr(GError) error = NULL;
	Plan *plan = plan_new(matrix, &error);

	if (plan == NULL)
		fail_msg("no plan: %s", error->message);
	return plan;
}

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
more_rounds_do_not_change_earlier_ones(void **state)
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

typedef struct {
	GHashTable *seen; /* what write_step() says */
	size_t steps, starts, visits;
} Count;

/* Walks a round, checks what must hold everywhere, and counts. */
static Count
count_round(const Plan *plan, size_t number)
{
	g_autoptr(PlanRound) round = plan_round(plan, number);
	g_autofree bool *visited = g_new0(bool, plan->n_servers);
	Count count = { .seen = g_hash_table_new_full(
			    g_str_hash, g_str_equal, g_free, NULL) };

	for (size_t b = 0; b < round->n_blocks; b++)
		for (size_t v = 0; v < round->blocks[b].n_visits; v++) {
			const PlanVisit *visit = &round->blocks[b].visits[v];
			assert_false(visited[visit->server]);
			visited[visit->server] = true;
			count.visits++;
			count.starts += visit->n_starts;
			for (size_t s = 0; s < visit->n_starts; s++) {
				const PlanStart *start = &visit->starts[s];
				assert_true(start->n_steps > 0);
				count.steps += start->n_steps;
				for (size_t i = 0; i < start->n_steps; i++) {
					const PlanStep *step = &start->steps[i];
					const Cell *cell =
					    plan_cell(plan, step->cell);
					assert_int_equal(
					    cell->server, visit->server);
					assert_int_equal(
					    cell->boot, round->blocks[b].boot);
					assert_true(g_hash_table_add(count.seen,
					    write_step(
						plan, visit->server, step)));
				}
			}
		}
	return count;
}

static void
count_is(const Plan *plan, size_t visits, size_t starts, size_t steps)
{
	for (size_t r = 1; r <= 10; r++) {
		const Count count = count_round(plan, r);
		assert_int_equal(count.visits, visits);
		assert_int_equal(count.starts, starts);
		assert_int_equal(count.steps, steps);
		g_hash_table_unref(count.seen);
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
			g_autoptr(PlanRound) round = plan_round(plan, r);
			for (size_t b = 0; b < round->n_blocks; b++)
				for (size_t v = 0;
				     v < round->blocks[b].n_visits; v++) {
					const PlanVisit *visit =
					    &round->blocks[b].visits[v];
					bool wrote = false;
					for (size_t s = 0; s < visit->n_starts;
					     s++) {
						const PlanStart *start =
						    &visit->starts[s];
						if (restarts[p] == RESTART_CELL)
							wrote = false;
						for (size_t i = 0;
						     i < start->n_steps; i++) {
							const size_t l =
							    start->steps[i]
								.load;
							const bool writes =
							    l == 0 || l == 3;
							assert_false(
							    wrote && !writes);
							wrote = writes;
						}
					}
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

/* Reboot marks of rounds 1 to 3, blocks in order: "RR RR RR". */
static char *
write_reboots(const Plan *plan)
{
	GString *text = g_string_new(NULL);

	for (size_t r = 1; r <= 3; r++) {
		g_autoptr(PlanRound) round = plan_round(plan, r);
		for (size_t b = 0; b < round->n_blocks; b++)
			g_string_append_c(
			    text, round->blocks[b].reboot ? 'R' : '-');
		g_string_append_c(text, ' ');
	}
	return g_string_free(text, FALSE);
}

static void
reboots_follow_the_policy(void **state)
{
	/* Rounds of hand_post boot 0 1, 1 0, 0 1: lazy saves two. */
	static const struct {
		BootPolicy policy;
		const char *kernels, *libraries;
	} cases[] = {
		{ BOOT_BLOCK, "RR RR RR ", "- - - " },
		{ BOOT_ROUND, "RR RR RR ", "R R R " },
		{ BOOT_VISIT, "RRRRRRRR RRRRRRRR RRRRRRRR ", "RR RR RR " },
		{ BOOT_LAZY, "RR -R -R ", "- - - " },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(Matrix) kernels = hand_post();
		kernels->design.boot = cases[i].policy;
		g_autoptr(Plan) kernels_plan = new_plan(kernels);
		g_autofree char *marks = write_reboots(kernels_plan);
		assert_string_equal(marks, cases[i].kernels);

		g_autoptr(Matrix) libraries = hand_matrix();
		hand_factor(libraries, "malloc", CLASS_SERVER, "libc,jemalloc");
		hand_load(libraries, "select", false, NULL);
		libraries->design.boot = cases[i].policy;
		g_autoptr(Plan) libraries_plan = new_plan(libraries);
		g_autofree char *few = write_reboots(libraries_plan);
		assert_string_equal(few, cases[i].libraries);
	}
}

static void
a_boot_for_every_visit_mixes_kernels(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	matrix->design.boot = BOOT_VISIT;
	g_autoptr(Plan) plan = new_plan(matrix);
	size_t changes = 0;

	(void)state;
	for (size_t r = 1; r <= 20; r++) {
		g_autoptr(PlanRound) round = plan_round(plan, r);
		assert_int_equal(round->n_blocks, 8);
		for (size_t b = 1; b < 8; b++) {
			assert_int_equal(round->blocks[b].n_visits, 1);
			changes +=
			    round->blocks[b].boot != round->blocks[b - 1].boot;
		}
	}
	/* One a round if kernels were kept together; 4 in the mean if not. */
	assert_true(changes > 60 && changes < 100);
}

/*
 * Every one of the 24 orders of four things, 4800 draws, 200 each expected.
 * The limit is the .999 quantile of chi-square with 23 degrees; the seed is
 * fixed, so this holds always or never.
 */
static void
assert_uniform(const size_t *counts)
{
	double chi_square = 0;

	for (size_t i = 0; i < 256; i++) {
		const size_t a = i & 3, b = i >> 2 & 3, c = i >> 4 & 3;
		const size_t d = i >> 6;
		if ((1u << a | 1u << b | 1u << c | 1u << d) != 15) {
			assert_int_equal(counts[i], 0);
			continue;
		}
		const double off = (double)counts[i] - 200;
		chi_square += off * off / 200;
	}
	assert_true(chi_square < 49.73);
	assert_true(chi_square > 7.53); /* the .001 quantile: too even */
}

static void
all_orders_of_starts_are_equally_likely(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_autoptr(Plan) plan = new_plan(matrix);
	size_t counts[2][256] = { { 0 } }, first = 0;

	(void)state;
	for (size_t r = 1; r <= 4800; r++) {
		g_autoptr(PlanRound) round = plan_round(plan, r);
		first += round->blocks[0].boot == 0;
		for (size_t b = 0; b < 2; b++) {
			const PlanBlock *block = &round->blocks[b];
			size_t key = 0;
			for (size_t v = 0; v < 4; v++)
				key = key << 2 | (block->visits[v].server & 3);
			counts[block->boot][key]++;
		}
	}
	assert_uniform(counts[0]);
	assert_uniform(counts[1]);
	/* 2400 +- 3.3 standard deviations of 34.6 */
	assert_true(first > 2286 && first < 2514);
}

/* Two variables' cells x two loads, in starts as restart says. */
static void
count_step_orders(bool writes, RestartPolicy restart)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_factor(matrix, "clients", CLASS_LOAD, "1,4");
	hand_load(matrix, "a", writes, "clients");
	hand_load(matrix, "b", writes, "clients");
	matrix->design.restart = restart;
	g_autoptr(Plan) plan = new_plan(matrix);
	size_t counts[256] = { 0 };

	for (size_t r = 1; r <= 4800; r++) {
		g_autoptr(PlanRound) round = plan_round(plan, r);
		const PlanVisit *visit = round->blocks[0].visits;
		size_t key = 0;
		for (size_t s = 0; s < visit->n_starts; s++)
			for (size_t i = 0; i < visit->starts[s].n_steps; i++) {
				const PlanStep *step =
				    &visit->starts[s].steps[i];
				key = key << 2 | (step->cell * 2 + step->load);
			}
		counts[key]++;
	}
	assert_uniform(counts);
}

static void
all_orders_of_loads_are_equally_likely(void **state)
{
	(void)state;
	count_step_orders(false, RESTART_VISIT);
	count_step_orders(true, RESTART_VISIT);
	count_step_orders(false, RESTART_LOAD);
	count_step_orders(true, RESTART_LOAD);
}

static void
all_orders_of_cells_with_a_start_are_equally_likely(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_factor(matrix, "clients", CLASS_LOAD, "1,4,16,64");
	hand_load(matrix, "a", false, "clients");
	matrix->design.restart = RESTART_CELL;
	g_autoptr(Plan) plan = new_plan(matrix);
	size_t counts[256] = { 0 };

	(void)state;
	for (size_t r = 1; r <= 4800; r++) {
		g_autoptr(PlanRound) round = plan_round(plan, r);
		const PlanVisit *visit = round->blocks[0].visits;
		size_t key = 0;
		assert_int_equal(visit->n_starts, 4);
		for (size_t s = 0; s < 4; s++)
			key = key << 2 | visit->starts[s].steps[0].cell;
		counts[key]++;
	}
	assert_uniform(counts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_is_the_same_on_every_machine),
		cmocka_unit_test(the_same_seed_gives_the_same_order),
		cmocka_unit_test(another_seed_or_round_gives_another_order),
		cmocka_unit_test(more_rounds_do_not_change_earlier_ones),
		cmocka_unit_test(every_cell_and_load_comes_once_a_round),
		cmocka_unit_test(
		    a_load_runs_once_for_cells_that_are_alike_to_it),
		cmocka_unit_test(what_writes_comes_after_what_reads),
		cmocka_unit_test(restart_says_what_a_start_holds),
		cmocka_unit_test(a_cell_that_no_load_needs_gets_no_start),
		cmocka_unit_test(
		    listed_order_is_the_matrix_order_in_every_round),
		cmocka_unit_test(reboots_follow_the_policy),
		cmocka_unit_test(a_boot_for_every_visit_mixes_kernels),
		cmocka_unit_test(all_orders_of_starts_are_equally_likely),
		cmocka_unit_test(all_orders_of_loads_are_equally_likely),
		cmocka_unit_test(
		    all_orders_of_cells_with_a_start_are_equally_likely),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
