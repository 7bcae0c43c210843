#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "plan/plan.h"
#include "store/store.h"

static const char text[] =
    "targets = ( { name = \"a\"; ssh = \"a\"; os = \"linux\"; },\n"
    "            { name = \"b\"; ssh = \"b\"; os = \"linux\"; } );\n"
    "factors: { sync = ( { name = \"off\"; },\n"
    "    { name = \"on\"; mysqld = [ \"sync_binlog=1\" ]; } ); };\n"
    "server: { command = \"/usr/sbin/mariadbd\"; };\n"
    "loads = ( { use = \"command\"; name = \"true\"; command = \"true\"; } );\n"
    "design: { rounds = 2; };\n";

typedef struct {
	Matrix *matrix;
	Plan *plan;
	Store *store;
} Night;

static Night
make_night(void **state)
{
	GError *error = NULL;
	Night night = { 0 };

	night.matrix = matrix_parse(text, strlen(text), "night.cfg", &error);
	if (night.matrix != NULL)
		night.plan = plan_new(night.matrix, &error);
	if (night.plan != NULL)
		night.store = store_create(*state, night.plan, "1", &error);
	if (error != NULL)
		fail_msg("%s", error->message);
	return night;
}

static void
free_night(Night *night)
{
	store_close(night->store);
	plan_free(night->plan);
	matrix_free(night->matrix);
}

/* Ends one visit of a target; returns its row. */
static int64_t
end_visit(Store *store, size_t target, size_t round, size_t block,
    size_t server, VisitStatus status)
{
	const int64_t visit = store_visit_begin(
	    store, target, round, block, server, 0, STORE_ATTEMPTS, NULL);

	assert_true(visit > 0);
	assert_true(
	    store_visit_end(store, visit, status, FAILURE_NONE, "why", NULL));
	return visit;
}

/* Ends all visits of the night but the last one of the last target. */
static void
end_all_but_one(const Night *night, size_t *block, size_t *server)
{
	for (size_t number = 1; number <= 2; number++) {
		g_autoptr(PlanRound) round = plan_round(night->plan, number);
		for (size_t target = 0; target < 2; target++)
			for (size_t i = 0; i < round->n_blocks; i++)
				for (size_t j = 0;
				     j < round->blocks[i].n_visits; j++) {
					*block = i;
					*server =
					    round->blocks[i].visits[j].server;
					if (target == 1 && number == 2 &&
					    i + 1 == round->n_blocks &&
					    j + 1 == round->blocks[i].n_visits)
						return;
					(void)end_visit(night->store, target,
					    number, i, *server, VISIT_VALID);
				}
	}
}

static void
a_night_is_finished_when_its_last_visit_is(void **state)
{
	Night night = make_night(state);
	size_t block = 0, server = 0;

	assert_false(store_finished(night.store, night.plan));
	end_all_but_one(&night, &block, &server);
	assert_false(store_finished(night.store, night.plan));
	(void)end_visit(night.store, 1, 2, block, server, VISIT_INTERRUPTED);
	assert_false(store_finished(night.store, night.plan));
	const int64_t last =
	    end_visit(night.store, 1, 2, block, server, VISIT_FAILED);
	assert_true(store_finished(night.store, night.plan));
	assert_true(store_visit_end(night.store, last, VISIT_SUPERSEDED,
	    FAILURE_NONE, "boot lost", NULL));
	assert_false(store_finished(night.store, night.plan));
	free_night(&night);
}

/* Without the plan, for a matrix that has changed since. */
static void
a_store_knows_by_itself_whether_it_has_ended(void **state)
{
	Night night = make_night(state);
	size_t block = 0, server = 0;

	assert_false(store_ended(night.store));
	end_all_but_one(&night, &block, &server);
	assert_false(store_ended(night.store));
	(void)end_visit(night.store, 1, 2, block, server, VISIT_INTERRUPTED);
	assert_false(store_ended(night.store));
	(void)end_visit(night.store, 1, 1, block, server, VISIT_VALID);
	assert_false(store_ended(night.store));
	(void)end_visit(night.store, 1, 2, block, server, VISIT_FAILED);
	assert_true(store_ended(night.store));
	assert_true(store_rounds(night.store, 3, "extended", "", NULL));
	assert_false(store_ended(night.store));
	free_night(&night);
}

static void
a_change_that_can_be_undone_is_due(void **state)
{
	Night night = make_night(state);
	StoreUndo row = { .target = 1,
		.kind = (char *)"command",
		.name = (char *)"apply",
		.scope = (char *)"disk" };

	assert_false(store_undo_due(night.store));
	assert_true(store_undo_intend(night.store, &row, NULL) > 0);
	assert_false(store_undo_due(night.store));
	row.old_value = (char *)"undo";
	const int64_t id = store_undo_intend(night.store, &row, NULL);
	assert_true(id > 0 && store_undo_due(night.store));
	assert_true(store_undo_set(night.store, id, UNDO_DONE, NULL));
	assert_true(store_undo_due(night.store));
	assert_true(store_undo_set(night.store, id, UNDO_UNDONE, NULL));
	assert_false(store_undo_due(night.store));
	free_night(&night);
}

static void
more_rounds_make_a_night_unfinished(void **state)
{
	Night night = make_night(state);
	size_t block = 0, server = 0;

	end_all_but_one(&night, &block, &server);
	(void)end_visit(night.store, 1, 2, block, server, VISIT_INVALID);
	assert_true(store_finished(night.store, night.plan));
	night.matrix->design.rounds = 3;
	assert_false(store_finished(night.store, night.plan));
	free_night(&night);
}

static void
a_shared_round_is_done_by_one_target(void **state)
{
	Night night = make_night(state);
	size_t block = 0, server = 0;

	/* All is done on the first target; of the second nothing is asked. */
	end_all_but_one(&night, &block, &server);
	assert_false(store_finished(night.store, night.plan));
	night.matrix->design.share = true;
	assert_true(store_finished(night.store, night.plan));
	free_night(&night);
}

static void
a_real_plan_comes_back(void **state)
{
	Night night = make_night(state);
	g_autoptr(StoreData) data = store_read(night.store, NULL);

	assert_int_equal(data->cells->len, 2);
	assert_true(data->seed == night.plan->seed);
	assert_string_equal(data->identity, night.plan->identity);
	assert_string_equal(store_identity(night.store), night.plan->identity);
	const DataFactor *sync = data->factors->pdata[0];
	assert_string_equal(sync->settings->pdata[1], "mysqld sync_binlog=1");
	for (guint i = 0; i < 2; i++) {
		const Cell *cell = plan_cell(night.plan, i);
		const DataCell *kept = data->cells->pdata[i];
		assert_string_equal(kept->name, cell->name);
		assert_int_equal(kept->server, cell->server);
		assert_int_equal(
		    g_array_index(kept->levels, size_t, 0), cell->level[0]);
	}
	free_night(&night);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(a_night_is_finished_when_its_last_visit_is),
		with_parent(a_store_knows_by_itself_whether_it_has_ended),
		with_parent(a_change_that_can_be_undone_is_due),
		with_parent(more_rounds_make_a_night_unfinished),
		with_parent(a_shared_round_is_done_by_one_target),
		with_parent(a_real_plan_comes_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
