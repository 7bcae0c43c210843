#include "target/control.h"

#include <stdlib.h>

#include <mysql.h>

#include "base/failure.h"
#include "base/text.h"
#include "target/option_file.h"
#include "target/ssh.h"
#include "target/startup.h"

enum {
	ROWS_MAX = 10000,       /* SHOW GLOBAL VARIABLES has about 1000 */
	RESULT_BYTES = 1 << 24, /* of one answer, however the rows share it */
	MESSAGE_BYTES = 300,
	CONNECT_MAX_MS = 10000, /* through a tunnel that stands: ms */
	ACCESS_DENIED = 1045,   /* and of another plugin: */
	ACCESS_DENIED_NO_PASSWORD = 1698,
	UNKNOWN_DATABASE = 1049,
	TUNNEL_FAILURES = 10,
};

struct Control {
	const Target *target; /* its host, and what cancels */
	const Server *server;
	char *address;
	Tunnel *tunnel;
	int failures; /* to connect through this tunnel, in a row */
	bool refused; /* the host let the last connection not through */
	MYSQL *mysql;
	Deadline deadline; /* of this connection */
	bool thread_ready;
};

bool
control_library_init(GError **error)
{
	if (mysql_library_init(0, NULL, NULL) == 0)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
	    "the MySQL client library cannot be set up");
	return false;
}

void
control_library_end(void)
{
	mysql_library_end();
}

Control *
control_new(const Target *target, const Server *server)
{
	const char *address = target_host(target)->address;
	Control *control = g_new0(Control, 1);

	control->target = target;
	control->server = server;
	if (server->socket != NULL)
		control->address = g_strconcat("socket ", server->socket, NULL);
	else
		control->address = g_strdup_printf("%s:%d",
		    address != NULL ? address : "127.0.0.1",
		    startup_port(server));
	return control;
}

void
control_free(Control *control)
{
	if (control == NULL)
		return;
	control_disconnect(control);
	tunnel_close(control->tunnel);
	if (control->thread_ready)
		mysql_thread_end();
	g_free(control->address);
	g_free(control);
}

const char *
control_address(const Control *control)
{
	return control->address;
}

int
control_error_code(unsigned number)
{
	static const unsigned passing[] = {
		1040,                   /* too many connections */
		1053,                   /* shutdown in progress */
		1158, 1159, 1160, 1161, /* packets cannot be read or sent */
		1927,                   /* connection was killed */
		2002, 2003,             /* cannot connect: socket, TCP */
		2005,                   /* name not resolved */
		2006, 2013, 2055,       /* gone, lost */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(passing); i++)
		if (passing[i] == number)
			return ABRUN_ERROR_HOST;
	return ABRUN_ERROR_FAILED;
}

/* The password for mysql_real_connect(), NULL = from the option file. */
static bool
find_credentials(const Server *server, const char **password, GError **error)
{
	*password = NULL;
	if (server->option_file != NULL)
		return option_file_check(server->option_file, error);
	if (server->password_env == NULL)
		return true;
	*password = getenv(server->password_env);
	if (*password != NULL)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "server.password_env names the variable %s, which is not set "
	    "in the environment of abrun",
	    server->password_env);
	return false;
}

/* What to look at when the server does not let us in; free it. */
static char *
password_words(const Server *server)
{
	if (server->option_file != NULL)
		return g_strdup_printf(
		    "the password is that of server.option_file %s",
		    server->option_file);
	if (server->password_env != NULL)
		return g_strdup_printf(
		    "the password is that of the variable %s",
		    server->password_env);
	return g_strdup("no password is given: name one with "
			"server.option_file or server.password_env");
}

