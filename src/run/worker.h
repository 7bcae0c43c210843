/*
 * One target's night: a thread of its own, which works through the visits of
 * the plan in order, one after the other, and leaves the host as it found it.
 * What visit.c, prove.c, measure.c and prepare.c share of it stands here.
 *
 * A Worker is for its own thread.  Matrix, plan and store are shared; the
 * store locks itself, the others are read-only.
 */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/cancel.h"
#include "plan/plan.h"
#include "run/progress.h"
#include "run/state_log.h"
#include "store/store.h"
#include "target/server.h"
#include "target/target.h"

typedef struct {
	const Plan *plan;
	Store *store;
	Progress *progress;
	Cancel *work;          /* asked: stop measuring */
	const Cancel *cleanup; /* asked: leave at once */
	size_t index;          /* of the target in the matrix */
	size_t rounds;

	/* Live: made by worker_connect(), dropped by worker_disconnect(). */
	Target *target;
	ServerControl *control; /* NULL without a server */
	char *work_dir;         /* private directory on the target */
	char *boot_id;
	int64_t boot;    /* row in the store */
	ServerLife life; /* pid 0: none running */

	/* Of the night: made once by prepare_target(). */
	GPtrArray *resolved; /* ResolvedSetting */
	GPtrArray *subjects; /* Setting *, with names resolved */
	GHashTable *hashes;  /* path to sha256, as first seen */
	GPtrArray *scripts;  /* WorkerScript */
	char *server_sha256; /* of the server's binary, as first seen */

	StateLog *state; /* what was done to the loads' data */

	Server server;        /* the matrix's, with its command expanded */
	char *server_command; /* that command */
	bool has_password;    /* work_dir holds the loads' password */

	GHashTable *before; /* facts and boots of earlier nights */

	size_t failures; /* visits without result since the last with one */
	size_t lost;     /* of these the last, for want of the host */
	bool unsettled;  /* a load of a visit that broke off may still run */
	GError *end;     /* why the night ended early; NULL if it did not */
} Worker;

/* A setting of the matrix, and what this target makes of it. */
typedef struct {
	const Setting *of; /* the matrix's */
	Setting *is;       /* ours */
} ResolvedSetting;

/* A load's script, copied into work_dir. */
typedef struct {
	size_t load;
	char *key;  /* of the load's definition */
	char *name; /* in the matrix */
	char *path; /* on the target */
} WorkerScript;

/* How long one verb call may take, besides what it waits for. */
enum { WORKER_CALL_MS = 60000, WORKER_CONNECT_MS = 30000 };

const Host *worker_host(const Worker *worker);
const Matrix *worker_matrix(const Worker *worker);
/*
 * The message of an error on this host, for a line that begins with the
 * host's name: floors below put the name there, too.  Borrowed.
 */
const char *worker_reason(const Worker *worker, const GError *error);
/* A deadline for one call. */
Deadline worker_deadline(void);

/*
 * Logs in, asks for the facts of this boot and makes the work directory.
 * Nothing about the host is believed from before.
 */
bool worker_connect(Worker *worker, const Cancel *cancel, GError **error);
void worker_disconnect(Worker *worker);

/* The settings of a cell with preloads resolved; free the array alone. */
GPtrArray *worker_settings(const Worker *worker, const Cell *cell);
/* What a setting stands for on this target: itself, or its resolved copy. */
const Setting *worker_resolve(const Worker *worker, const Setting *setting);

/*
 * Keeps what software is used: kind "server", "library", "load", "script";
 * name, NULL for the server; what is known of it ("sha256", "path",
 * "version").  ABRUN_ERROR_VERIFY when its sha256 was another in an earlier
 * night of this run.
 */
bool worker_fact(Worker *worker, const char *kind, const char *name,
    const char *what, const char *value, GError **error);

/* Reads what earlier nights of this run have kept. */
bool worker_remember(Worker *worker, GError **error);

/* Makes the tables of a Worker whose plain members are set; frees all. */
void worker_init(Worker *worker);
void worker_clear(Worker *worker);

/* The thread: argument is the Worker, result NULL. */
void *worker_main(void *worker);

#endif
