#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "base/error.h"
#include "store/store.h"
#include "store_reading.h"

static void
a_boot_a_visit_and_a_start_come_back(void **state)
{
	Store *store = create_store(state);
	const int64_t boot =
	    store_boot(store, 1, "b00t", "6.1.0 #1 SMP", true, NULL);
	const int64_t visit = begin_visit(store, boot);
	assert_true(
	    store_start(store, visit, 0, 4711, "11.4", NULL, 812, NULL) > 0);
	assert_true(store_visit_end(store, visit, VISIT_INVALID,
	    FAILURE_WRONG_LIBRARY, "library not mapped", NULL));
	assert_true(begin_visit(store, 0) > visit);

	g_autoptr(StoreData) data = read_again(store);
	const DataBoot *b = data->boots->pdata[0];
	assert_int_equal(b->id, boot);
	assert_int_equal(b->target, 1);
	assert_string_equal(b->boot_id, "b00t");
	assert_string_equal(b->kernel, "6.1.0 #1 SMP");
	assert_true(b->made);
	assert_true(b->began >= data->began);

	assert_int_equal(data->visits->len, 2);
	const DataVisit *v = data->visits->pdata[0];
	assert_int_equal(v->id, visit);
	assert_int_equal(v->target, 1);
	assert_int_equal(v->round, 2);
	assert_int_equal(v->block, 3);
	assert_int_equal(v->server, 1);
	assert_int_equal(v->boot, boot);
	assert_int_equal(v->attempt, 2);
	assert_int_equal(v->status, VISIT_INVALID);
	assert_string_equal(v->reason, "library not mapped");
	assert_true(v->ended >= v->began);
	v = data->visits->pdata[1];
	assert_int_equal(v->boot, 0);
	assert_int_equal(v->status, VISIT_RUNNING);
	assert_null(v->reason);
	assert_true(v->ended == 0);

	const DataStart *s = data->starts->pdata[0];
	assert_int_equal(s->visit, visit);
	assert_int_equal(s->index, 0);
	assert_int_equal(s->pid, 4711);
	assert_string_equal(s->version, "11.4");
	assert_null(s->exe_sha256);
	assert_int_equal(s->ready_ms, 812);
}

static void
a_run_comes_back_with_its_samples(void **state)
{
	static const char *const metrics[] = { "tps", "wall" };
	static const double values[] = { 1234.5678901234567, 1e-300 };
	Store *store = create_store(state);
	const int64_t visit = begin_visit(store, 0);
	const int64_t start =
	    store_start(store, visit, 0, 1, NULL, NULL, 1, NULL);
	const StoreRun good = { .visit = visit,
		.start = start,
		.cell = 2,
		.load = 1,
		.number = 1,
		.good = true,
		.flag = "others used 7 %",
		.began = 2e9,
		.wall_ms = 3004,
		.raw = "v1-r1.out",
		.n_samples = 2,
		.metrics = metrics,
		.values = values };
	const StoreRun bad = { .visit = visit,
		.number = -1,
		.warmup = true,
		.failure = FAILURE_LOAD_FAILED,
		.reason = "exit 1",
		.began = 1.5e9 };
	const int64_t id = store_run(store, &good, NULL);
	assert_true(id > 0);
	assert_true(store_run(store, &bad, NULL) > id);

	g_autoptr(StoreData) data = read_again(store);
	assert_int_equal(data->runs->len, 2);
	const DataRun *run = data->runs->pdata[0];
	assert_int_equal(run->id, id);
	assert_int_equal(run->visit, visit);
	assert_int_equal(run->start, start);
	assert_int_equal(run->cell, 2);
	assert_int_equal(run->load, 1);
	assert_int_equal(run->number, 1);
	assert_true(run->good);
	assert_false(run->warmup);
	assert_null(run->reason);
	assert_string_equal(run->flag, "others used 7 %");
	assert_true(run->began == 2e9);
	assert_int_equal(run->wall_ms, 3004);
	assert_string_equal(run->raw, "v1-r1.out");
	assert_true(data->ended == 2e9 + 3.004);
	run = data->runs->pdata[1];
	assert_int_equal(run->start, 0);
	assert_int_equal(run->number, -1);
	assert_true(run->warmup);
	assert_false(run->good);
	assert_string_equal(run->reason, "exit 1");
	assert_null(run->raw);

	assert_int_equal(data->samples->len, 2);
	for (size_t i = 0; i < 2; i++) {
		const DataSample *sample = data->samples->pdata[i];
		assert_int_equal(sample->run, id);
		assert_string_equal(sample->metric, metrics[i]);
		assert_true(sample->value == values[i]);
	}
}

static void
only_ended_visits_are_done(void **state)
{
	static const struct {
		VisitStatus status;
		int attempt;
		bool done;
	} cases[] = {
		{ VISIT_RUNNING, 1, false },
		{ VISIT_VALID, 1, true },
		{ VISIT_INVALID, 1, true },
		{ VISIT_FAILED, 1, false },
		{ VISIT_FAILED, STORE_ATTEMPTS, true },
		{ VISIT_INTERRUPTED, STORE_ATTEMPTS, false },
		{ VISIT_SUPERSEDED, 1, false },
	};
	g_autoptr(Store) store = create_store(state);

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const int64_t visit = store_visit_begin(
		    store, 1, i + 1, 0, i % 2, 0, cases[i].attempt, NULL);
		if (cases[i].status != VISIT_RUNNING)
			assert_true(store_visit_end(store, visit,
			    cases[i].status, FAILURE_NONE, "why", NULL));
	}
	g_autoptr(GHashTable) done = store_done(store, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *key =
		    g_strdup_printf("1/%zu/0/%zu", i + 1, i % 2);
		assert_int_equal(
		    g_hash_table_contains(done, key), cases[i].done);
	}
}

