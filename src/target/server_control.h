/*
 * What server.c, server_start.c, server_wait.c and server_identify.c share.
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
	bool running;       /* life is one that may still run */
	ServerLife life;    /* pid, start and boot id alone */
	int64_t started_us; /* when it was started */
	/* The binary last hashed; NULL: none, or its identity is not told. */
	char *known_identity;
	char *known_sha256;
};

enum {
	SERVER_CALL_MS = 30000,  /* a few verbs that only look */
	SERVER_UPTIME_SLACK = 2, /* the server counts whole seconds */
};

/* Seconds of Uptime that the last server started here can have at most. */
int64_t server_uptime_limit(const ServerControl *control);

/* The parts of server_stop(), for a call that asks for more. */
void server_add_stop(
    ServerControl *control, VerbCall *call, const ServerLife *life);
Deadline server_stop_deadline(const ServerControl *control);
bool server_stopped(ServerControl *control, const ServerLife *life,
    const VerbAnswer *answer, GError **error);

/*
 * Stops what was started, also when the user cancels.  Should that fail, it
 * is remembered, and the next start tries again.
 */
void server_give_up(ServerControl *control);

/* Adds the verbs that say who listens on the server's socket and port. */
void server_add_owners(VerbCall *call, const Server *server);

/*
 * Waits until somebody not older than control->life answers a query; fills
 * life but for the binary.  An end of the process ends the waiting.
 */
bool server_wait_until_ready(ServerControl *control, const char *work_dir,
    Deadline deadline, ServerLife *life, GError **error);

#endif
