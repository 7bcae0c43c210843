/*
 * Logging in to a server, and the few statements that are not measured: all
 * through the client library.  A connection is for one thread.
 */
#ifndef ABLOAD_CONNECTION_H
#define ABLOAD_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Where and as whom; strings may be "" or NULL: the library's default. */
typedef struct {
	const char *host, *socket, *user, *password, *db;
	const char *option_file; /* its [client] group counts where it has */
	unsigned port;           /* 0: the usual one */
	unsigned timeout_s;      /* of the login and of each answer */
} Login;

typedef struct Connection Connection;

/* The library is ready for threads; false with ABRUN_ERROR_FAILED. */
bool connection_library_init(GError **error);
void connection_library_end(void);
/* Before and after a thread's use of connections. */
void connection_thread_init(void);
void connection_thread_end(void);
/* "MariaDB Connector/C 3.3.14" */
char *connection_library_version(void);

/* Without TLS; ABRUN_ERROR_HOST with the server's number and words. */
Connection *connection_open(const Login *login, GError **error);
void connection_close(Connection *connection);
/*
 * The socket, blocking and with the timeout set; -1 with ABRUN_ERROR_HOST where
 * what goes through it is not the plain protocol (TLS, compression).  After its
 * first use by a Wire no other function but connection_close() may be called.
 */
int connection_socket(Connection *connection, GError **error);
const char *connection_server(const Connection *connection);
/*
 * Pid of the server where it is on this host, at the other end of a socket file
 * or with a pid file that can be read; else 0.
 */
int64_t connection_peer(Connection *connection);

/* One statement without a result; ABRUN_ERROR_FAILED. */
bool connection_do(
    Connection *connection, const char *sql, size_t length, GError **error);
/* Number of the server's last error. */
unsigned connection_errno(const Connection *connection);
/*
 * The first column of the first row as text; NULL without an error where there
 * is no row, or NULL in it.  Free it.
 */
char *connection_value(Connection *connection, const char *sql, GError **error);
/* Calls row for each row; it must not use the connection. */
bool connection_rows(Connection *connection, const char *sql,
    void (*row)(char **fields, unsigned n, void *data), void *data,
    GError **error);
/* Text inside '...', by this connection's character set. */
void connection_escape(
    Connection *connection, GString *to, const char *text, size_t length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Connection, connection_close)

#endif
