#include "abload/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <mysql.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

struct Connection {
	MYSQL *mysql;
	unsigned timeout_s;
};

static const char *
or_null(const char *text)
{
	return text == NULL || text[0] == '\0' ? NULL : text;
}

bool
connection_library_init(GError **error)
{
	if (mysql_library_init(0, NULL, NULL) == 0)
		return true;
	g_set_error_literal(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
	    "the client library does not start");
	return false;
}

void
connection_library_end(void)
{
	mysql_library_end();
}

void
connection_thread_init(void)
{
	(void)mysql_thread_init();
}

void
connection_thread_end(void)
{
	mysql_thread_end();
}

char *
connection_library_version(void)
{
#ifdef MARIADB_PACKAGE_VERSION
	return g_strdup_printf(
	    "MariaDB Connector/C %s", mysql_get_client_info());
#else
	return g_strdup_printf("libmysqlclient %s", mysql_get_client_info());
#endif
}

/* SQL, and what servers say of it, may be of many lines. */
static char *
in_one_line(const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\r\n", -1);
	g_autoptr(GString) line = g_string_new(NULL);

	for (char **word = words; *word != NULL; word++)
		if ((*word)[0] != '\0')
			g_string_append_printf(
			    line, "%s%s", line->len > 0 ? " " : "", *word);
	return g_string_free(g_steal_pointer(&line), FALSE);
}

static bool
fail(const Connection *connection, const char *what, AbrunError code,
    GError **error)
{
	g_autofree char *deed = in_one_line(what);
	g_autofree char *reason = in_one_line(mysql_error(connection->mysql));

	g_set_error(error, ABRUN_ERROR, code, "%s: %s (error %u)", deed, reason,
	    mysql_errno(connection->mysql));
	return false;
}

/* Newer libraries want TLS where nobody says a word; without a certificate. */
static void
set_tls(MYSQL *mysql, bool wanted)
{
#ifdef MARIADB_PACKAGE_VERSION
	static const my_bool no = 0;
	const my_bool enforce = wanted ? 1 : 0;

	mysql_options(mysql, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &no);
	mysql_options(mysql, MYSQL_OPT_SSL_ENFORCE, &enforce);
#else
	const unsigned mode = wanted ? SSL_MODE_REQUIRED : SSL_MODE_DISABLED;

	mysql_options(mysql, MYSQL_OPT_SSL_MODE, &mode);
#endif
}

/* Logs in, or leaves the reason in the result's handle. */
static bool
log_in(Connection *connection, const Login *login, bool tls)
{
	static const my_bool no = 0;
	MYSQL *mysql = mysql_init(NULL);

	if (mysql == NULL)
		g_error("out of memory");
	connection->mysql = mysql;
	connection->timeout_s = login->timeout_s;
	mysql_options(mysql, MYSQL_OPT_RECONNECT, &no);
	mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &login->timeout_s);
	mysql_options(mysql, MYSQL_OPT_READ_TIMEOUT, &login->timeout_s);
	mysql_options(mysql, MYSQL_OPT_WRITE_TIMEOUT, &login->timeout_s);
	set_tls(mysql, tls);
	if (or_null(login->option_file) != NULL) {
		mysql_options(
		    mysql, MYSQL_READ_DEFAULT_FILE, login->option_file);
		mysql_options(mysql, MYSQL_READ_DEFAULT_GROUP, "client");
	}
	/* A socket counts where the host is "localhost" or not given. */
	return mysql_real_connect(mysql, or_null(login->host),
		   or_null(login->user), or_null(login->password),
		   or_null(login->db), login->port, or_null(login->socket),
		   CLIENT_FOUND_ROWS | CLIENT_MULTI_RESULTS) != NULL;
}

/* A server that lets in through TLS alone says no more than "denied". */
static bool
wants_tls(const Login *login, unsigned refusal)
{
	enum { DENIED = 1045, INSECURE = 3159 };

	if (refusal != DENIED && refusal != INSECURE)
		return false;
	g_autoptr(Connection) connection = g_new0(Connection, 1);
	return log_in(connection, login, true);
}

Connection *
connection_open(const Login *login, GError **error)
{
	g_autoptr(Connection) connection = g_new0(Connection, 1);

	if (log_in(connection, login, false))
		return g_steal_pointer(&connection);
	(void)fail(connection,
	    wants_tls(login, connection_errno(connection))
		? "cannot connect: the server wants TLS here, and abload "
		  "speaks the plain protocol alone"
		: "cannot connect",
	    ABRUN_ERROR_HOST, error);
	return NULL;
}

void
connection_close(Connection *connection)
{
	if (connection == NULL)
		return;
	mysql_close(connection->mysql);
	g_free(connection);
}

