/*
 * What `abrun status` makes of a run directory's contents.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "../lib/store_dir.h"
#include "cmd/status_text.h"

#define HOLDER                                                                 \
	"process 123 of a since b on c since d since 2026-11-30 16:21:25 UTC"

static void
visit(Store *store, size_t target, size_t round, size_t server, int attempt,
    VisitStatus status)
{
	const int64_t id = store_visit_begin(
	    store, target, round, 0, server, 0, attempt, NULL);

	assert_int_not_equal(id, 0);
	if (status != VISIT_RUNNING)
		assert_true(store_visit_end(store, id, status,
		    status == VISIT_VALID ? FAILURE_NONE : FAILURE_TIMEOUT,
		    status == VISIT_VALID ? NULL : "why", NULL));
}

/* Two targets, two servers, three rounds: twelve visits. */
static StoreData *
some_night(Store *store)
{
	visit(store, 0, 1, 0, 1, VISIT_FAILED);
	visit(store, 0, 1, 0, 2, VISIT_VALID);
	visit(store, 0, 1, 1, 1, VISIT_INVALID);
	visit(store, 0, 2, 1, 1, VISIT_RUNNING); /* cut off, then repeated */
	visit(store, 0, 2, 1, 1, VISIT_VALID);
	visit(store, 0, 2, 0, 1, VISIT_RUNNING);
	visit(store, 1, 1, 0, 1, VISIT_FAILED);
	visit(store, 1, 1, 0, 2, VISIT_FAILED);
	visit(store, 1, 1, 1, 1, VISIT_INTERRUPTED);
	assert_true(store_event(store, 1, "ended", "given up: \033[31m", NULL));
	return store_read(store, NULL);
}

static void
each_visit_counts_once_by_its_last_end(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autoptr(StoreData) data = some_night(store);
	g_autoptr(Status) status = status_new(data, NULL, data->ended);

	assert_int_equal(status->planned, 12);
	assert_int_equal(status->valid, 2);
	assert_int_equal(status->invalid, 1);
	assert_int_equal(status->failed, 1);
	assert_int_equal(status->round, 2);
	assert_int_equal(status->state, STATUS_INTERRUPTED);
	const StatusTarget *first = status->targets->pdata[0];
	const StatusTarget *second = status->targets->pdata[1];
	assert_int_equal(first->valid + first->invalid, 3);
	assert_int_equal(second->failed, 1);
	assert_int_equal(second->planned, 6);
}

static void
what_is_made_again_is_not_done(void **state)
{
	g_autoptr(Store) store = create_store(state);

	visit(store, 0, 1, 0, 1, VISIT_FAILED);
	visit(store, 0, 1, 1, 1, VISIT_SUPERSEDED);
	visit(store, 1, 1, 0, 1, VISIT_SUPERSEDED);
	visit(store, 1, 1, 0, 2, VISIT_FAILED);
	g_autoptr(StoreData) data = store_read(store, NULL);
	g_autoptr(Status) status = status_new(data, NULL, data->ended);
	assert_int_equal(status->valid + status->invalid, 0);
	assert_int_equal(status->failed, 1);
	assert_int_equal(status->superseded, 2);
	g_autofree char *text = status_text(status, data->ended);
	assert_non_null(strstr(text,
	    "1 of 12 done: 0 valid, 0 invalid, 1 failed; 2 more superseded"));
}

static void
only_a_running_night_has_something_in_flight(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autoptr(StoreData) data = some_night(store);
	g_autoptr(Status) ended = status_new(data, NULL, data->ended);
	g_autoptr(Status) running = status_new(data, HOLDER, data->ended);

	assert_int_equal(ended->flights->len, 0);
	assert_int_equal(running->state, STATUS_RUNNING);
	assert_int_equal(running->flights->len, 1);
	const StatusFlight *flight = running->flights->pdata[0];
	assert_string_equal(flight->target, "lab1");
	assert_int_equal(flight->round, 2);
	assert_string_equal(flight->cell, "libc");
}

