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
#include "store/db.h"

/* What opening says of a database with these contents. */
static char *
open_damaged(void **state, void (*damage)(const char *path), bool read_only)
{
	Store *store = create_store(state);
	g_autofree char *directory = g_strdup(store_directory(store));
	g_autofree char *path = g_build_filename(directory, "run.db", NULL);
	GError *error = NULL;

	/* Enough of it to fill pages. */
	g_autofree char *text = g_strnfill(8000, 'x');
	for (int i = 0; i < 8; i++)
		assert_true(store_event(store, 0, "retry", text, NULL));
	store_close(store);
	damage(path);
	assert_null(store_open(directory, read_only, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	assert_non_null(strstr(error->message, path));
	char *message = g_strdup(error->message);
	g_clear_error(&error);
	return message;
}

static void
fill_with_nul(const char *path, off_t from)
{
	static const char nul[4096];
	struct stat status;
	const int fd = open(path, O_WRONLY);

	assert_int_equal(fstat(fd, &status), 0);
	for (off_t at = from; at < status.st_size; at += 4096)
		assert_int_equal(pwrite(fd, nul, sizeof(nul), at), sizeof(nul));
	assert_int_equal(close(fd), 0);
}

static void
all_nul(const char *path)
{
	fill_with_nul(path, 0);
}

static void
half_nul(const char *path)
{
	fill_with_nul(path, 8192);
}

static void
cut_short(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(truncate(path, status.st_size / 2), 0);
}

static void
emptied(const char *path)
{
	assert_int_equal(truncate(path, 0), 0);
}

static void
removed(const char *path)
{
	assert_int_equal(g_unlink(path), 0);
}

static void
foreign(const char *path)
{
	sqlite3 *db;

	assert_int_equal(g_unlink(path), 0);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db, "CREATE TABLE t (a)", NULL, NULL, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
of_the_future(const char *path)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
	    sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
E72_a_damaged_database_is_refused_with_the_reason(void **state)
{
	static const struct {
		void (*damage)(const char *path);
		const char *reason;
	} cases[] = {
		{ all_nul, "it is damaged" },
		{ half_nul, "it is damaged" },
		{ cut_short, "it is damaged" },
		{ emptied, "the file is empty" },
		{ removed, "No such file" },
		{ foreign, "is no database of abrun" },
		{ of_the_future, "has schema version 99" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		for (int read_only = 0; read_only < 2; read_only++) {
			g_autofree char *message = open_damaged(
			    state, cases[i].damage, read_only == 1);
			if (strstr(message, cases[i].reason) == NULL)
				fail_msg("case %zu: %s", i, message);
		}
}

/* What a kill cannot show, but a power failure would. */
static void
every_commit_waits_for_the_disk(void **state)
{
	Store *store = create_store(state);
	static const char *const pragmas[][2] = {
		{ "PRAGMA synchronous", "2" },
		{ "PRAGMA journal_mode", "wal" },
		{ "PRAGMA foreign_keys", "1" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(pragmas); i++) {
		sqlite3_stmt *row = NULL;
		assert_int_equal(sqlite3_prepare_v2(
				     store->db, pragmas[i][0], -1, &row, NULL),
		    SQLITE_OK);
		assert_int_equal(sqlite3_step(row), SQLITE_ROW);
		assert_string_equal(
		    (const char *)sqlite3_column_text(row, 0), pragmas[i][1]);
		assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
	}
	store_close(store);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(E72_a_damaged_database_is_refused_with_the_reason),
		with_parent(every_commit_waits_for_the_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
