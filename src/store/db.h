/*
 * Inside the store only: the open database, its statements and its errors.
 * Callers hold store->mutex around everything here but db_open_failed().
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <glib.h>
#include <sqlite3.h>

#include "store/store.h"

/* schema.sql, as compiled in. */
extern const char store_schema[];

/* Names in a run directory. */
#define STORE_DATABASE "run.db"
#define STORE_LOCK "lock"
#define STORE_MATRIX "matrix.cfg"
#define STORE_TABLE "imported.csv" /* where samples were imported */
#define STORE_RAW "raw"

enum { STORE_SCHEMA_VERSION = 2, STORE_APPLICATION = 0x6162726e };

struct Store {
	char *directory;
	char *path; /* of the database */
	char *identity;
	int lock; /* descriptor that holds the flock, or -1 */
	bool read_only;

	/* The mutex guards all below, and the order of rows. */
	pthread_mutex_t mutex;
	sqlite3 *db;
	sqlite3 *file; /* NULL, or that of the directory: db is in memory */
	GHashTable *statements; /* SQL text -> sqlite3_stmt, made once */
	char *broken;           /* text of the first failed write, or NULL */
};

/* What has become of a visit that is not to be made again. */
#define DB_VISIT_DONE                                                          \
	"(status IN ('valid', 'invalid') OR (status = 'failed' AND attempt "   \
	">= 2))"
G_STATIC_ASSERT(STORE_ATTEMPTS == 2);

/* A value to be bound; text is borrowed until the statement has run. */
typedef struct {
	enum { DB_NULL, DB_INT, DB_DOUBLE, DB_TEXT } type;
	int64_t number;
	double real;
	const char *text;
} DbValue;

DbValue db_int(int64_t number);
/* 0 becomes NULL: an id that is not there. */
DbValue db_id(int64_t id);
/* What is below 0 becomes NULL: a number that is not known. */
DbValue db_known(int64_t number);
DbValue db_double(double real);
/* NULL becomes NULL.  Invalid UTF-8 is replaced: SQLite would keep it. */
DbValue db_text(const char *text);

#define DB_VALUES(...)                                                         \
	(const DbValue[]){ __VA_ARGS__ },                                      \
	    sizeof((const DbValue[]){ __VA_ARGS__ }) / sizeof(DbValue)

/* Opens the file with abrun's pragmas; on failure NULL. */
sqlite3 *db_open(const char *path, int flags, bool immutable, GError **error);

/* What SQLite says, in words that tell a person what to do; free it. */
char *db_reason(sqlite3 *db, int code);

/* A cached statement with the values bound, or NULL. */
sqlite3_stmt *db_bind(Store *store, const char *sql, const DbValue *values,
    size_t n, GError **error);
/* One step: true on a row, false at the end or on a failure: *error tells. */
bool db_row(Store *store, sqlite3_stmt *statement, GError **error);
/* What is read in between is of one moment. */
bool db_read_begin(Store *store, GError **error);
void db_read_end(Store *store);
/* A column's text, "" for NULL; db_copy() is NULL for NULL. */
char *db_string(sqlite3_stmt *statement, int column);
char *db_copy(sqlite3_stmt *statement, int column);

/*
 * Writing.  db_begin() refuses a read-only or broken store; wanted says what
 * is being stored, for the message.  db_run() runs one statement.  db_commit()
 * ends what db_begin() began: with ok false it rolls back.  Any failure in
 * between breaks the store.
 */
bool db_begin(Store *store, const char *wanted, GError **error);
bool db_run(Store *store, const char *wanted, const char *sql,
    const DbValue *values, size_t n, GError **error);
bool db_commit(Store *store, const char *wanted, bool ok, GError **error);
/*
 * The three together, for one statement: lock, begin, run, commit.  id, if
 * not NULL, is set to that of the row inserted.
 */
bool db_write(Store *store, const char *wanted, const char *sql,
    const DbValue *values, size_t n, int64_t *id, GError **error);
/* The same; returns the row's id, or 0 with an error. */
int64_t db_insert(Store *store, const char *wanted, const char *sql,
    const DbValue *values, size_t n, GError **error);

/* Seconds since 1970. */
double db_now(void);

#endif
