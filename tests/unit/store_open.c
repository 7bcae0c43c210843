#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "../lib/store_dir.h"
#include "base/error.h"
#include "store/store.h"

static char *
file_in(const char *directory, const char *name)
{
	return g_build_filename(directory, name, NULL);
}

static int
mode_of(const char *directory, const char *name)
{
	g_autofree char *path = file_in(directory, name);
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return (int)(status.st_mode & 07777);
}

/* Everything that makes the tables, as one text. */
static char *
schema_of(sqlite3 *db)
{
	GString *text = g_string_new(NULL);
	sqlite3_stmt *row;

	assert_int_equal(
	    sqlite3_prepare_v2(db,
		"SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL "
		"UNION ALL SELECT * FROM pragma_user_version "
		"UNION ALL SELECT * FROM pragma_application_id",
		-1, &row, NULL),
	    SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW)
		g_string_append_printf(
		    text, "%s;\n", (const char *)sqlite3_column_text(row, 0));
	assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return g_string_free(text, FALSE);
}

static void
a_run_directory_is_private_and_holds_the_matrix(void **state)
{
	g_autoptr(Store) store = create_store(state);
	const char *directory = store_directory(store);
	g_autofree char *name = g_path_get_basename(directory);

	assert_true(
	    g_regex_match_simple("^small-[0-9]{8}-[0-9]{6}$", name, 0, 0));
	assert_int_equal(mode_of(directory, "."), 0700);
	assert_int_equal(mode_of(directory, "raw"), 0700);
	assert_int_equal(mode_of(directory, "run.db"), 0600);
	assert_int_equal(mode_of(directory, "matrix.cfg"), 0600);
	assert_int_equal(mode_of(directory, "lock"), 0600);
	g_autofree char *path = file_in(directory, "matrix.cfg");
	g_autofree char *text = NULL;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(text, "title = \"A small one\";\n");
	assert_string_equal(store_identity(store), "0123456789abcdef");
}

static void
nothing_but_run_directories_is_left_in_the_parent(void **state)
{
	store_close(create_store(state));
	g_autoptr(GDir) parent = g_dir_open(*state, 0, NULL);

	assert_true(g_str_has_prefix(g_dir_read_name(parent), "small-2"));
	assert_null(g_dir_read_name(parent));
}

