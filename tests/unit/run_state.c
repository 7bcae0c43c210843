#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/state_log.h"

static Matrix *
parse(const char *loads)
{
	g_autofree char *text =
	    g_strdup_printf("targets = ( { name = \"a\"; os = \"linux\"; } );"
			    "server: { command = \"mysqld\"; };"
			    "factors: { preload = [ \"default\" ]; };"
			    "loads = ( %s );",
		loads);
	g_autoptr(GError) error = NULL;
	Matrix *matrix =
	    matrix_parse(text, strlen(text), "tests/data/matrix/x.cfg", &error);

	if (matrix == NULL)
		fail_msg("%s", error->message);
	return matrix;
}

/* One load of the given reset ("" for none), with a table of its own. */
#define LOAD(name, reset)                                                      \
	"{ use = \"command\"; name = \"" name "\"; command = \"true\"; "       \
	"restore = \"true\"; tables = [ \"" name "\" ]; " reset " }"
#define RESET(word) "reset = \"" word "\";"

/* R for a reset, r for a run: what a number of runs in a start are made of. */
static char *
runs_of_start(StateLog *log, size_t round, size_t load, int runs)
{
	GString *done = g_string_new(NULL);

	state_log_start(log, round);
	if (state_log_due_at_start(log, load)) {
		state_log_reset(log, load);
		g_string_append_c(done, 'S');
	}
	state_log_step(log);
	for (int i = 0; i < runs; i++) {
		if (state_log_due(log, load)) {
			state_log_reset(log, load);
			g_string_append_c(done, 'R');
		}
		if (state_log_look(log, load))
			g_string_append_c(done, '?');
		state_log_run(log, load);
		g_string_append_c(done, 'r');
	}
	return g_string_free(done, FALSE);
}

static void
expect_starts(const char *loads, const size_t *rounds, size_t load,
    const char *const *wanted)
{
	g_autoptr(Matrix) matrix = parse(loads);
	g_autoptr(StateLog) log = state_log_new(matrix);

	for (size_t i = 0; wanted[i] != NULL; i++) {
		g_autofree char *done = runs_of_start(log, rounds[i], load, 2);
		assert_string_equal(done, wanted[i]);
	}
}

static void
resets_come_as_often_as_asked_for(void **state)
{
	static const size_t rounds[] = { 1, 1, 2, 2 };
	static const char *const run[] = { "R?rR?r", "R?rR?r", NULL };
	static const char *const start[] = { "R?rr", "R?rr", "R?rr", NULL };
	static const char *const round[] = { "R?rr", "rr", "R?rr", "rr", NULL };
	static const char *const never[] = { "?r?r", "?r?r", NULL };
	static const char *const reads[] = { "?rr", "?rr", NULL };

	(void)state;
	expect_starts(LOAD("t", RESET("run")), rounds, 0, run);
	expect_starts(LOAD("t", RESET("start")), rounds, 0, start);
	expect_starts(LOAD("t", RESET("round")), rounds, 0, round);
	expect_starts(LOAD("t", RESET("never")), rounds, 0, never);
	expect_starts(LOAD("t", ""), rounds, 0, reads);
}

/* A load that reads the same table, or none that is known. */
#define SAME_TABLE                                                             \
	", { use = \"command\"; name = \"reads\"; command = \"true\"; "        \
	"tables = [ \"t\" ]; }"
#define NO_TABLE                                                               \
	", { use = \"command\"; name = \"reads\"; command = \"true\"; }"

static void
a_start_with_loads_that_read_begins_with_a_reset(void **state)
{
	static const size_t rounds[] = { 1, 1, 2 };
	static const char *const run[] = { "S?rR?r", "S?rR?r", NULL };
	static const char *const start[] = { "S?rr", "S?rr", "S?rr", NULL };
	static const char *const round[] = { "R?rr", "rr", "R?rr", NULL };
	static const char *const other[] = { "R?rr", "R?rr", NULL };

	(void)state;
	expect_starts(LOAD("t", RESET("run")) SAME_TABLE, rounds, 0, run);
	expect_starts(LOAD("t", RESET("start")) SAME_TABLE, rounds, 0, start);
	expect_starts(LOAD("t", RESET("start")) NO_TABLE, rounds, 0, start);
	expect_starts(LOAD("t", RESET("round")) SAME_TABLE, rounds, 0, round);
	expect_starts(
	    LOAD("t", RESET("start")) ", " LOAD("u", ""), rounds, 0, other);
}

static void
what_another_load_wrote_is_reset_before_ones_first_run(void **state)
{
	g_autoptr(Matrix) matrix = parse(LOAD("t",
	    RESET("start")) ", { use = \"command\"; name = \"u\"; command = "
			    "\"true\"; restore = \"true\"; tables = [ \"t\" ]; "
			    "reset = \"start\"; }" SAME_TABLE);
	g_autoptr(StateLog) log = state_log_new(matrix);

	(void)state;
	state_log_start(log, 1);
	assert_true(state_log_due_at_start(log, 0));
	state_log_reset(log, 0);
	assert_true(state_log_due_at_start(log, 1));
	state_log_reset(log, 1);
	assert_false(state_log_due_at_start(log, 2));
	assert_false(state_log_due(log, 0));
	state_log_run(log, 0);
	assert_false(state_log_due(log, 0));
	assert_true(state_log_due(log, 1));
	state_log_reset(log, 1);
	assert_false(state_log_due(log, 1));
	assert_int_equal(state_log_compare(log, "t"), STATE_ALL);
	state_log_run(log, 1);
	assert_false(state_log_due(log, 0));
	assert_int_equal(state_log_compare(log, "t"), STATE_NOTHING);
}

