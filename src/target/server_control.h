/*
 * What server.c, server_start.c, server_launch.c, server_ready.c,
 * server_wait.c, server_stop.c and server_identify.c share.
 * Nobody else includes this.
 */
#ifndef TARGET_SERVER_CONTROL_H
#define TARGET_SERVER_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "target/control.h"
#include "target/server.h"

struct ServerControl {
	Target *target;
	const Server *server;
	Control *sql;
	char *work_dir; /* private directory on the target; NULL = not set */
	bool running;   /* life is one that may still run */
	bool given_up;  /* it is stopped before it has answered */
	/* pid, start and boot id alone; pid 0: only its start command knows. */
	ServerLife life;
	int64_t clock;      /* no younger process is ours; 0 = not told */
	int64_t started_us; /* when it was started */
	/* The binary last hashed; NULL: none, or its identity is not told. */
	char *known_identity;
	char *known_sha256;
	GPtrArray *ended; /* char *: see server_ended_too() */
};

enum {
	SERVER_CALL_MS = 30000,  /* a few verbs that only look */
	SERVER_UPTIME_SLACK = 2, /* the server counts whole seconds */
};

/* Seconds of Uptime that the last server started here can have at most. */
int64_t server_uptime_limit(const ServerControl *control);

/*
 * The parts of server_stop(), for a call that asks for more: the verbs that
 * stop, and what their answers, the first of which is number 0, say.
 */
void server_add_stop(
    ServerControl *control, VerbCall *call, const ServerLife *life);
Deadline server_stop_deadline(const ServerControl *control);
bool server_stopped(ServerControl *control, const ServerLife *life,
    const GPtrArray *answers, GError **error);

/*
 * Stops what was started, also when the user cancels.  Should that fail, it
 * is remembered, and the next start tries again.
 */
void server_give_up(ServerControl *control);

/* Adds the verbs that say who listens on the server's socket and port. */
void server_add_owners(VerbCall *call, const Server *server);

/* Starts it; the process is known where we executed it ourselves. */
bool server_launch(
    ServerControl *control, const GPtrArray *settings, GError **error);

/*
 * Looks whether the ready command succeeds and, except of a mysqld, whether
 * somebody listens at the address; *trouble says why it is not ready, to be
 * freed.  Who listens becomes control->life where that is not known.
 */
bool server_look_ready(ServerControl *control, Deadline deadline, bool *ready,
    char **trouble, GError **error);
/*
 * Takes the process that listens for control->life, where that is not known:
 * it must be one that was started now.  _VERIFY if it was not.
 */
bool server_adopt(ServerControl *control, GError **error);

/*
 * Waits until somebody not older than control->life answers a query; fills
 * life but for the binary.  An end of the process ends the waiting.
 */
bool server_wait_until_ready(ServerControl *control, const char *work_dir,
    Deadline deadline, ServerLife *life, GError **error);

#endif
