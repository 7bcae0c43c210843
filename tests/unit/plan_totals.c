#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan_matrix.h"

/* What totals.c assumes, in milliseconds. */
enum { REBOOT = 120000, START = 2000, PROOF = 200, RUN = 200 };

/* A load whose runs take so long. */
static Load *
timed_load(Matrix *matrix, const char *name, const char *seconds)
{
	Load *load = hand_load(matrix, name, false, NULL);

	hand_add_key(load->def, "time", "10");
	load->def->length_key = g_strdup("time");
	if (seconds != NULL)
		hand_give_key(load, "time", seconds);
	return load;
}

static Matrix *
one_cell(void)
{
	Matrix *matrix = hand_matrix();

	matrix->design.warmup_runs = 0;
	matrix->design.runs = 1;
	return matrix;
}

static int64_t
run_ms(const Matrix *matrix, size_t cell)
{
	g_autoptr(Plan) plan = new_plan(matrix);

	return plan_run_ms(plan, &(PlanStep){ .cell = cell, .load = 0 });
}

/* Counts the same things by walking every round. */
static void
assert_counted(const Plan *plan, size_t rounds)
{
	const PlanTotals totals = plan_totals(plan, rounds);
	const size_t runs = (size_t)plan->matrix->design.runs;
	size_t reboots = plan->boot_class ? 1 : 0, visits = 0, starts = 0;
	size_t steps = 0;

	for (size_t r = 1; r <= rounds; r++) {
		g_autoptr(PlanRound) round = plan_round(plan, r);
		for (size_t b = 0; b < round->n_blocks; b++) {
			const PlanBlock *block = &round->blocks[b];
			reboots += block->reboot;
			visits += block->n_visits;
			for (size_t v = 0; v < block->n_visits; v++) {
				const PlanVisit *visit = &block->visits[v];
				starts += visit->n_starts;
				for (size_t s = 0; s < visit->n_starts; s++)
					steps += visit->starts[s].n_steps;
			}
		}
	}
	assert_int_equal(totals.reboots, reboots);
	assert_int_equal(totals.visits, visits);
	assert_int_equal(totals.starts, starts);
	assert_int_equal(totals.proofs, 2 * starts);
	assert_int_equal(totals.runs, steps * runs);
	assert_int_equal(totals.warmups, steps);
}

static void
totals_are_what_the_rounds_hold(void **state)
{
	static const BootPolicy boots[] = { BOOT_BLOCK, BOOT_ROUND, BOOT_VISIT,
		BOOT_LAZY };
	static const RestartPolicy restarts[] = { RESTART_VISIT, RESTART_CELL,
		RESTART_LOAD };

	(void)state;
	for (size_t b = 0; b < G_N_ELEMENTS(boots); b++)
		for (size_t s = 0; s < G_N_ELEMENTS(restarts); s++)
			for (int aa = 0; aa < 2; aa++) {
				g_autoptr(Matrix) matrix = hand_post();
				hand_factor(
				    matrix, "clients", CLASS_LOAD, "1,4");
				hand_load(matrix, "insert", true, "clients");
				matrix->design.boot = boots[b];
				matrix->design.restart = restarts[s];
				matrix->design.aa = aa != 0;
				g_autoptr(Plan) plan = new_plan(matrix);
				assert_counted(plan, 1);
				assert_counted(plan, 7);
			}
}

/* The night of the mock: 16 boots and one, 32 starts, 128 runs. */
static void
the_post_needs_what_it_says(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_factor(matrix, "kernel", CLASS_BOOT, "4BSD,ULE");
	hand_factor(matrix, "threadlib", CLASS_SERVER, "libpthread,libthr");
	hand_load(matrix, "select", false, NULL);
	hand_load(matrix, "update", true, NULL);
	g_autoptr(Plan) plan = new_plan(matrix);
	const PlanTotals totals = plan_totals(plan, 8);

	(void)state;
	assert_int_equal(totals.reboots, 17);
	assert_int_equal(totals.starts, 32);
	assert_int_equal(totals.runs, 128);
	assert_int_equal(totals.warmups, 64);
	assert_int_equal(totals.unknown_runs, 128);
	assert_int_equal(totals.unknown_warmups, 64);
	assert_int_equal(totals.ms, 0);
}

