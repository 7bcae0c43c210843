#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "base/error.h"
#include "store/store.h"

static int64_t
intend(Store *store, size_t target, const char *name, const char *old)
{
	const StoreUndo undo = { .target = target,
		.kind = text_of("sysctl"),
		.name = text_of(name),
		.old_value = text_of(old),
		.new_value = text_of("10"),
		.scope = text_of("boot"),
		.boot_id = text_of("b00t") };
	GError *error = NULL;
	const int64_t id = store_undo_intend(store, &undo, &error);

	if (error != NULL)
		fail_msg("%s", error->message);
	return id;
}

static GPtrArray *
open_rows(Store *store, size_t target)
{
	GPtrArray *rows = store_undo_open(store, target, NULL);

	assert_non_null(rows);
	return rows;
}

static void
an_undo_row_comes_back_whole(void **state)
{
	g_autoptr(Store) store = create_store(state);
	const int64_t id = intend(store, 1, "vm.swappiness", "60");
	const StoreUndo command = { .target = 1,
		.kind = text_of("command"),
		.name = text_of("touch /tmp/x"),
		.scope = text_of("disk") };
	assert_true(store_undo_intend(store, &command, NULL) > id);

	g_autoptr(GPtrArray) rows = open_rows(store, 1);
	assert_int_equal(rows->len, 2);
	const StoreUndo *row = rows->pdata[1];
	assert_int_equal(row->id, id);
	assert_int_equal(row->target, 1);
	assert_string_equal(row->kind, "sysctl");
	assert_string_equal(row->name, "vm.swappiness");
	assert_string_equal(row->old_value, "60");
	assert_string_equal(row->new_value, "10");
	assert_string_equal(row->scope, "boot");
	assert_string_equal(row->boot_id, "b00t");
	assert_int_equal(row->state, UNDO_INTENDED);
	row = rows->pdata[0];
	assert_null(row->old_value);
	assert_null(row->new_value);
	assert_null(row->boot_id);
}

static void
open_rows_come_newest_first_and_of_one_target(void **state)
{
	g_autoptr(Store) store = create_store(state);
	const int64_t a = intend(store, 0, "a", "1");
	const int64_t b = intend(store, 0, "b", "1");
	const int64_t c = intend(store, 0, "c", "1");
	(void)intend(store, 1, "other", "1");
	assert_true(store_undo_set(store, a, UNDO_DONE, NULL));
	assert_true(store_undo_set(store, b, UNDO_DONE, NULL));
	assert_true(store_undo_set(store, b, UNDO_UNDONE, NULL));
	assert_true(store_undo_set(store, c, UNDO_FOREIGN, NULL));

	g_autoptr(GPtrArray) rows = open_rows(store, 0);
	assert_int_equal(rows->len, 2);
	const StoreUndo *row = rows->pdata[0];
	assert_int_equal(row->id, c);
	assert_int_equal(row->state, UNDO_FOREIGN);
	row = rows->pdata[1];
	assert_int_equal(row->id, a);
	assert_int_equal(row->state, UNDO_DONE);
}

/* Brings a new row into a state. */
static int64_t
row_in(Store *store, UndoState state)
{
	const int64_t id = intend(store, 0, "x", "1");

	assert_true(store_undo_set(store, id, state, NULL));
	return id;
}

static void
states_follow_each_other_in_one_direction(void **state)
{
	/* may[from][to] */
	static const bool may[4][4] = {
		[UNDO_INTENDED] = { true, true, true, true },
		[UNDO_DONE] = { false, true, true, true },
		[UNDO_UNDONE] = { false, false, true, false },
		[UNDO_FOREIGN] = { false, false, true, true },
	};
	g_autoptr(Store) store = create_store(state);

	for (int from = 0; from < 4; from++)
		for (int to = 0; to < 4; to++) {
			GError *error = NULL;
			const int64_t id = row_in(store, (UndoState)from);
			assert_int_equal(
			    store_undo_set(store, id, (UndoState)to, &error),
			    may[from][to]);
			assert_int_equal(error == NULL, may[from][to]);
			if (error != NULL)
				assert_non_null(
				    strstr(error->message, "cannot become"));
			g_clear_error(&error);
		}
	/* A refused step is no failed write: the store goes on. */
	assert_true(store_event(store, 0, "flag", "still here", NULL));
}

