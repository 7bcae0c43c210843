/*
 * The run directory: matrix.cfg, run.db (SQLite, WAL, synchronous=FULL),
 * raw/.  Every function that writes returns once the row is on disk.  Safe
 * from several threads (one mutex inside).  After a failed write the store
 * refuses all later ones; errors are ABRUN_ERROR_STORE.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "plan/plan.h"
#include "store/data.h"

typedef struct Store Store;

/*
 * Makes NAME-YYYYMMDD-HHMMSS (UTC; -2, -3... if several begin in that second)
 * below parent, locks it (flock) and writes experiment, hosts, factors,
 * levels, cells and loads of the plan.  The directory gets its name when all
 * that is on disk: a run directory is never without its plan.
 */
Store *store_create(
    const char *parent, const Plan *plan, const char *version, GError **error);
/*
 * An existing directory; read_only takes no lock.  ABRUN_ERROR_HOST if
 * another abrun holds the lock: the message says who and since when;
 * _USAGE if it is no directory; _STORE if its database cannot be used.
 */
Store *store_open(const char *directory, bool read_only, GError **error);
void store_close(Store *store);
/*
 * Who writes to the directory now, as the holder of its lock told: "process 7
 * of me on box since 2026-11-30 16:21:25 UTC"; NULL when nobody does.  Free
 * it.
 */
char *store_holder(const char *directory);
/*
 * Leaves the directory as it is and goes on in memory, also after a failed
 * write: a host can then be left as it was found, and what happened be
 * reported.  Idempotent.
 */
bool store_go_on_in_memory(Store *store, GError **error);
const char *store_directory(const Store *store);
/*
 * The newest directory of this matrix name, or of any if that is NULL, below
 * parent, or NULL; free it.  Newest by the names: time stamp, then number.
 */
char *store_newest(const char *parent, const char *name);
/* Identity hash kept in a store. */
const char *store_identity(const Store *store);
/* True when every visit of all planned rounds has ended. */
bool store_finished(Store *store, const Plan *plan);
/*
 * The same for the plan that the run was begun with, which need not be at
 * hand; not for design.share.
 */
bool store_ended(Store *store);
/* True when a change of a target is still to be undone, and can be. */
bool store_undo_due(Store *store);
/*
 * Path for a raw file, made unique ("out.txt", "out-2.txt"); below raw/.  An
 * empty file is made, so that no one else is given the name.  Free it.
 */
char *store_raw_path(const Store *store, const char *name);

/* Each returns the row's id, or 0 with an error. */
/* A boot that was met before, on the same target, keeps its row. */
int64_t store_boot(Store *store, size_t target, const char *boot_id,
    const char *kernel, bool made, GError **error);
int64_t store_visit_begin(Store *store, size_t target, size_t round,
    size_t block, size_t server, int64_t boot, int attempt, GError **error);
/* A visit that has ended may be ended again as VISIT_SUPERSEDED. */
bool store_visit_end(Store *store, int64_t visit, VisitStatus status,
    const char *reason, GError **error);
int64_t store_start(Store *store, int64_t visit, size_t index, int64_t pid,
    const char *version, const char *exe_sha256, int64_t ready_ms,
    GError **error);

typedef struct {
	int64_t visit, start;
	size_t cell, load;
	int number;
	bool warmup;
	bool good;
	const char *reason, *flag; /* or NULL */
	double began;              /* seconds since 1970 */
	int64_t wall_ms;
	const char *raw;  /* path of its kept output, below raw/ */
	size_t n_samples; /* names all different, values finite */
	const char *const *metrics;
	const double *values;
} StoreRun;

/* Run and samples in one transaction. */
int64_t store_run(Store *store, const StoreRun *run, GError **error);

/* All proofs of one side of a visit in one transaction. */
typedef struct {
	const char *what, *about, *wanted, *seen;
	StoredVerdict verdict;
} StoreProof;
bool store_proofs(Store *store, int64_t visit, bool after,
    const StoreProof *proofs, size_t n, GError **error);
/* Told again, the new value counts; another old one becomes an event. */
bool store_fact(Store *store, const char *scope, int64_t id, const char *key,
    const char *value, GError **error);
bool store_event(Store *store, size_t target, const char *kind,
    const char *text, GError **error);

/* The plan now has so many rounds. */
bool store_extend(Store *store, int rounds, GError **error);

/*
 * Undo rows: intended -> done -> undone; foreign -> undone.  scope "process",
 * "boot" or "disk"; boot_id is needed for "boot".  old may be NULL: was absent.
 */
typedef enum { UNDO_INTENDED, UNDO_DONE, UNDO_UNDONE, UNDO_FOREIGN } UndoState;
typedef struct {
	int64_t id;
	size_t target;
	char *kind, *name; /* "sysctl" "vm.swappiness"; "command" APPLY */
	char *old_value;   /* NULL = was absent; undo command for "command" */
	char *new_value;
	char *scope, *boot_id;
	UndoState state;
} StoreUndo;
int64_t store_undo_intend(Store *store, const StoreUndo *undo, GError **error);
bool store_undo_set(Store *store, int64_t id, UndoState state, GError **error);
/* Rows of a target not yet undone, newest first; NULL with an error. */
GPtrArray *store_undo_open(Store *store, size_t target, GError **error);

/*
 * What a setting was on this boot before abrun changed it: the first value
 * kept counts, later ones are ignored.
 */
bool store_original_keep(Store *store, size_t target, const char *boot_id,
    const char *kind, const char *name, const char *value, GError **error);
/* All of a boot: GHashTable of "KIND NAME" to value; NULL with an error. */
GHashTable *store_originals(
    Store *store, size_t target, const char *boot_id, GError **error);

/* "target/round/block/server"; free it. */
char *store_visit_key(size_t target, size_t round, size_t block, size_t server);
/*
 * Which visits are done: GHashTable set of store_visit_key()s, of visits that
 * ended valid, invalid or failed.  Others are to be done again.  NULL with an
 * error; unref it.
 */
GHashTable *store_done(Store *store, GError **error);

/* All of the run at one moment; NULL with an error. */
StoreData *store_read(Store *store, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Store, store_close)

#endif