static void
the_holder_is_taken_apart(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autoptr(StoreData) data = store_read(store, NULL);
	g_autoptr(Status) status = status_new(data, HOLDER, data->ended);
	g_autoptr(Status) odd =
	    status_new(data, "that has not said who it is", data->ended);

	assert_int_equal(status->pid, 123);
	assert_string_equal(status->since, "2026-11-30 16:21:25");
	assert_int_equal(odd->pid, 0);
	assert_null(odd->since);
	assert_int_equal(odd->state, STATUS_RUNNING);
}

static void
time_left_is_that_of_the_slowest_target(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autoptr(StoreData) data = some_night(store);

	/* Ends take 10 s on the first, 20 s on the second. */
	for (guint i = 0; i < data->visits->len; i++) {
		DataVisit *one = data->visits->pdata[i];
		one->began = 1000;
		one->ended = one->target == 0 ? 1010 : 1020;
	}
	g_autoptr(Status) ended = status_new(data, NULL, 1004);
	g_autoptr(Status) running = status_new(data, HOLDER, 1004);
	const StatusTarget *was = ended->targets->pdata[0];
	const StatusTarget *is = running->targets->pdata[0];
	assert_int_equal(was->left_ms, 30000);
	assert_int_equal(is->left_ms, 26000);
	assert_int_equal(running->left_ms, 100000);
}

static void
without_a_visit_the_time_left_is_not_known(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autoptr(StoreData) data = store_read(store, NULL);
	g_autoptr(Status) status = status_new(data, NULL, data->ended);

	assert_int_equal(status->left_ms, -1);
	g_autofree char *text = status_text(status, data->ended);
	assert_non_null(strstr(text, "left     not known yet\n"));
}

static void
all_ended_is_finished(void **state)
{
	g_autoptr(Store) store = create_store(state);

	for (size_t i = 0; i < 12; i++)
		visit(store, i % 2, i / 4 + 1, i / 2 % 2, 1, VISIT_VALID);
	g_autoptr(StoreData) data = store_read(store, NULL);
	g_autoptr(Status) status = status_new(data, NULL, data->ended);
	assert_int_equal(status->state, STATUS_FINISHED);
	assert_int_equal(status->left_ms, 0);
}

static void
words_are_safe_for_a_terminal(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autoptr(StoreData) data = some_night(store);
	g_autoptr(Status) status = status_new(data, HOLDER, data->ended);
	g_autofree char *text = status_text(status, data->ended);

	assert_null(strchr(text, '\033'));
	assert_null(strstr(text, " lab1: ended:"));
	assert_non_null(strstr(text, " lab2: ended: given up"));
	assert_non_null(strstr(text, "running, round 2 of 3\n"));
	assert_non_null(
	    strstr(text, "4 of 12 done: 2 valid, 1 invalid, 1 failed\n"));
}

static void
json_is_json_with_nulls_for_what_is_not_known(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autoptr(StoreData) data = some_night(store);
	g_autoptr(Status) status = status_new(data, HOLDER, data->ended);
	g_autofree char *text = status_json(status);
	json_t *root = json_loads(text, 0, NULL);

	assert_non_null(root);
	assert_string_equal(
	    json_string_value(json_object_get(root, "state")), "running");
	assert_int_equal(json_integer_value(json_object_get(root, "pid")), 123);
	assert_int_equal(
	    json_integer_value(json_object_get(root, "planned")), 12);
	assert_int_equal(
	    json_array_size(json_object_get(root, "in_flight")), 1);
	const json_t *event =
	    json_array_get(json_object_get(root, "events"), 0);
	assert_string_equal(
	    json_string_value(json_object_get(event, "target")), "lab2");
	assert_string_equal(json_string_value(json_object_get(event, "text")),
	    "given up: \033[31m");
	json_decref(root);

	g_autoptr(Status) nobody = status_new(data, NULL, data->ended);
	g_autofree char *other = status_json(nobody);
	assert_non_null(strstr(other, "\"holder\": null"));
}

