#include "store/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

/* Runs of one matrix begun in one second. */
enum { MAX_SUFFIX = 1000 };

/* What has not become a run directory is not left lying about. */
static void
remove_unfinished(const char *directory)
{
	static const char *const names[] = {
		STORE_DATABASE,
		STORE_DATABASE "-journal",
		STORE_DATABASE "-wal",
		STORE_DATABASE "-shm",
		STORE_MATRIX,
		STORE_TABLE,
		STORE_LOCK,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path =
		    g_build_filename(directory, names[i], NULL);
		(void)unlink(path);
	}
	g_autofree char *raw = g_build_filename(directory, STORE_RAW, NULL);
	(void)rmdir(raw);
	(void)rmdir(directory);
}

/* What a run directory begins with. */
typedef struct {
	const char *name;   /* of the matrix, or of what was imported */
	const char *matrix; /* text */
	const char *table;  /* text that was imported, or NULL */
	bool (*describe)(Store *store, const void *what, GError **error);
	const void *what;
} Beginning;

static bool
make_file(
    const char *directory, const char *name, const char *text, GError **error)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	return file_write(path, text, strlen(text), 0600, error);
}

static bool
make_files(const char *directory, const Beginning *beginning, GError **error)
{
	g_autofree char *raw = g_build_filename(directory, STORE_RAW, NULL);

	if (mkdir(raw, 0700) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot make %s: %s", raw, g_strerror(errno));
		return false;
	}
	return make_file(directory, STORE_MATRIX, beginning->matrix, error) &&
	    (beginning->table == NULL ||
		make_file(directory, STORE_TABLE, beginning->table, error));
}

static bool
run_script(Store *store, const char *wanted, const char *sql, GError **error)
{
	const int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);

	if (code == SQLITE_OK)
		return true;
	g_autofree char *reason = db_reason(store->db, code);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
	    "cannot %s in %s: %s", wanted, store->path, reason);
	return false;
}

static bool
make_database(Store *store, const Beginning *beginning, GError **error)
{
	static const char wanted[] = "the plan";

	/* Made first, so that it is nobody else's to read from the start. */
	const int fd =
	    open(store->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || close(fd) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot make %s: %s", store->path, g_strerror(errno));
		return false;
	}
	store->db = db_open(store->path, SQLITE_OPEN_READWRITE, false, error);
	return store->db != NULL &&
	    run_script(
		store, "set up the log", "PRAGMA journal_mode = WAL", error) &&
	    run_script(store, "make the tables", store_schema, error) &&
	    db_begin(store, wanted, error) &&
	    db_commit(store, wanted,
		beginning->describe(store, beginning->what, error), error);
}

/*
 * Gives the directory its name: that of the matrix and the time, in UTC so
 * that the names of one matrix are in order of time all year.
 */
static char *
give_name(
    const char *building, const char *parent, const char *name, GError **error)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *stamp = g_date_time_format(now, "%Y%m%d-%H%M%S");

	for (int i = 1; i <= MAX_SUFFIX; i++) {
		g_autofree char *suffix =
		    i == 1 ? g_strdup("") : g_strdup_printf("-%d", i);
		g_autofree char *path =
		    g_strdup_printf("%s/%s-%s%s", parent, name, stamp, suffix);
		/* Succeeds only where nothing, or an empty directory, is. */
		if (rename(building, path) == 0) {
			(void)directory_sync(parent);
			return g_steal_pointer(&path);
		}
		if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
			break;
	}
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
	    "cannot make %s/%s-%s: %s", parent, name, stamp, g_strerror(errno));
	return NULL;
}

/*
 * Fills a directory that no one looks for yet, so that a run directory has
 * its whole plan or is not there.  Returns the lock, or -1.
 */
static int
fill_directory(
    const char *directory, const Beginning *beginning, GError **error)
{
	const int lock = directory_lock(directory, error);

	if (lock < 0)
		return -1;
	Store *store = store_new(directory, -1, false);
	const bool ok = make_files(directory, beginning, error) &&
	    make_database(store, beginning, error);
	store_close(store);
	if (ok)
		return lock;
	(void)close(lock);
	return -1;
}

static Store *
begin(const char *parent, const Beginning *beginning, GError **error)
{
	g_autofree char *name = text_safe_name(beginning->name);
	g_autofree char *building =
	    g_strdup_printf("%s/.%s-XXXXXX", parent, name);

	if (g_mkdir_with_parents(parent, 0755) != 0 ||
	    g_mkdtemp_full(building, 0700) == NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot make a run directory below %s: %s", parent,
		    g_strerror(errno));
		return NULL;
	}
	const int lock = fill_directory(building, beginning, error);
	g_autofree char *directory =
	    lock < 0 ? NULL : give_name(building, parent, name, error);
	if (directory == NULL) {
		remove_unfinished(building);
		if (lock >= 0)
			(void)close(lock);
		g_prefix_error(
		    error, "cannot make a run directory below %s: ", parent);
		return NULL;
	}
	g_autoptr(Store) store = store_new(directory, lock, false);
	return store_attach(store, error) ? g_steal_pointer(&store) : NULL;
}

typedef struct {
	const Plan *plan;
	const char *version;
} Planned;

static bool
describe_planned(Store *store, const void *what, GError **error)
{
	const Planned *planned = what;

	return describe_plan(store, planned->plan, planned->version, error);
}

Store *
store_create(
    const char *parent, const Plan *plan, const char *version, GError **error)
{
	const Planned planned = { plan, version };
	const Beginning beginning = { plan->matrix->name, plan->matrix->source,
		NULL, describe_planned, &planned };

	return begin(parent, &beginning, error);
}

Store *
store_import(const char *parent, const StoreData *data, const char *table,
    GError **error)
{
	const Beginning beginning = { data->name,
		"# There is no matrix: what was imported is in " STORE_TABLE
		".\n",
		table, describe_import, data };

	return begin(parent, &beginning, error);
}
