#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "../lib/store_plan.h"
#include "store/store.h"

static size_t
events_in(const char *directory)
{
	g_autoptr(Store) store = store_open(directory, true, NULL);
	g_autoptr(StoreData) data = store_read(store, NULL);

	return data->events->len;
}

static void
what_goes_on_in_memory_leaves_the_directory_as_it_is(void **state)
{
	g_autoptr(Store) store = store_create(*state, small_plan(), "1", NULL);
	const char *directory = store_directory(store);
	StoreUndo row = { .kind = (char *)"command",
		.name = (char *)"apply",
		.old_value = (char *)"undo",
		.scope = (char *)"disk" };

	assert_true(store_event(store, 0, "kept", "", NULL));
	const int64_t id = store_undo_intend(store, &row, NULL);
	assert_true(id > 0);
	assert_true(store_go_on_in_memory(store, NULL));
	assert_true(store_event(store, 0, "lost", "", NULL));
	assert_true(store_go_on_in_memory(store, NULL));
	assert_true(store_undo_set(store, id, UNDO_UNDONE, NULL));
	assert_false(store_undo_due(store));

	g_autoptr(StoreData) data = store_read(store, NULL);
	assert_int_equal(data->events->len, 2);
	assert_int_equal(events_in(directory), 1);
	g_autofree char *again = g_strdup(directory);
	store_close(g_steal_pointer(&store));
	store = store_open(again, false, NULL);
	assert_true(store_undo_due(store));
	assert_int_equal(events_in(again), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(
		    what_goes_on_in_memory_leaves_the_directory_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