static void
visits_of_a_lost_boot_are_superseded_within_their_block(void **state)
{
	g_autoptr(Store) store = create_store(state);
	const int64_t lost = store_boot(store, 0, "one", "", false, NULL);
	const int64_t now = store_boot(store, 0, "two", "", false, NULL);
	const struct {
		size_t target, round, block;
		int64_t boot;
		VisitStatus status;
		bool superseded;
	} cases[] = {
		{ 0, 1, 2, lost, VISIT_VALID, true },
		{ 0, 1, 2, lost, VISIT_FAILED, true },
		{ 0, 1, 2, lost, VISIT_INVALID, true },
		{ 0, 1, 2, lost, VISIT_INTERRUPTED, false },
		{ 0, 1, 2, lost, VISIT_RUNNING, false },
		{ 0, 1, 2, now, VISIT_VALID, false },
		{ 0, 1, 2, 0, VISIT_FAILED, false },
		{ 0, 1, 1, lost, VISIT_VALID, false },
		{ 0, 2, 2, lost, VISIT_VALID, false },
		{ 1, 1, 2, lost, VISIT_VALID, false },
	};
	size_t n = 9;

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const int64_t visit = store_visit_begin(store, cases[i].target,
		    cases[i].round, cases[i].block, 0, cases[i].boot, 1, NULL);
		if (cases[i].status != VISIT_RUNNING)
			assert_true(
			    store_visit_end(store, visit, cases[i].status,
				cases[i].status == VISIT_VALID
				    ? FAILURE_NONE
				    : FAILURE_LOAD_FAILED,
				cases[i].status == VISIT_VALID ? NULL : "why",
				NULL));
	}
	assert_true(store_supersede(store, 0, 1, 2, now, "lost", &n, NULL));
	assert_int_equal(n, 3);
	g_autoptr(StoreData) data = read_store(store);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const DataVisit *visit = data->visits->pdata[i];
		assert_int_equal(visit->status,
		    cases[i].superseded ? VISIT_SUPERSEDED : cases[i].status);
		if (cases[i].superseded)
			assert_string_equal(visit->reason,
			    cases[i].status == VISIT_VALID ? "lost"
							   : "why; lost");
		if (cases[i].superseded)
			assert_string_equal(visit->failure,
			    cases[i].status == VISIT_VALID ? "UNEXPECTED_REBOOT"
							   : "LOAD_FAILED");
	}
	assert_true(store_supersede(store, 0, 1, 2, now, "lost", &n, NULL));
	assert_int_equal(n, 0);
}

static void
a_superseded_visit_keeps_the_time_of_its_end(void **state)
{
	g_autoptr(Store) store = create_store(state);
	const int64_t visit = begin_visit(store, 0);
	assert_true(store_visit_end(
	    store, visit, VISIT_VALID, FAILURE_NONE, NULL, NULL));
	g_autoptr(StoreData) before = read_store(store);
	g_usleep(1000);
	assert_true(store_visit_end(
	    store, visit, VISIT_SUPERSEDED, FAILURE_NONE, "boot lost", NULL));
	g_autoptr(StoreData) after = read_store(store);
	const DataVisit *then = before->visits->pdata[0];
	const DataVisit *now = after->visits->pdata[0];
	assert_true(then->ended == now->ended);
	assert_int_equal(now->status, VISIT_SUPERSEDED);
	assert_string_equal(now->reason, "boot lost");
}

static void
a_run_of_no_visit_is_refused_and_so_is_all_after_it(void **state)
{
	const StoreRun orphan = { .visit = 99, .good = true };
	GError *error = NULL;
	g_autoptr(Store) store = create_store(state);

	assert_true(store_run(store, &orphan, &error) == 0);
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	assert_non_null(strstr(error->message, "cannot store a run"));
	assert_non_null(strstr(error->message, store_directory(store)));
	g_autofree char *first = g_strdup(error->message);
	g_clear_error(&error);
	assert_false(store_event(store, 0, "retry", "again", &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	assert_true(g_str_has_prefix(error->message, first));
	g_clear_error(&error);
	g_autoptr(StoreData) data = read_store(store);
	assert_int_equal(data->runs->len, 0);
	assert_int_equal(data->events->len, 0);
}

static void
a_run_whose_sample_is_refused_leaves_nothing(void **state)
{
	static const char *const metrics[] = { "tps", "tps" };
	static const double values[] = { 1, 2 };
	g_autoptr(Store) store = create_store(state);
	const StoreRun twice = { .visit = begin_visit(store, 0),
		.good = true,
		.n_samples = 2,
		.metrics = metrics,
		.values = values };

	assert_true(store_run(store, &twice, NULL) == 0);
	g_autoptr(StoreData) data = read_store(store);
	assert_int_equal(data->runs->len, 0);
	assert_int_equal(data->samples->len, 0);
	assert_int_equal(data->visits->len, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(a_boot_a_visit_and_a_start_come_back),
		with_parent(a_run_comes_back_with_its_samples),
		with_parent(only_ended_visits_are_done),
		with_parent(
		    visits_of_a_lost_boot_are_superseded_within_their_block),
		with_parent(a_superseded_visit_keeps_the_time_of_its_end),
		with_parent(
		    a_run_of_no_visit_is_refused_and_so_is_all_after_it),
		with_parent(a_run_whose_sample_is_refused_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
