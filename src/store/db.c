#include "store/db.h"

#include <errno.h>

#include "base/error.h"

/* How long a person's own sqlite3 shell may hold the database. */
enum { BUSY_MS = 10000 };

DbValue
db_int(int64_t number)
{
	return (DbValue){ .type = DB_INT, .number = number };
}

DbValue
db_id(int64_t id)
{
	if (id == 0)
		return (DbValue){ .type = DB_NULL };
	return db_int(id);
}

DbValue
db_known(int64_t number)
{
	if (number < 0)
		return (DbValue){ .type = DB_NULL };
	return db_int(number);
}

DbValue
db_double(double real)
{
	return (DbValue){ .type = DB_DOUBLE, .real = real };
}

DbValue
db_text(const char *text)
{
	if (text == NULL)
		return (DbValue){ .type = DB_NULL };
	return (DbValue){ .type = DB_TEXT, .text = text };
}

double
db_now(void)
{
	return (double)g_get_real_time() / 1e6;
}

char *
db_reason(sqlite3 *db, int code)
{
	const int number = db != NULL ? sqlite3_system_errno(db) : 0;

	/* The shared memory beside the log fails so, not with SQLITE_FULL. */
	if ((code & 0xff) == SQLITE_IOERR && number == ENOSPC)
		return g_strdup("the disk is full");
	switch (code & 0xff) {
	case SQLITE_FULL:
		return g_strdup("the disk is full");
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
		return g_strdup_printf("it is damaged (%s)",
		    db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(code));
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return g_strdup("another program holds it locked");
	default:
		break;
	}
	g_autofree char *system = number != 0
	    ? g_strdup_printf(": %s", g_strerror(number))
	    : g_strdup("");
	return g_strdup_printf("%s%s",
	    db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(code), system);
}

static void
set_open_error(sqlite3 *db, const char *path, int code, GError **error)
{
	g_autofree char *reason = db_reason(db, code);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
	    "cannot open the database %s: %s", path, reason);
}

sqlite3 *
db_open(const char *path, int flags, bool immutable, GError **error)
{
	g_autofree char *escaped =
	    g_uri_escape_string(path, G_URI_RESERVED_CHARS_ALLOWED_IN_PATH, 0);
	g_autofree char *uri = g_strdup_printf(
	    "file:%s%s", escaped, immutable ? "?immutable=1" : "");
	sqlite3 *db = NULL;
	int code = sqlite3_open_v2(uri, &db,
	    flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
		SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE,
	    NULL);

	if (code == SQLITE_OK)
		code = sqlite3_busy_timeout(db, BUSY_MS);
	/* The first statement that reads the file finds out what it is. */
	if (code == SQLITE_OK)
		code = sqlite3_exec(db,
		    "PRAGMA temp_store = MEMORY;"
		    "PRAGMA foreign_keys = ON;"
		    "PRAGMA trusted_schema = OFF;"
		    "PRAGMA synchronous = FULL;"
		    "SELECT count(*) FROM sqlite_schema",
		    NULL, NULL, NULL);
	if (code == SQLITE_OK)
		return db;
	set_open_error(db, path, code, error);
	(void)sqlite3_close(db);
	return NULL;
}

static void
set_read_error(Store *store, int code, GError **error)
{
	g_autofree char *reason = db_reason(store->db, code);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE, "cannot read %s: %s",
	    store->path, reason);
}

/* A failed write: nothing may be stored after it. */
static void
break_store(
    Store *store, const char *wanted, const char *reason, GError **error)
{
	if (store->broken == NULL)
		store->broken = g_strdup_printf(
		    "cannot store %s in %s: %s", wanted, store->path, reason);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE, "%s", store->broken);
}