static void
a_row_that_is_not_there_is_told(void **state)
{
	g_autoptr(Store) store = create_store(state);
	GError *error = NULL;

	assert_false(store_undo_set(store, 77, UNDO_DONE, &error));
	assert_non_null(strstr(error->message, "no undo row 77"));
	g_clear_error(&error);
}

static void
a_boot_row_needs_its_boot_id(void **state)
{
	const StoreUndo undo = { .kind = text_of("sysctl"),
		.name = text_of("a"),
		.scope = text_of("boot") };
	g_autoptr(Store) store = create_store(state);
	GError *error = NULL;

	assert_true(store_undo_intend(store, &undo, &error) == 0);
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	g_clear_error(&error);
}

static void
what_is_left_is_told_in_words(void **state)
{
	g_autoptr(Store) store = create_store(state);
	const StoreUndo command = { .target = 0,
		.kind = text_of("command"),
		.name = text_of("mount /x"),
		.old_value = text_of("umount /x"),
		.scope = text_of("disk") };
	(void)intend(store, 0, "vm.swappiness", "60");
	const int64_t foreign = intend(store, 1, "kernel.x", NULL);
	const int64_t gone = intend(store, 1, "kernel.y", "1");
	assert_true(store_undo_set(store, foreign, UNDO_FOREIGN, NULL));
	assert_true(store_undo_set(store, gone, UNDO_UNDONE, NULL));
	assert_true(store_undo_intend(store, &command, NULL) > 0);

	g_autoptr(StoreData) data = store_read(store, NULL);
	assert_int_equal(data->left->len, 3);
	assert_string_equal(data->left->pdata[0],
	    "lab1: sysctl vm.swappiness was 60, set to 10");
	assert_string_equal(data->left->pdata[1],
	    "lab2: sysctl kernel.x was absent, set to 10, then changed by "
	    "someone else");
	assert_string_equal(data->left->pdata[2],
	    "lab1: command mount /x; its undo: umount /x");
}

static void
the_first_original_of_a_boot_counts(void **state)
{
	g_autoptr(Store) store = create_store(state);

	assert_true(store_original_keep(
	    store, 0, "b1", "sysctl", "vm.swappiness", "60", NULL));
	assert_true(store_original_keep(
	    store, 0, "b1", "sysctl", "vm.swappiness", "10", NULL));
	assert_true(store_original_keep(
	    store, 0, "b2", "sysctl", "vm.swappiness", "10", NULL));
	assert_true(
	    store_original_keep(store, 1, "b1", "thp", "", "never", NULL));

	g_autoptr(GHashTable) one = store_originals(store, 0, "b1", NULL);
	assert_int_equal(g_hash_table_size(one), 1);
	assert_string_equal(
	    g_hash_table_lookup(one, "sysctl vm.swappiness"), "60");
	g_autoptr(GHashTable) two = store_originals(store, 0, "b2", NULL);
	assert_string_equal(
	    g_hash_table_lookup(two, "sysctl vm.swappiness"), "10");
	g_autoptr(GHashTable) other = store_originals(store, 1, "b1", NULL);
	assert_string_equal(g_hash_table_lookup(other, "thp "), "never");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(an_undo_row_comes_back_whole),
		with_parent(open_rows_come_newest_first_and_of_one_target),
		with_parent(states_follow_each_other_in_one_direction),
		with_parent(a_row_that_is_not_there_is_told),
		with_parent(a_boot_row_needs_its_boot_id),
		with_parent(what_is_left_is_told_in_words),
		with_parent(the_first_original_of_a_boot_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
