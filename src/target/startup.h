/*
 * What a server of a cell is started with, and why one did not start.  Pure;
 * the proofs compare the living process with the same lists.
 */
#ifndef TARGET_STARTUP_H
#define TARGET_STARTUP_H

#include <stdbool.h>

#include <glib.h>

#include "matrix/matrix.h"

enum {
	STARTUP_SOCKET_BYTES = 107, /* sun_path of every system, less a NUL */
	STARTUP_MYSQL_PORT = 3306,
};

/* The file in the data directory that the server writes its pid to. */
#define STARTUP_PID_FILE "abrun.pid"

/*
 * False with ABRUN_ERROR_USAGE when its socket's path is too long for the
 * system.
 */
bool startup_check(const Server *server, GError **error);

/*
 * The port that is listened on: as given; of a mysqld 3306 where neither port
 * nor socket is given; 0 = no TCP, where only a socket is given.
 */
int startup_port(const Server *server);

/*
 * NAME=VALUE for each variable of the cell: its env settings in order, of one
 * name the last; preloads, joined by colons, as LD_PRELOAD, before what env
 * says of LD_PRELOAD.
 */
GPtrArray *startup_environment(const GPtrArray *settings);
/* The value of NAME in such a list; NULL if it is not there. */
const char *startup_variable(const GPtrArray *environment, const char *name);

/* The CPUs of the cell, "" for all.  Belongs to the settings. */
const char *startup_cpus(const GPtrArray *settings);

/*
 * The command line for sh, of a server by command: as it is for one that is
 * no mysqld; else the server's command, then --datadir, --socket,
 * --port (or --skip-networking, where only a socket is given), --pid-file,
 * then --NAME=VALUE for each mysqld setting of the cell.  Of an option given
 * twice the server takes the last, so the cell wins over the command.  Free
 * it.
 */
char *startup_command(const Server *server, const GPtrArray *settings);

/*
 * The one line of a server's log that says why it gave up: an unknown option
 * before all else, then the first error and, if it says more, the last; lines
 * that only follow from those ("Aborting", "do you already have another
 * server") are passed over.  Never empty; free it.
 */
char *startup_reason(const char *log);

#endif