static void
the_schema_of_a_directory_is_schema_sql(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autofree char *path = file_in(store_directory(store), "run.db");
	g_autofree char *text = NULL;
	sqlite3 *wanted, *got;

	/* The file of the source tree, not the copy that is compiled in. */
	assert_true(
	    g_file_get_contents("src/store/schema.sql", &text, NULL, NULL));
	assert_int_equal(sqlite3_open(":memory:", &wanted), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(wanted, text, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(
	    sqlite3_open_v2(path, &got, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	g_autofree char *wanted_schema = schema_of(wanted);
	g_autofree char *got_schema = schema_of(got);
	assert_string_equal(got_schema, wanted_schema);
	assert_non_null(strstr(got_schema, "CREATE TABLE sample"));
}

static void
a_name_that_is_taken_gets_a_number(void **state)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();

	/* Somebody has been at work in each second of the next minute. */
	for (int i = 0; i < 60; i++) {
		g_autoptr(GDateTime) then = g_date_time_add_seconds(now, i);
		g_autofree char *name =
		    g_date_time_format(then, "small-%Y%m%d-%H%M%S/raw");
		g_autofree char *path = file_in(*state, name);
		assert_int_equal(g_mkdir_with_parents(path, 0700), 0);
	}
	g_autoptr(Store) first = create_store(state);
	g_autoptr(Store) second = create_store(state);
	assert_true(g_str_has_suffix(store_directory(first), "-2"));
	assert_string_not_equal(
	    store_directory(first), store_directory(second));
	g_autofree char *taken = g_strndup(store_directory(first),
	    strlen(store_directory(first)) - strlen("-2"));
	g_autofree char *database = file_in(taken, "run.db");
	assert_false(g_file_test(database, G_FILE_TEST_EXISTS));
}

static void
the_newest_is_found_by_stamp_and_number(void **state)
{
	static const char *const names[] = {
		"a-20240101-000000",
		"a-20250101-000000",
		"a-20250101-000000-2",
		"a-20250101-000000-10",
		"a-20250101-000000-9",
		"a-20990101-000000x",
		"a-20990101-000000-",
		"a-20990101-000000-+7",
		"a-20990101_000000",
		"a-b-20300101-000000",
		"a-20250101-000000-20300101-000000",
		".a-20990101-000000",
		"a",
	};

	assert_null(store_newest(*state, "a"));
	assert_null(store_newest("/nonexistent", "a"));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = file_in(*state, names[i]);
		assert_int_equal(g_mkdir(path, 0700), 0);
	}
	g_autofree char *file = file_in(*state, "a-20980101-000000");
	assert_true(g_file_set_contents(file, "", 0, NULL));

	g_autofree char *a = store_newest(*state, "a");
	g_autofree char *a_name = g_path_get_basename(a);
	assert_string_equal(a_name, "a-20250101-000000-10");
	g_autofree char *b = store_newest(*state, "a-b");
	g_autofree char *b_name = g_path_get_basename(b);
	assert_string_equal(b_name, "a-b-20300101-000000");
	assert_null(store_newest(*state, "b"));
}

static void
raw_paths_are_unique_and_stay_below_raw(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autofree char *first = store_raw_path(store, "v1.out.txt");
	g_autofree char *second = store_raw_path(store, "v1.out.txt");
	g_autofree char *third = store_raw_path(store, "v1.out.txt");
	g_autofree char *escape = store_raw_path(store, "../../etc/passwd");
	g_autofree char *raw = file_in(store_directory(store), "raw");

	assert_true(g_str_has_suffix(first, "/raw/v1.out.txt"));
	assert_true(g_str_has_suffix(second, "/raw/v1.out-2.txt"));
	assert_true(g_str_has_suffix(third, "/raw/v1.out-3.txt"));
	g_autofree char *directory = g_path_get_dirname(escape);
	assert_string_equal(directory, raw);
	assert_int_equal(mode_of(first, ""), 0600);
}

static void
a_second_writer_is_refused_and_told_who_and_since_when(void **state)
{
	Store *store = create_store(state);
	g_autofree char *directory = g_strdup(store_directory(store));
	g_autofree char *who = g_strdup_printf("process %d of %s on %s since 2",
	    getpid(), g_get_user_name(), g_get_host_name());
	GError *error = NULL;

	assert_null(store_open(directory, false, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_HOST));
	assert_non_null(strstr(error->message, directory));
	assert_non_null(strstr(error->message, who));
	g_clear_error(&error);

	store_close(store);
	g_autoptr(Store) again = store_open(directory, false, &error);
	assert_null(error);
	assert_non_null(again);
}

static void
a_reader_works_beside_the_writer_and_cannot_write(void **state)
{
	g_autoptr(Store) writer = create_store(state);
	GError *error = NULL;
	g_autoptr(Store) reader =
	    store_open(store_directory(writer), true, &error);

	assert_null(error);
	assert_true(store_event(writer, 0, "retry", "one", NULL));
	g_autoptr(StoreData) one = store_read(reader, &error);
	assert_null(error);
	assert_int_equal(one->events->len, 1);
	assert_true(store_event(writer, 0, "retry", "two", NULL));
	g_autoptr(StoreData) two = store_read(reader, &error);
	assert_int_equal(two->events->len, 2);

	assert_false(store_event(reader, 0, "retry", "three", &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	assert_non_null(strstr(error->message, "opened to be read"));
	g_clear_error(&error);
	assert_true(store_event(writer, 0, "retry", "three", NULL));
}

static void
a_reader_leaves_nothing_behind(void **state)
{
	Store *store = create_store(state);
	g_autofree char *directory = g_strdup(store_directory(store));
	g_autofree char *log = file_in(directory, "run.db-wal");
	g_autofree char *memory = file_in(directory, "run.db-shm");

	store_close(store);
	Store *reader = store_open(directory, true, NULL);
	store_data_free(store_read(reader, NULL));
	store_close(reader);
	assert_false(g_file_test(log, G_FILE_TEST_EXISTS));
	assert_false(g_file_test(memory, G_FILE_TEST_EXISTS));
}

static void
what_is_no_directory_is_no_run_directory(void **state)
{
	g_autofree char *file = file_in(*state, "file");
	GError *error = NULL;

	assert_true(g_file_set_contents(file, "", 0, NULL));
	assert_null(store_open(file, false, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	g_clear_error(&error);
	assert_null(store_open("/nonexistent", true, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
	g_clear_error(&error);
}

static void
a_parent_that_cannot_be_made_is_named(void **state)
{
	g_autofree char *file = file_in(*state, "file");
	g_autofree char *parent = file_in(file, "reports");
	GError *error = NULL;

	assert_true(g_file_set_contents(file, "", 0, NULL));
	assert_null(store_create(parent, small_plan(), "0.1.0", &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	assert_non_null(strstr(error->message, parent));
	g_clear_error(&error);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(a_run_directory_is_private_and_holds_the_matrix),
		with_parent(nothing_but_run_directories_is_left_in_the_parent),
		with_parent(the_schema_of_a_directory_is_schema_sql),
		with_parent(a_name_that_is_taken_gets_a_number),
		with_parent(the_newest_is_found_by_stamp_and_number),
		with_parent(raw_paths_are_unique_and_stay_below_raw),
		with_parent(
		    a_second_writer_is_refused_and_told_who_and_since_when),
		with_parent(a_reader_works_beside_the_writer_and_cannot_write),
		with_parent(a_reader_leaves_nothing_behind),
		with_parent(what_is_no_directory_is_no_run_directory),
		with_parent(a_parent_that_cannot_be_made_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