static void
time_is_the_sum_of_its_parts(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_factor(matrix, "kernel", CLASS_BOOT, "4BSD,ULE");
	timed_load(matrix, "select", "3");
	g_autoptr(Plan) plan = new_plan(matrix);
	const PlanTotals totals = plan_totals(plan, 5);

	(void)state;
	/* 10 visits of 2 runs and 1 warm-up. */
	assert_int_equal(totals.reboot_ms, 11 * REBOOT);
	assert_int_equal(totals.start_ms, 10 * START);
	assert_int_equal(totals.proof_ms, 20 * PROOF);
	assert_int_equal(totals.run_ms, 20 * (3000 + RUN));
	assert_int_equal(totals.warmup_ms, 10 * (3000 + RUN));
	assert_int_equal(totals.unknown_runs, 0);
	assert_int_equal(totals.ms,
	    totals.reboot_ms + totals.start_ms + totals.proof_ms +
		totals.run_ms + totals.warmup_ms);
	assert_int_equal(plan_night_ms(plan, 5), totals.ms);
}

static void
without_a_server_nothing_is_started(void **state)
{
	g_autoptr(Matrix) matrix = one_cell();
	matrix->server.kind = SERVER_NONE;
	timed_load(matrix, "select", "3");
	g_autoptr(Plan) plan = new_plan(matrix);
	const PlanTotals totals = plan_totals(plan, 5);

	(void)state;
	assert_int_equal(totals.starts, 0);
	assert_int_equal(totals.visits, 5);
	assert_int_equal(totals.ms, 10 * PROOF + 5 * (3000 + RUN));
}

static void
a_length_is_given_or_the_definitions(void **state)
{
	(void)state;
	g_autoptr(Matrix) given = one_cell();
	timed_load(given, "select", "2.5");
	assert_int_equal(run_ms(given, 0), 2500);
	g_autoptr(Matrix) fallback = one_cell();
	timed_load(fallback, "select", NULL);
	assert_int_equal(run_ms(fallback, 0), 10000);
	g_autoptr(Matrix) unit = one_cell();
	timed_load(unit, "select", "1min");
	assert_int_equal(run_ms(unit, 0), 60000);
}

static void
a_length_may_be_a_variable(void **state)
{
	(void)state;
	g_autoptr(Matrix) key = one_cell();
	hand_factor(key, "seconds", CLASS_LOAD, "3,30");
	g_ptr_array_add(timed_load(key, "select", "{seconds}")->variables,
	    g_strdup("seconds"));
	assert_int_equal(run_ms(key, 0), 3000);
	assert_int_equal(run_ms(key, 1), 30000);
	g_autoptr(Matrix) named = one_cell();
	hand_factor(named, "time", CLASS_LOAD, "4,40");
	g_ptr_array_add(
	    timed_load(named, "select", NULL)->variables, g_strdup("time"));
	assert_int_equal(run_ms(named, 0), 4000);
	assert_int_equal(run_ms(named, 1), 40000);
}

static void
what_tells_no_length_is_not_known(void **state)
{
	static const char *const texts[] = { "0", "-3", "many", "{unknown}",
		"{half", "{", "{seconds}0", "1e300" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(Matrix) matrix = one_cell();
		timed_load(matrix, "select", texts[i]);
		assert_int_equal(run_ms(matrix, 0), 0);
	}
	g_autoptr(Matrix) keyless = one_cell();
	hand_add_key(
	    hand_load(keyless, "select", false, NULL)->def, "time", "10");
	assert_int_equal(run_ms(keyless, 0), 0);
}

