#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan_matrix.h"

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
		cmocka_unit_test(all_orders_of_starts_are_equally_likely),
		cmocka_unit_test(all_orders_of_loads_are_equally_likely),
		cmocka_unit_test(
		    all_orders_of_cells_with_a_start_are_equally_likely),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