static void
a_table_is_compared_unless_a_load_may_have_changed_it(void **state)
{
	g_autoptr(Matrix) matrix = parse(LOAD("run", RESET("run")) ", " LOAD(
	    "round", RESET("round")) ", " LOAD("never",
	    RESET("never")) ", " LOAD("reads", ""));
	g_autoptr(StateLog) log = state_log_new(matrix);

	(void)state;
	assert_int_equal(state_log_compare(log, "run"), STATE_ALL);
	assert_int_equal(state_log_compare(log, "round"), STATE_ALL);
	assert_int_equal(state_log_compare(log, "never"), STATE_ROWS);
	assert_int_equal(state_log_compare(log, "reads"), STATE_ALL);
	state_log_start(log, 1);
	for (size_t i = 0; i < matrix->loads->len; i++)
		state_log_run(log, i);
	assert_int_equal(state_log_compare(log, "run"), STATE_NOTHING);
	assert_int_equal(state_log_compare(log, "round"), STATE_NOTHING);
	assert_int_equal(state_log_compare(log, "never"), STATE_ROWS);
	assert_int_equal(state_log_compare(log, "reads"), STATE_ALL);
	state_log_start(log, 1);
	assert_int_equal(state_log_compare(log, "run"), STATE_NOTHING);
	state_log_reset(log, 0);
	assert_int_equal(state_log_compare(log, "run"), STATE_ALL);
	assert_int_equal(state_log_compare(log, "round"), STATE_NOTHING);
}

static void
a_change_is_told_as_wanted_and_seen(void **state)
{
	const StateTable wanted = { .rows = (char *)"20",
		.checksum = (char *)"77" };
	const StateTable rows = { .rows = (char *)"19",
		.checksum = (char *)"77" };
	const StateTable sum = { .rows = (char *)"20",
		.checksum = (char *)"78" };
	const StateTable gone = { .trouble = (char *)"no such table" };
	g_autofree char *of_rows = state_judge("t", STATE_ROWS, &wanted, &rows);
	g_autofree char *of_sum = state_judge("t", STATE_ALL, &wanted, &sum);
	g_autofree char *of_both = state_judge("t", STATE_ALL, &wanted, &rows);
	g_autofree char *of_gone = state_judge("t", STATE_ALL, &wanted, &gone);

	(void)state;
	assert_null(state_judge("t", STATE_ALL, &wanted, &wanted));
	assert_null(state_judge("t", STATE_ROWS, &wanted, &sum));
	assert_null(state_judge("t", STATE_NOTHING, &wanted, &rows));
	assert_string_equal(
	    of_rows, "data changed: wanted 20 rows in t; seen 19 rows");
	assert_string_equal(of_sum,
	    "data changed: wanted 20 rows, checksum 77 in t; seen 20 rows, "
	    "checksum 78");
	assert_string_equal(of_both,
	    "data changed: wanted 20 rows, checksum 77 in t; seen 19 rows, "
	    "checksum 77");
	assert_string_equal(of_gone,
	    "data changed: wanted 20 rows, checksum 77 in t; seen no such "
	    "table");
}

static void
what_was_found_counts_until_the_next_reset(void **state)
{
	g_autoptr(Matrix) matrix = parse(LOAD("t", RESET("start")));
	g_autoptr(StateLog) log = state_log_new(matrix);

	(void)state;
	state_log_start(log, 1);
	state_log_reset(log, 0);
	assert_null(state_log_changed(log, 0));
	state_log_found(log, 0, g_strdup("why"));
	state_log_run(log, 0);
	assert_false(state_log_look(log, 0));
	assert_string_equal(state_log_changed(log, 0), "why");
	state_log_step(log);
	assert_false(state_log_look(log, 0));
	assert_string_equal(state_log_changed(log, 0), "why");
	state_log_reset(log, 0);
	assert_null(state_log_changed(log, 0));
}

static void
a_load_is_prepared_once_a_start(void **state)
{
	g_autoptr(Matrix) matrix = parse(LOAD("t", "") ", " LOAD("u", ""));
	g_autoptr(StateLog) log = state_log_new(matrix);

	(void)state;
	for (size_t round = 1; round <= 2; round++) {
		state_log_start(log, round);
		assert_true(state_log_prepare(log, 0));
		state_log_step(log);
		assert_false(state_log_prepare(log, 0));
		assert_true(state_log_prepare(log, 1));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resets_come_as_often_as_asked_for),
		cmocka_unit_test(
		    a_start_with_loads_that_read_begins_with_a_reset),
		cmocka_unit_test(
		    what_another_load_wrote_is_reset_before_ones_first_run),
		cmocka_unit_test(
		    a_table_is_compared_unless_a_load_may_have_changed_it),
		cmocka_unit_test(a_change_is_told_as_wanted_and_seen),
		cmocka_unit_test(what_was_found_counts_until_the_next_reset),
		cmocka_unit_test(a_load_is_prepared_once_a_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