static void
hosts_that_are_waited_for_or_given_up_are_told(void **state)
{
	g_autoptr(Store) store = create_store(state);

	visit(store, 0, 1, 0, 1, VISIT_FAILED);
	assert_true(store_event(store, 0, "host lost", "no route", NULL));
	assert_true(store_event(store, 1, "host lost", "no route", NULL));
	g_autoptr(StoreData) data = store_read(store, NULL);
	g_autoptr(Status) lost = status_new(data, HOLDER, data->ended + 5);
	g_autofree char *text = status_text(lost, data->ended + 5);
	assert_non_null(strstr(text, "waiting  lab1: for the host, since 5 s"));
	assert_non_null(strstr(text, "waiting  lab2: for the host, since 5 s"));
	assert_non_null(strstr(text, "failed   TIMEOUT (1 visit): see "));

	assert_true(store_event(store, 0, "given up", "GIVEN_UP: x", NULL));
	assert_true(store_event(store, 1, "host back", "after 5 s", NULL));
	g_autoptr(StoreData) later = store_read(store, NULL);
	g_autoptr(Status) gone = status_new(later, HOLDER, later->ended);
	g_autofree char *then = status_text(gone, later->ended);
	assert_null(strstr(then, "waiting "));
	assert_non_null(strstr(then, "gone     lab1: GIVEN_UP: x\n"));
	assert_null(strstr(then, "gone     lab2"));

	g_usleep(2000);
	visit(store, 0, 1, 0, 1, VISIT_RUNNING);
	g_autoptr(StoreData) last = store_read(store, NULL);
	g_autoptr(Status) again = status_new(last, HOLDER, last->ended);
	g_autofree char *now = status_text(again, last->ended);
	assert_null(strstr(now, "gone "));
}

/* abrun(1) tells each key of the object, and of those in it. */
static void
every_key_of_the_json_is_in_the_manual(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autoptr(StoreData) data = some_night(store);
	g_autoptr(Status) status = status_new(data, HOLDER, data->ended);
	g_autofree char *text = status_json(status);
	g_autofree char *page = NULL;
	g_auto(GStrv) parts = g_strsplit(text, "\"", -1);

	assert_true(g_file_get_contents("src/man/abrun.1", &page, NULL, NULL));
	const char *section = strstr(page, ".Ss Status as JSON");
	assert_non_null(section);
	g_auto(GStrv) words = g_strsplit_set(section, " \n", -1);
	size_t keys = 0;
	for (size_t i = 1; parts[i] != NULL && parts[i + 1] != NULL; i += 2) {
		if (!g_str_has_prefix(parts[i + 1], ": "))
			continue;
		keys++;
		if (!g_strv_contains((const char *const *)words, parts[i]))
			fail_msg("abrun(1) does not tell %s", parts[i]);
	}
	assert_true(keys > 30);
}

static void
the_newest_of_any_matrix_is_found(void **state)
{
	const char *parent = *state;
	static const char *const names[] = { "z-20260101-000000",
		"a-b-20260301-000000", "a-b-20260301-000000-3",
		"a-20260301-000000-2", "20270101-000000", "x-20269999" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path =
		    g_build_filename(parent, names[i], NULL);
		assert_int_equal(g_mkdir(path, 0700), 0);
	}
	g_autofree char *newest = store_newest(parent, NULL);
	g_autofree char *name = g_path_get_basename(newest);
	assert_string_equal(name, "a-b-20260301-000000-3");
}

static void
the_holder_of_a_directory_is_told(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autofree char *directory = g_strdup(store_directory(store));
	g_autofree char *holder = store_holder(directory);
	g_autofree char *me =
	    g_strdup_printf("process %ld of ", (long)getpid());

	assert_non_null(holder);
	assert_non_null(strstr(holder, me));
	g_clear_pointer(&store, store_close);
	g_autofree char *nobody = store_holder(directory);
	assert_null(nobody);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(each_visit_counts_once_by_its_last_end),
		with_parent(what_is_made_again_is_not_done),
		with_parent(only_a_running_night_has_something_in_flight),
		with_parent(the_holder_is_taken_apart),
		with_parent(time_left_is_that_of_the_slowest_target),
		with_parent(without_a_visit_the_time_left_is_not_known),
		with_parent(all_ended_is_finished),
		with_parent(words_are_safe_for_a_terminal),
		with_parent(json_is_json_with_nulls_for_what_is_not_known),
		with_parent(hosts_that_are_waited_for_or_given_up_are_told),
		with_parent(every_key_of_the_json_is_in_the_manual),
		with_parent(the_newest_of_any_matrix_is_found),
		with_parent(the_holder_of_a_directory_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
