/*
 * SQL to the server of one target, through libmysqlclient and an SSH tunnel:
 * to the server's Unix socket where it has one, else to its TCP port as the
 * target itself reaches it, at the address the load uses (127.0.0.1 where
 * none is given).  The tunnel stays, the connection does not: each exchange
 * connects and disconnects, so a load never shares the server with an idle
 * connection of ours.  For one thread.
 *
 * The password comes from server.option_file (group [client], read by the
 * library) or from the variable of our own environment that
 * server.password_env names.  It is never in an argument, a log or an error.
 *
 * Errors: ABRUN_ERROR_HOST (nobody answers, or not yet: try again),
 * _TIMEOUT, _FAILED (the server refuses: access, unknown database, statement),
 * _USAGE (the option file or variable is not as it must be), _CANCELLED.
 */
#ifndef TARGET_CONTROL_H
#define TARGET_CONTROL_H

#include <stdbool.h>

#include <glib.h>

#include "base/deadline.h"
#include "matrix/matrix.h"
#include "target/target.h"

/* Once, from main, before the first thread; and at its end. */
bool control_library_init(GError **error);
void control_library_end(void);

typedef struct Control Control;

/* Both must outlive it.  Does not connect. */
Control *control_new(const Target *target, const Server *server);
void control_free(Control *control);

/*
 * Looks for the password and opens the tunnel, so that a later
 * control_connect() neither fails for want of one nor waits for a login.
 * Does nothing more when the tunnel is open.
 */
bool control_reach(Control *control, Deadline deadline, GError **error);
/*
 * Connects anew; the deadline also bounds all queries of this connection.
 * db: selected where it exists, or NULL.
 */
bool control_connect(
    Control *control, const char *db, Deadline deadline, GError **error);
void control_disconnect(Control *control);
/*
 * The last attempt to connect failed since the host let it not through to the
 * server's address, be it that nobody listens there or that sshd forbids it.
 */
bool control_refused(const Control *control);
/*
 * The rows of one statement, each a GStrv, NULL values as "NULL"; unref it.
 * Empty for a statement without a result.  Must be connected.  An answer
 * larger than any that is asked for here is ABRUN_ERROR_FAILED; the connection
 * is then of no more use.
 */
GPtrArray *control_rows(Control *control, const char *sql, GError **error);

/* "socket /run/x.sock", "127.0.0.1:3306": for messages. */
const char *control_address(const Control *control);

/*
 * What an error number of the library or the server asks for: HOST = try
 * again until the deadline, FAILED = trying again is no use.
 */
int control_error_code(unsigned number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Control, control_free)

#endif
