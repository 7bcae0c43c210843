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
#include "run/meeting.h"
#include "run/progress.h"
#include "run/state_log.h"
#include "run/turn.h"
#include "store/store.h"
#include "target/host_lock.h"
#include "target/server.h"
#include "target/target.h"

typedef struct SharedLock SharedLock;

typedef struct Worker {
	const Plan *plan;
	Store *store;
	Progress *progress;
	Cancel *work;          /* asked: stop measuring */
	const Cancel *cleanup; /* asked: leave at once */
	Turns *turns;
	Meeting *meeting;   /* of the targets: see stopping.h */
	SharedLock *shared; /* see lock.h */
	size_t index;       /* of the host: see matrix_host_number() */
	size_t
	    serves; /* the target whose night it is: index, or see client.h */
	size_t rounds;

	struct Worker *client; /* where the load runs: see client.h */
	unsigned in_turn;      /* turns taken, one within the other */

	/* Live: made by worker_connect(), dropped by worker_disconnect(). */
	Target *target;
	ServerControl *control; /* NULL without a server */
	char *work_dir;         /* private directory on the target */
	char *boot_id;
	int64_t boot;       /* row in the store */
	const char *kernel; /* id that it must be; NULL: it was not made */
	bool rebooted;      /* a boot was chosen: the last one is due */
	bool made;          /* the boot that is met next is of our making */
	GHashTable *facts;  /* when it was logged in to: watch_table() */
	ServerLife life;    /* pid 0: none running */
	HostLock *lock;     /* kept while the session changes */
	char *lock_token;
	bool unchanged; /* no other run's changes are open there */

	/* Of the night: made once by prepare_target(). */
	GPtrArray *resolved; /* ResolvedSetting */
	GHashTable *kernels; /* what selects one to its id, "default" too */
	GHashTable *kernel_files; /* and to what its file is, where told */
	GPtrArray *subjects;      /* Setting *, with names resolved */
	GHashTable *hashes;       /* path to sha256, as first seen */
	GPtrArray *scripts;       /* WorkerScript */
	char *server_sha256;      /* of the server's binary, as first seen */

	GPtrArray *during;   /* of run/during.c */
	GPtrArray *monitors; /* char *: what runs of them, by the verbs' name */

	StateLog *state; /* what was done to the loads' data */

	Server server; /* the matrix's, with its commands expanded */
	/* Those: command, start, stop, ready. */
	char *server_commands[4];
	bool has_password; /* work_dir holds the loads' password */
	size_t loads;      /* begun so far: each has a name of its own */
	bool collected;    /* the last one's link broke while it ran */

	GHashTable *before; /* facts and boots of earlier nights */

	bool gate;           /* the next look waits until it is quiet */
	GHashTable *watched; /* of this visit, "before.KEY" to value: watch.h */

	size_t failures;   /* visits without result since the last with one */
	size_t lost;       /* of these the last, for want of the host */
	bool start_lost;   /* the server of the visit died and is another now */
	bool gone;         /* the host did not come back in its time */
	GPtrArray *missed; /* char *: what was not booted since the last boot
	                    * that was had, for whole blocks */
	size_t missed_blocks;
	bool powerless; /* nor when its power was cut, or it was not */
	bool no_boot;   /* no attempt is left for the boot of the block */
	bool unsettled; /* a load of a visit that broke off may still run */
	size_t stopped; /* before this round, for want of time; 0: it was not */
	bool rehearsal; /* no night: loads are neither set up nor cleaned up */
	GError *end;    /* why the night ended early; NULL if it did not */
} Worker;

/* A setting of the matrix, and one of those that this target makes of it. */
typedef struct {
	const Setting *of; /* the matrix's; NULL: of no cell, proved absent */
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

/* The host without a session; free it.  NULL with ABRUN_ERROR_USAGE. */
Target *worker_target(Worker *worker, const Cancel *cancel, GError **error);

/*
 * Logs in, asks for the facts of this boot and makes the work directory, and
 * likewise on a client host apart.  Nothing about a host is believed from
 * before.
 */
bool worker_connect(Worker *worker, const Cancel *cancel, GError **error);
/* The same without the client host. */
bool worker_connect_alone(Worker *worker, const Cancel *cancel, GError **error);
void worker_disconnect(Worker *worker);

/* The settings of a cell as they were resolved; free the array alone. */
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

/*
 * Which boot the host is in, by the answers of watch_ask_facts(); of one that
 * is new all facts are kept.  One that is not the boot before is told, and
 * what lived in that is forgotten.
 */
bool worker_learn_boot(Worker *worker, const GPtrArray *answers,
    bool with_hazards, GError **error);

/* Reads what earlier nights of this run have kept. */
bool worker_remember(Worker *worker, GError **error);

/* Makes the tables of a Worker whose plain members are set; frees all. */
void worker_init(Worker *worker);
void worker_clear(Worker *worker);

/*
 * Leaves the hosts as they were found, by sessions of their own, and gives
 * the target's lock back.  What cannot be undone is told, is an event and
 * stays in the store; worker->end may become what could not be stored.
 */
void worker_finish(Worker *worker);

/*
 * What cannot be stored ends the night of all targets.  That the hosts are
 * left as they were is worth more than a note of it.
 */
void worker_give_up_storing(Worker *worker);

/* The thread: argument is the Worker, result NULL. */
void *worker_main(void *worker);

#endif
