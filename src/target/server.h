/*
 * The server of a cell: started with the cell's options, environment and
 * library, waited for until the new process itself answers a real query over
 * the address that the load uses, proved, and stopped.  For one thread.
 *
 * Errors: ABRUN_ERROR_FAILED (did not start, exited: the tail of its log is
 * in the message), _TIMEOUT, _VERIFY (another process answers), _USAGE (the
 * option file or password variable is not as it must be; a socket's path is
 * too long), _HOST, _CANCELLED.
 */
#ifndef TARGET_SERVER_H
#define TARGET_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "matrix/matrix.h"
#include "target/proof.h"
#include "target/target.h"

/* One life of the server; clear with server_life_clear(). */
typedef struct {
	int64_t pid;
	char *start;   /* start time as the system counts it; with pid: who */
	char *boot_id; /* the boot it lives on */
	char *exe;     /* path of the binary; NULL until identified */
	char *exe_sha256;
	/* As the process verb tells it, NULL where it does not; that of the
	 * start before until identified. */
	char *exe_identity;
	char *version;    /* what a mysqld says of itself; NULL: it is none */
	int64_t ready_ms; /* from start to the first answer */
	/* Of a service: its invocation by the service manager, NULL if that
	 * has none; the files of the host that set its environment, or NULL. */
	char *invocation;
	char *environment_files;
} ServerLife;

void server_life_clear(ServerLife *life);

typedef struct ServerControl ServerControl;

/*
 * The means to talk to the server of one target: a libmysqlclient connection,
 * through an SSH tunnel.  The tunnel opens when first needed and stays; each
 * exchange connects and disconnects, so no load shares the server with an
 * idle connection of ours.  target and server must outlive it.
 */
ServerControl *server_control_new(Target *target, const Server *server);
/*
 * The private directory on the target for what is said by commands; needed
 * before server_stop(), server_start() and server_clear() set it.
 */
void server_set_directory(ServerControl *control, const char *work_dir);
void server_control_free(ServerControl *control);

/*
 * Starts server for these settings (Setting *, of this cell; a preload of a
 * bare name must be resolved before, here and in subjects).  subjects: see
 * matrix_subjects().  A server that this control, or the work directory, knows
 * as left running is stopped first; anybody else who listens on the socket or
 * port is an error, and nothing is started.  work_dir is a private directory
 * on the target for log and pid.  Of the settings, env, preload, mysqld and
 * cpuset take effect here; see startup.h for the command line.  Where the user
 * has a start command these are given to it, and that they reach the server is
 * for the proofs to say.
 *
 * Returns when the server is ready: its ready command has succeeded; a mysqld
 * that is not older answers a query at the address of the load; of others a
 * process that is not older listens there.  Which process answers nobody knows
 * until server_identify() or server_identified(), which must come next.
 */
bool server_start(ServerControl *control, const GPtrArray *settings,
    const GPtrArray *subjects, const char *work_dir, ServerLife *life,
    GError **error);
/*
 * The first step of server_start() alone: what it knows as left running is
 * stopped, and nobody else may listen.
 */
bool server_clear(ServerControl *control, const char *work_dir, GError **error);
/* Whether one that was started with this control may still run. */
bool server_may_run(const ServerControl *control);
/*
 * The process that answers is the one that was started: pid and start time of
 * the owner of each address; ABRUN_ERROR_VERIFY and the server is stopped if
 * not.  Of several processes that listen it is the one that the others come
 * from.  Fills what life has of the binary.  server_identify() asks in a call
 * of its own; server_identified() reads the answers to a call that
 * server_prove_ask() has begun, and does nothing for a life already known.
 */
bool server_identify(ServerControl *control, ServerLife *life, GError **error);
bool server_identified(ServerControl *control, const GPtrArray *answers,
    ServerLife *life, GError **error);
/*
 * Stops that life and waits for the end of the process, whatever files or
 * commands say of it; a zombie is gone.  TERM ends what a command started,
 * the user's stop command the others; its exit status does not matter where
 * the process has ended.  Idempotent.  A server that had to be killed is gone,
 * and ABRUN_ERROR_FAILED: its data were not closed.
 */
bool server_stop(
    ServerControl *control, const ServerLife *life, GError **error);
/*
 * What the last stop found by its mark and ended besides, "PID NAME" each,
 * parted by commas; NULL: nothing.  Free it.
 */
char *server_ended_too(const ServerControl *control);

/*
 * Adds the verbs that look at all this on one side of a visit to a call, and
 * afterwards the proofs that their answers give.  One round trip and one SQL
 * exchange prove a side.
 *
 * The binary is hashed at the first start; at later starts and at each proof
 * its identity (device, inode, size and times to the nanosecond) is compared,
 * and it is hashed again if that has changed or is not told.
 *
 * The verbs may stand anywhere in a call but stay together.  A sysctl, sysfs,
 * thp, smt, governor or turbo subject which the cell does not set gives an
 * "unknown" proof that wants PROOF_WANTED_BEFORE, for the floor that keeps
 * the undo journal to judge.  Settings of kinds file, during, command and of
 * class boot are not proved here.
 *
 * False only when cancelled or misused; a server that does not answer gives
 * "unknown" proofs.  Proofs are added: "boot", "process", "binary", "owner",
 * "environment", "library", "cpuset", "argument" (an option in the process's
 * arguments), "option" (by SQL), "invocation" (of a service), "version",
 * "uptime" (both "not applicable" for what is no mysqld), and the kind's name
 * for tunables.
 */
void server_prove_ask(VerbCall *call, const Server *server,
    const ServerLife *life, const GPtrArray *settings,
    const GPtrArray *subjects);
bool server_prove_judge(ServerControl *control, const VerbCall *call,
    const GPtrArray *answers, const ServerLife *life, const GPtrArray *settings,
    const GPtrArray *subjects, GPtrArray *proofs, GError **error);

/*
 * One value by SQL, in server.db where that exists: the last column of the
 * first row, so that CHECKSUM TABLE works too; "NULL" for NULL.  Free it.
 */
char *server_query_value(
    ServerControl *control, const char *sql, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ServerLife, server_life_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ServerControl, server_control_free)

#endif
