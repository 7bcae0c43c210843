#include "store/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

/* Statements are finalised by the table that holds them. */
static void
finalize(void *statement)
{
	(void)sqlite3_finalize(statement);
}

Store *
store_new(const char *directory, int lock, bool read_only)
{
	Store *store = g_new0(Store, 1);

	store->directory = g_strdup(directory);
	store->path = g_build_filename(directory, STORE_DATABASE, NULL);
	store->lock = lock;
	store->read_only = read_only;
	(void)pthread_mutex_init(&store->mutex, NULL);
	store->statements =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, finalize);
	return store;
}

void
store_close(Store *store)
{
	if (store == NULL)
		return;
	g_hash_table_unref(store->statements);
	(void)sqlite3_close(store->db);
	(void)sqlite3_close(store->file);
	/* The lock goes last: until here the database was ours. */
	if (store->lock >= 0)
		(void)close(store->lock);
	(void)pthread_mutex_destroy(&store->mutex);
	g_free(store->broken);
	g_free(store->identity);
	g_free(store->path);
	g_free(store->directory);
	g_free(store);
}

static bool
may_write(const Store *store)
{
	return access(store->directory, W_OK) == 0 &&
	    access(store->path, W_OK) == 0;
}

/* No write-ahead log is left to be looked at. */
static bool
has_no_log(const Store *store)
{
	g_autofree char *log = g_strconcat(store->path, "-wal", NULL);
	struct stat status;

	return stat(log, &status) != 0 || status.st_size == 0;
}

/*
 * A reader that may write the directory opens the file as writers do: then
 * SQLite takes away again what it needs beside it.  Where nothing may be
 * written, as in another person's directory, a file that is at rest is read
 * as it is.
 */
static sqlite3 *
open_database(const Store *store, GError **error)
{
	if (!store->read_only || may_write(store))
		return db_open(
		    store->path, SQLITE_OPEN_READWRITE, false, error);
	return db_open(
	    store->path, SQLITE_OPEN_READONLY, has_no_log(store), error);
}

/* One value of one row; free it. */
static bool
ask(Store *store, const char *sql, char **text, GError **error)
{
	sqlite3_stmt *statement = db_bind(store, sql, NULL, 0, error);
	GError *failure = NULL;

	if (statement == NULL)
		return false;
	char *got = NULL;
	while (db_row(store, statement, &failure)) {
		g_free(got);
		got = db_string(statement, 0);
	}
	if (failure != NULL) {
		g_free(got);
		g_propagate_error(error, failure);
		return false;
	}
	*text = got != NULL ? got : g_strdup("");
	return true;
}

static bool
check_version(Store *store, GError **error)
{
	g_autofree char *version = NULL;
	g_autofree char *application = NULL;

	if (!ask(store, "PRAGMA user_version", &version, error) ||
	    !ask(store, "PRAGMA application_id", &application, error))
		return false;
	if (g_ascii_strtoll(application, NULL, 10) != STORE_APPLICATION) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "%s is no database of abrun", store->path);
		return false;
	}
	if (g_ascii_strtoll(version, NULL, 10) != STORE_SCHEMA_VERSION) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "%s has schema version %s, this abrun reads version %d",
		    store->path, version, STORE_SCHEMA_VERSION);
		return false;
	}
	return true;
}

/* A page of NUL bytes in the middle is found now, not in the morning. */
static bool
check_pages(Store *store, GError **error)
{
	g_autofree char *verdict = NULL;

	if (!ask(store, "PRAGMA quick_check(1)", &verdict, error))
		return false;
	if (g_strcmp0(verdict, "ok") == 0)
		return true;
	g_autofree char *shown = text_printable(verdict, 200);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
	    "cannot use %s: it is damaged (%s)", store->path, shown);
	return false;
}

bool
store_attach(Store *store, GError **error)
{
	struct stat status;

	if (stat(store->path, &status) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot open the database %s: %s", store->path,
		    g_strerror(errno));
		return false;
	}
	if (!S_ISREG(status.st_mode)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot open the database %s: it is not a regular file",
		    store->path);
		return false;
	}
	if (status.st_size == 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot open the database %s: the file is empty",
		    store->path);
		return false;
	}
	store->db = open_database(store, error);
	return store->db != NULL && check_version(store, error) &&
	    check_pages(store, error) &&
	    ask(store, "SELECT identity FROM experiment", &store->identity,
		error);
}

Store *
store_open(const char *directory, bool read_only, GError **error)
{
	struct stat status;

	if (stat(directory, &status) != 0 || !S_ISDIR(status.st_mode)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s is no run directory", directory);
		return NULL;
	}
	/* Each has its matrix; a database that is lost is another story. */
	g_autofree char *matrix =
	    g_build_filename(directory, STORE_MATRIX, NULL);
	if (stat(matrix, &status) != 0 && errno == ENOENT) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s is no run directory: it holds no %s", directory,
		    STORE_MATRIX);
		return NULL;
	}
	int lock = -1;
	if (!read_only && (lock = directory_lock(directory, error)) < 0)
		return NULL;
	g_autoptr(Store) store = store_new(directory, lock, read_only);
	return store_attach(store, error) ? g_steal_pointer(&store) : NULL;
}

const char *
store_directory(const Store *store)
{
	return store->directory;
}

bool
store_place_has_room(const char *path, GError **error)
{
	struct statvfs status;

	/* Where it cannot be told, writing will tell. */
	if (statvfs(path, &status) != 0 || status.f_frsize == 0 ||
	    status.f_bavail >= STORE_FLOOR_BYTES / status.f_frsize)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
	    "only %" G_GUINT64_FORMAT
	    " KiB are free for %s, and nothing is begun below %d KiB",
	    (guint64)status.f_bavail * status.f_frsize / 1024, path,
	    STORE_FLOOR_BYTES / 1024);
	return false;
}

bool
store_has_room(const Store *store, GError **error)
{
	return store_place_has_room(store->directory, error);
}

const char *
store_identity(const Store *store)
{
	return store->identity;
}