static void
set_sql_error(Control *control, const char *doing, GError **error)
{
	unsigned number = mysql_errno(control->mysql);
	int code = control_error_code(number);
	g_autofree char *text =
	    text_printable(mysql_error(control->mysql), MESSAGE_BYTES);

	if (code == ABRUN_ERROR_HOST && deadline_passed(control->deadline))
		code = ABRUN_ERROR_TIMEOUT;
	g_autofree char *words =
	    number == ACCESS_DENIED || number == ACCESS_DENIED_NO_PASSWORD
	    ? password_words(control->server)
	    : NULL;
	failure_set(error,
	    code == ABRUN_ERROR_FAILED ? FAILURE_SERVER_REFUSED
				       : FAILURE_SERVER_SILENT,
	    (AbrunError)code, "%s the server at %s: %s (error %u)%s%s", doing,
	    control->address, text, number, words == NULL ? "" : "; ",
	    words == NULL ? "" : words);
}

bool
control_reach(Control *control, Deadline deadline, GError **error)
{
	const Server *server = control->server;
	const Host *host = target_host(control->target);
	const Cancel *cancel = target_cancel(control->target);
	const char *address =
	    host->address != NULL ? host->address : "127.0.0.1";
	const char *password = NULL;

	if (!find_credentials(server, &password, error))
		return false;
	if (control->tunnel != NULL)
		return true;
	control->failures = 0;
	if (server->socket != NULL)
		control->tunnel = tunnel_open(
		    host, server->socket, NULL, 0, deadline, cancel, error);
	else
		control->tunnel = tunnel_open(host, NULL, address,
		    startup_port(server), deadline, cancel, error);
	if (control->tunnel == NULL)
		g_prefix_error(error, "no tunnel to the server: ");
	return control->tunnel != NULL;
}

static unsigned
whole_seconds(Deadline deadline)
{
	return (unsigned)MAX(1, (deadline_left_ms(deadline) + 999) / 1000);
}

static void
set_options(Control *control, Deadline deadline)
{
	unsigned connect =
	    whole_seconds(deadline_min(deadline, deadline_in(CONNECT_MAX_MS)));
	unsigned answer = whole_seconds(deadline);
	unsigned protocol = MYSQL_PROTOCOL_SOCKET;
	/* Else the server may ask for any file that we can read. */
	unsigned local_infile = 0;
	unsigned long packet = RESULT_BYTES;
	MYSQL *mysql = control->mysql;

	mysql_options(mysql, MYSQL_OPT_CONNECT_TIMEOUT, &connect);
	mysql_options(mysql, MYSQL_OPT_READ_TIMEOUT, &answer);
	mysql_options(mysql, MYSQL_OPT_WRITE_TIMEOUT, &answer);
	mysql_options(mysql, MYSQL_OPT_PROTOCOL, &protocol);
	mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	mysql_options(mysql, MYSQL_OPT_LOCAL_INFILE, &local_infile);
	mysql_options(mysql, MYSQL_OPT_MAX_ALLOWED_PACKET, &packet);
	if (control->server->option_file != NULL) {
		mysql_options(mysql, MYSQL_READ_DEFAULT_FILE,
		    control->server->option_file);
		mysql_options(mysql, MYSQL_READ_DEFAULT_GROUP, "client");
	}
}

static bool
connect_once(
    Control *control, const char *db, const char *password, Deadline deadline)
{
	const char *user = control->server->user;

	control_disconnect(control);
	control->deadline = deadline;
	control->mysql = mysql_init(NULL);
	if (control->mysql == NULL)
		g_error("out of memory");
	set_options(control, deadline);
	return mysql_real_connect(control->mysql, "localhost",
		   user != NULL && *user != '\0' ? user : NULL, password, db, 0,
		   tunnel_socket(control->tunnel), 0) != NULL;
}

/*
 * A tunnel whose session died looks like a server that is not there yet, so
 * after some failures the next attempt opens a new one.
 */
static void
set_connect_error(Control *control, GError **error)
{
	g_autofree char *problem = tunnel_problem(control->tunnel);
	GError *reason = NULL;

	control->refused = tunnel_refused(control->tunnel);
	set_sql_error(control, "cannot connect to", &reason);
	if (problem != NULL && reason->code != ABRUN_ERROR_FAILED)
		g_prefix_error(&reason, "%s: ", problem);
	g_propagate_error(error, reason);
	if (++control->failures >= TUNNEL_FAILURES)
		g_clear_pointer(&control->tunnel, tunnel_close);
}