static sqlite3_stmt *
prepare(Store *store, const char *sql, int *code)
{
	sqlite3_stmt *statement = g_hash_table_lookup(store->statements, sql);

	*code = SQLITE_OK;
	if (statement != NULL)
		return statement;
	*code = sqlite3_prepare_v3(
	    store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
	if (*code != SQLITE_OK)
		return NULL;
	g_hash_table_insert(store->statements, g_strdup(sql), statement);
	return statement;
}

static int
bind_value(sqlite3_stmt *statement, int at, const DbValue *value)
{
	switch (value->type) {
	case DB_NULL:
		return sqlite3_bind_null(statement, at);
	case DB_INT:
		return sqlite3_bind_int64(statement, at, value->number);
	case DB_DOUBLE:
		return sqlite3_bind_double(statement, at, value->real);
	case DB_TEXT: {
		/* Text of hosts may be anything; the database holds UTF-8. */
		char *valid = g_utf8_make_valid(value->text, -1);
		return sqlite3_bind_text(statement, at, valid, -1, g_free);
	}
	}
	g_assert_not_reached();
}

static sqlite3_stmt *
bind_all(
    Store *store, const char *sql, const DbValue *values, size_t n, int *code)
{
	sqlite3_stmt *statement = prepare(store, sql, code);

	if (statement == NULL)
		return NULL;
	g_assert((size_t)sqlite3_bind_parameter_count(statement) == n);
	for (size_t i = 0; i < n && *code == SQLITE_OK; i++)
		*code = bind_value(statement, (int)i + 1, &values[i]);
	return *code == SQLITE_OK ? statement : NULL;
}

sqlite3_stmt *
db_bind(Store *store, const char *sql, const DbValue *values, size_t n,
    GError **error)
{
	int code;
	sqlite3_stmt *statement = bind_all(store, sql, values, n, &code);

	if (statement == NULL)
		set_read_error(store, code, error);
	return statement;
}

bool
db_row(Store *store, sqlite3_stmt *statement, GError **error)
{
	const int code = sqlite3_step(statement);

	if (code == SQLITE_ROW)
		return true;
	if (code != SQLITE_DONE)
		set_read_error(store, code, error);
	(void)sqlite3_reset(statement);
	(void)sqlite3_clear_bindings(statement);
	return false;
}

bool
db_read_begin(Store *store, GError **error)
{
	const int code = sqlite3_exec(store->db, "BEGIN", NULL, NULL, NULL);

	if (code != SQLITE_OK)
		set_read_error(store, code, error);
	return code == SQLITE_OK;
}

void
db_read_end(Store *store)
{
	(void)sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
}

char *
db_string(sqlite3_stmt *statement, int column)
{
	char *text = db_copy(statement, column);

	return text != NULL ? text : g_strdup("");
}

char *
db_copy(sqlite3_stmt *statement, int column)
{
	return g_strdup((const char *)sqlite3_column_text(statement, column));
}

bool
db_run(Store *store, const char *wanted, const char *sql, const DbValue *values,
    size_t n, GError **error)
{
	int code;
	sqlite3_stmt *statement = bind_all(store, sql, values, n, &code);

	if (statement != NULL) {
		code = sqlite3_step(statement);
		if (code == SQLITE_DONE) {
			(void)sqlite3_reset(statement);
			(void)sqlite3_clear_bindings(statement);
			return true;
		}
	}
	/* Reset would overwrite the message. */
	g_autofree char *reason = db_reason(store->db, code);
	break_store(store, wanted, reason, error);
	(void)sqlite3_reset(statement);
	return false;
}

/* Whether what is written is not what a reader will open. */
static bool
has_moved(Store *store)
{
	int moved = 0;

	return sqlite3_file_control(store->db, NULL, SQLITE_FCNTL_HAS_MOVED,
		   &moved) == SQLITE_OK &&
	    moved != 0;
}

bool
db_begin(Store *store, const char *wanted, GError **error)
{
	if (store->read_only) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot store %s in %s: it was opened to be read", wanted,
		    store->path);
		return false;
	}
	if (store->broken != NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "%s; nothing is stored since then", store->broken);
		return false;
	}
	if (has_moved(store)) {
		break_store(
		    store, wanted, "it was moved, removed or replaced", error);
		return false;
	}
	return db_run(store, wanted, "BEGIN IMMEDIATE", NULL, 0, error);
}

bool
db_commit(Store *store, const char *wanted, bool ok, GError **error)
{
	if (ok && db_run(store, wanted, "COMMIT", NULL, 0, error))
		return true;
	/* A full disk has sometimes rolled back by itself. */
	if (sqlite3_get_autocommit(store->db) == 0)
		(void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

bool
db_write(Store *store, const char *wanted, const char *sql,
    const DbValue *values, size_t n, int64_t *id, GError **error)
{
	(void)pthread_mutex_lock(&store->mutex);
	bool ok = db_begin(store, wanted, error);
	if (ok) {
		const bool ran = db_run(store, wanted, sql, values, n, error);
		const int64_t row = sqlite3_last_insert_rowid(store->db);
		ok = db_commit(store, wanted, ran, error);
		if (ok && id != NULL)
			*id = row;
	}
	(void)pthread_mutex_unlock(&store->mutex);
	return ok;
}

int64_t
db_insert(Store *store, const char *wanted, const char *sql,
    const DbValue *values, size_t n, GError **error)
{
	int64_t id = 0;

	(void)db_write(store, wanted, sql, values, n, &id, error);
	return id;
}
