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

#include "base/failure.h"
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
 * The same of samples that were imported (imported.h), all of them at once;
 * the table's text is kept beside them.
 */
Store *store_import(const char *parent, const StoreData *data,
    const char *table, GError **error);
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
 * Where less than this is free nothing is begun: a run may keep 2 MiB of
 * output, and what is changed on hosts must be stored, too.
 */
enum { STORE_FLOOR_BYTES = 32 << 20 };
/* False with ABRUN_ERROR_STORE below that floor; asks the file system. */
bool store_has_room(const Store *store, GError **error);
bool store_place_has_room(const char *path, GError **error);
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
/*
 * A reboot is about to be asked for, for a block, or with round 0 for none:
 * back to the default kernel.  wanted says what is booted.
 */
int64_t store_reboot_begin(Store *store, size_t target, size_t round,
    size_t block, const char *wanted, GError **error);
/* boot is 0, and failure not FAILURE_NONE, where it came to nothing. */
bool store_reboot_end(Store *store, int64_t reboot, int64_t boot,
    int64_t took_ms, Failure failure, const char *reason, GError **error);

/* What is known of the reboots of a target. */
typedef struct {
	int64_t longest_ms; /* of all that came to what was wanted; 0 = none */
	size_t failed;      /* how often this block's boot was not had, */
	Failure failure;    /* and of what the last time */
	bool serves;        /* this boot was made for this block */
	bool same;          /* it was made of what is wanted, for any */
} StoreReboots;
bool store_reboots(Store *store, size_t target, size_t round, size_t block,
    int64_t boot, const char *wanted, StoreReboots *reboots, GError **error);

int64_t store_visit_begin(Store *store, size_t target, size_t round,
    size_t block, size_t server, int64_t boot, int attempt, GError **error);
/* A visit that has ended may be ended again as VISIT_SUPERSEDED. */
bool store_visit_end(Store *store, int64_t visit, VisitStatus status,
    Failure failure, const char *reason, GError **error);
/*
 * Marks the ended visits of a block that were made on another boot than this:
 * the block is to be made whole again.  *n is how many there were.
 */
bool store_supersede(Store *store, size_t target, size_t round, size_t block,
    int64_t boot, const char *reason, size_t *n, GError **error);
int64_t store_start(Store *store, int64_t visit, size_t index, int64_t pid,
    const char *version, const char *exe_sha256, int64_t ready_ms,
    GError **error);

typedef struct {
	int64_t visit, start;
	size_t cell, load;
	int number;
	bool warmup;
	bool good;
	Failure failure;           /* FAILURE_NONE for a good one */
	const char *reason, *flag; /* or NULL */
	double began;              /* seconds since 1970 */
	int64_t wall_ms;
	/* CPU time of its host meanwhile; below 0: unknown */
	int64_t cpu_ms, server_ms, others_ms, stolen_ms;
	const char *raw;  /* path of its kept output, below raw/ */
	size_t n_samples; /* names all different, values finite */
	const char *const *metrics;
	const double *values;
} StoreRun;

/* Run and samples in one transaction. */
int64_t store_run(Store *store, const StoreRun *run, GError **error);

/* Adds what weakens them to the flags of all runs of a visit. */
bool store_flag_visit(
    Store *store, int64_t visit, const char *flag, GError **error);

/* All proofs of one side of a visit in one transaction. */
typedef struct {
	const char *what, *about, *wanted, *seen;
	StoredVerdict verdict;
	int64_t run; /* whose process it is about; 0 = none */
} StoreProof;
bool store_proofs(Store *store, int64_t visit, bool after,
    const StoreProof *proofs, size_t n, GError **error);
/*
 * Told again, the new value counts; another old one becomes an event, unless
 * it is of a kind that goes on by itself, such as a clock.
 */
bool store_fact(Store *store, const char *scope, int64_t id, const char *key,
    const char *value, GError **error);
/* Several of one thing in one transaction. */
bool store_facts(Store *store, const char *scope, int64_t id,
    const char *const *keys, const char *const *values, size_t n,
    GError **error);
bool store_event(Store *store, size_t target, const char *kind,
    const char *text, GError **error);

/*
 * The plan now has so many rounds; the event that tells it is of that kind,
 * "extended" where somebody wanted more, others as in analysis/stop.h.
 */
bool store_rounds(Store *store, int rounds, const char *kind, const char *text,
    GError **error);

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
/* The hosts that have such rows (size_t); NULL with an error. */
GArray *store_undo_hosts(Store *store, GError **error);
/* A fact of a host, or of the experiment; NULL if none; free it. */
char *store_host_fact(Store *store, size_t host, const char *key);
char *store_experiment_fact(Store *store, const char *key);
/*
 * A store in memory, without a run: for undo rows alone, of host 0, which
 * need not be there.
 */
Store *store_scratch(GError **error);

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
/* A visit that failed is tried again, until it has failed so often. */
enum { STORE_ATTEMPTS = 2 };
/*
 * Which visits are done: GHashTable set of store_visit_key()s, of visits that
 * ended valid or invalid, or failed at the last attempt.  Others are to be
 * done again.  NULL with an error; unref it.
 */
GHashTable *store_done(Store *store, GError **error);

/* All of the run at one moment; NULL with an error. */
StoreData *store_read(Store *store, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Store, store_close)

#endif