/* In db, or where the server has none of that name, in none. */
static bool
connect_db(
    Control *control, const char *db, const char *password, Deadline deadline)
{
	return connect_once(control, db, password, deadline) ||
	    (db != NULL && mysql_errno(control->mysql) == UNKNOWN_DATABASE &&
		connect_once(control, NULL, password, deadline));
}

bool
control_connect(
    Control *control, const char *db, Deadline deadline, GError **error)
{
	const char *password = NULL;

	if (!find_credentials(control->server, &password, error) ||
	    !control_reach(control, deadline, error))
		return false;
	if (!control->thread_ready)
		control->thread_ready = mysql_thread_init() == 0;
	bool connected = connect_db(control, db, password, deadline);
	if (!connected && tunnel_lost(control->tunnel)) {
		/* Its session died unseen: a fresh one is tried, once. */
		control_disconnect(control);
		g_clear_pointer(&control->tunnel, tunnel_close);
		if (!control_reach(control, deadline, error))
			return false;
		connected = connect_db(control, db, password, deadline);
	}
	if (connected) {
		control->failures = 0;
		control->refused = false;
		return true;
	}
	set_connect_error(control, error);
	control_disconnect(control);
	return false;
}

bool
control_refused(const Control *control)
{
	return control->refused;
}

void
control_disconnect(Control *control)
{
	g_clear_pointer(&control->mysql, mysql_close);
}

static char **
row_texts(MYSQL_RES *result, MYSQL_ROW row)
{
	unsigned fields = mysql_num_fields(result);
	const unsigned long *lengths = mysql_fetch_lengths(result);
	char **texts = g_new0(char *, fields + 1);

	for (unsigned i = 0; i < fields; i++)
		texts[i] = row[i] == NULL ? g_strdup("NULL")
					  : g_strndup(row[i], lengths[i]);
	return texts;
}

static void
free_row(gpointer row)
{
	g_strfreev(row);
}

static size_t
row_bytes(MYSQL_RES *result)
{
	unsigned fields = mysql_num_fields(result);
	const unsigned long *lengths = mysql_fetch_lengths(result);
	size_t bytes = 0;

	for (unsigned i = 0; i < fields; i++)
		bytes += lengths[i];
	return bytes;
}

/* Row by row: what comes is not kept before it is counted. */
static bool
fetch_rows(Control *control, MYSQL_RES *result, GPtrArray *rows, GError **error)
{
	size_t bytes = 0;
	MYSQL_ROW row = NULL;

	while ((row = mysql_fetch_row(result)) != NULL) {
		bytes += row_bytes(result);
		if (rows->len == ROWS_MAX || bytes > RESULT_BYTES) {
			failure_set(error, FAILURE_BAD_RESULT,
			    ABRUN_ERROR_FAILED,
			    "the answer of the server at %s was given up: it "
			    "has more than %d %s",
			    control->address,
			    bytes > RESULT_BYTES ? RESULT_BYTES : ROWS_MAX,
			    bytes > RESULT_BYTES ? "bytes" : "rows");
			return false;
		}
		g_ptr_array_add(rows, row_texts(result, row));
	}
	if (mysql_errno(control->mysql) == 0)
		return true;
	set_sql_error(control, "half an answer came from", error);
	return false;
}

GPtrArray *
control_rows(Control *control, const char *sql, GError **error)
{
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);
	MYSQL_RES *result = NULL;

	g_return_val_if_fail(control->mysql != NULL, NULL);
	if (mysql_query(control->mysql, sql) != 0) {
		set_sql_error(control, "a statement failed on", error);
		return NULL;
	}
	result = mysql_use_result(control->mysql);
	if (result == NULL && mysql_field_count(control->mysql) != 0) {
		set_sql_error(control, "no result from", error);
		return NULL;
	}
	if (result == NULL)
		return g_steal_pointer(&rows);
	const bool whole = fetch_rows(control, result, rows, error);
	/* Freeing reads the rest, unless nothing more can come. */
	if (!whole)
		g_clear_pointer(&control->tunnel, tunnel_close);
	mysql_free_result(result);
	return whole ? g_steal_pointer(&rows) : NULL;
}