static void
a_partly_known_night_is_at_least_so_long(void **state)
{
	g_autoptr(Matrix) matrix = one_cell();
	timed_load(matrix, "select", "3");
	hand_load(matrix, "count", false, NULL);
	g_autoptr(Plan) plan = new_plan(matrix);
	const PlanTotals totals = plan_totals(plan, 5);

	(void)state;
	assert_int_equal(totals.runs, 10);
	assert_int_equal(totals.unknown_runs, 5);
	assert_int_equal(totals.ms, 5 * START + 10 * PROOF + 5 * (3000 + RUN));
}

static void
a_warm_up_by_time_is_the_tools_or_one_run(void **state)
{
	(void)state;
	g_autoptr(Matrix) tool = one_cell();
	tool->design.warmup_ms = 1000;
	timed_load(tool, "select", "3")->def->warmup_key = g_strdup("warmup");
	g_autoptr(Plan) tool_plan = new_plan(tool);
	const PlanTotals by_tool = plan_totals(tool_plan, 5);
	assert_int_equal(by_tool.warmups, 0);
	assert_int_equal(by_tool.run_ms, 5 * (4000 + RUN));

	g_autoptr(Matrix) run = one_cell();
	run->design.warmup_ms = 1000;
	timed_load(run, "select", "3");
	g_autoptr(Plan) run_plan = new_plan(run);
	const PlanTotals by_run = plan_totals(run_plan, 5);
	assert_int_equal(by_run.warmups, 5);
	assert_int_equal(by_run.run_ms, 5 * (3000 + RUN));
	assert_int_equal(by_run.warmup_ms, 5 * (1000 + RUN));
}

/* lab2 and lab3 beside lab1, all measured from there. */
static void
add_targets(Matrix *matrix, const char *client)
{
	for (int i = 2; i <= 3; i++) {
		Host *host = g_new0(Host, 1);
		host->name = g_strdup_printf("lab%d", i);
		host->ssh = g_strdup(host->name);
		host->os = g_strdup("linux");
		host->client = g_strdup(client);
		g_ptr_array_add(matrix->targets, host);
	}
}

static void
targets_wait_for_their_client_host_only(void **state)
{
	(void)state;
	g_autoptr(Matrix) apart = one_cell();
	timed_load(apart, "select", "3");
	add_targets(apart, "target");
	g_autoptr(Plan) apart_plan = new_plan(apart);
	const PlanTotals one = plan_totals(apart_plan, 5);
	assert_int_equal(plan_night_ms(apart_plan, 5), one.ms);

	g_autoptr(Matrix) together = one_cell();
	timed_load(together, "select", "3");
	add_targets(together, "gen1");
	g_autoptr(Plan) together_plan = new_plan(together);
	assert_int_equal(plan_night_ms(together_plan, 5), one.ms + one.run_ms);
}

static void
shared_rounds_are_dealt_whole(void **state)
{
	g_autoptr(Matrix) matrix = one_cell();
	timed_load(matrix, "select", "3");
	add_targets(matrix, "target");
	matrix->design.share = true;
	g_autoptr(Plan) plan = new_plan(matrix);

	(void)state;
	assert_int_equal(plan_night_ms(plan, 5), plan_totals(plan, 2).ms);
	assert_int_equal(plan_night_ms(plan, 6), plan_totals(plan, 2).ms);
	assert_int_equal(plan_night_ms(plan, 7), plan_totals(plan, 3).ms);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_what_the_rounds_hold),
		cmocka_unit_test(the_post_needs_what_it_says),
		cmocka_unit_test(time_is_the_sum_of_its_parts),
		cmocka_unit_test(without_a_server_nothing_is_started),
		cmocka_unit_test(a_length_is_given_or_the_definitions),
		cmocka_unit_test(a_length_may_be_a_variable),
		cmocka_unit_test(what_tells_no_length_is_not_known),
		cmocka_unit_test(a_partly_known_night_is_at_least_so_long),
		cmocka_unit_test(a_warm_up_by_time_is_the_tools_or_one_run),
		cmocka_unit_test(targets_wait_for_their_client_host_only),
		cmocka_unit_test(shared_rounds_are_dealt_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