int
connection_socket(Connection *connection, GError **error)
{
	const struct timeval timeout = { .tv_sec =
					     (time_t)connection->timeout_s };
	const bool tls = mysql_get_ssl_cipher(connection->mysql) != NULL;

	if (tls || (connection->mysql->client_flag & CLIENT_COMPRESS) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "the option file wants %s, and abload speaks the plain "
		    "protocol alone",
		    tls ? "TLS" : "compression");
		return -1;
	}
	const int fd = (int)mysql_get_socket(connection->mysql);
	const int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) !=
		0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) !=
		0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "cannot set up the socket: %s", g_strerror(errno));
		return -1;
	}
	return fd;
}

const char *
connection_server(const Connection *connection)
{
	return mysql_get_server_info(connection->mysql);
}

/* Whether both ends of a TCP connection have one address. */
static bool
ends_here(int fd)
{
	struct sockaddr_storage own = { 0 };
	struct sockaddr_storage peer = { 0 };
	socklen_t own_length = sizeof own;
	socklen_t peer_length = sizeof peer;

	if (getsockname(fd, (struct sockaddr *)&own, &own_length) != 0 ||
	    getpeername(fd, (struct sockaddr *)&peer, &peer_length) != 0 ||
	    own.ss_family != peer.ss_family)
		return false;
	if (own.ss_family == AF_INET)
		return memcmp(&((struct sockaddr_in *)&own)->sin_addr,
			   &((struct sockaddr_in *)&peer)->sin_addr,
			   sizeof(struct in_addr)) == 0;
	return own.ss_family == AF_INET6 &&
	    memcmp(&((struct sockaddr_in6 *)&own)->sin6_addr,
		&((struct sockaddr_in6 *)&peer)->sin6_addr,
		sizeof(struct in6_addr)) == 0;
}

/*
 * What the server's pid file says.  In a container of its own its number is
 * another one here: the program must be a server's.
 */
static int64_t
pid_by_file(Connection *connection)
{
	enum { MOST = 64 };
	static const char sql[] = "select if(@@pid_file like '/%', @@pid_file, "
				  "concat(@@datadir, @@pid_file))";
	g_autofree char *path = connection_value(connection, sql, NULL);
	size_t length = 0;
	int64_t pid = 0;

	g_autofree char *text =
	    path == NULL ? NULL : file_read(path, MOST, &length, NULL);
	if (text == NULL ||
	    !text_parse_int(g_strstrip(text), 1, INT32_MAX, &pid, NULL))
		return 0;
	g_autofree char *comm =
	    g_strdup_printf("/proc/%" G_GINT64_FORMAT "/comm", pid);
	g_autofree char *name = file_read(comm, MOST, &length, NULL);
	return name != NULL &&
		(g_str_has_prefix(name, "mysqld") ||
		    g_str_has_prefix(name, "mariadbd"))
	    ? pid
	    : 0;
}

int64_t
connection_peer(Connection *connection)
{
	const int fd = (int)mysql_get_socket(connection->mysql);
#ifdef SO_PEERCRED
	struct ucred peer = { 0 };
	socklen_t length = sizeof peer;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
	    peer.pid > 0)
		return peer.pid;
#endif
	return ends_here(fd) ? pid_by_file(connection) : 0;
}

unsigned
connection_errno(const Connection *connection)
{
	return mysql_errno(connection->mysql);
}

bool
connection_do(
    Connection *connection, const char *sql, size_t length, GError **error)
{
	enum { SHOWN = 80 };

	if (mysql_real_query(connection->mysql, sql, (unsigned long)length) ==
	    0) {
		MYSQL_RES *result = mysql_store_result(connection->mysql);
		mysql_free_result(result);
		return true;
	}
	g_autofree char *shown = g_strndup(sql, MIN(length, (size_t)SHOWN));
	return fail(connection, shown, ABRUN_ERROR_FAILED, error);
}

bool
connection_rows(Connection *connection, const char *sql,
    void (*row)(char **fields, unsigned n, void *data), void *data,
    GError **error)
{
	if (mysql_query(connection->mysql, sql) != 0)
		return fail(connection, sql, ABRUN_ERROR_FAILED, error);
	MYSQL_RES *result = mysql_store_result(connection->mysql);
	if (result == NULL)
		return mysql_errno(connection->mysql) == 0 ||
		    fail(connection, sql, ABRUN_ERROR_FAILED, error);
	for (MYSQL_ROW fields = mysql_fetch_row(result); fields != NULL;
	     fields = mysql_fetch_row(result))
		row(fields, mysql_num_fields(result), data);
	mysql_free_result(result);
	return true;
}

static void
keep_first(char **fields, unsigned n, void *data)
{
	char **value = data;

	if (*value == NULL && n > 0)
		*value = g_strdup(fields[0]);
}

char *
connection_value(Connection *connection, const char *sql, GError **error)
{
	char *value = NULL;

	if (connection_rows(connection, sql, keep_first, &value, error))
		return value;
	g_free(value);
	return NULL;
}

void
connection_escape(
    Connection *connection, GString *to, const char *text, size_t length)
{
	g_autofree char *escaped = g_malloc(length * 2 + 1);
	const unsigned long n = mysql_real_escape_string(
	    connection->mysql, escaped, text, (unsigned long)length);

	g_string_append_len(to, escaped, (gssize)n);
}
