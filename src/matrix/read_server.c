#include "matrix/parse.h"

#include <string.h>

#include "base/text.h"
#include "matrix/words.h"

/* sun_path holds 108 bytes with its NUL. */
enum {
	SOCKET_BYTES = 107,
	MYSQLD_PORT = 3306,
	DEFAULT_TIMEOUT_MS = 60000,
};

/* The keys that say which kind of server it is. */
static ServerKind
kind_of(Reader *reader, const ReaderNode *node)
{
	const bool other = reader_get(node, "start") != NULL ||
	    reader_get(node, "stop") != NULL;
	const int ways = (reader_get(node, "service") != NULL) +
	    (reader_get(node, "command") != NULL) + other;

	if (ways != 1)
		reader_mistake(reader, node,
		    "%s: write one of service = \"NAME\", command = "
		    "\"/usr/sbin/mysqld ...\", or start, stop and ready",
		    ways == 0 ? "says no way to start it"
			      : "says more than one way to start it");
	if (reader_get(node, "service") != NULL)
		return SERVER_SERVICE;
	return other && ways == 1 ? SERVER_OTHER : SERVER_COMMAND;
}

/* An absolute path on the target; tells if it is none. */
static char *
read_remote_path(Reader *reader, const ReaderNode *node, const char *key)
{
	char *path = reader_string(reader, node, key);

	if (path != NULL && *path != '/')
		reader_mistake_key(reader, node, key,
		    "\"%s\" must be a path from / on the target", path);
	return path;
}

static void
read_other(Reader *reader, const ReaderNode *node, Server *server)
{
	server->start = reader_need_string(
	    reader, node, "start", "\"a command that starts it\"");
	server->stop = reader_need_string(
	    reader, node, "stop", "\"a command that stops it\"");
	server->ready = reader_need_string(
	    reader, node, "ready", "\"a command that succeeds once it works\"");
}

/* How the process of what is no mysqld is found. */
static void
check_address(Reader *reader, const ReaderNode *node, const Server *server)
{
	if (!server->mysqld && reader_get(node, "port") == NULL &&
	    server->socket == NULL)
		reader_mistake_key(reader, node, "port",
		    "is missing, write the port it listens on, or its socket, "
		    "by which its process is found");
}

static void
read_credentials(Reader *reader, const ReaderNode *node, Server *server)
{
	g_autofree char *file = reader_string(reader, node, "option_file");

	if (file != NULL)
		server->option_file =
		    matrix_relative(reader_path(reader), file);
	server->password_env = reader_string(reader, node, "password_env");
	if (server->password_env != NULL &&
	    !text_is_variable(server->password_env))
		reader_mistake_key(reader, node, "password_env",
		    "must be the name of a variable that holds the password, "
		    "never the password");
	if (server->option_file != NULL && server->password_env != NULL)
		reader_mistake_key(reader, node, "password_env",
		    "option_file is given, too: write one of them");
}

static void
read_address(Reader *reader, const ReaderNode *node, Server *server)
{
	int64_t port = 0;

	server->socket = read_remote_path(reader, node, "socket");
	if (server->socket != NULL && strlen(server->socket) > SOCKET_BYTES)
		reader_mistake_key(reader, node, "socket",
		    "is %zu bytes long, a socket's path holds at most %d",
		    strlen(server->socket), SOCKET_BYTES);
	(void)reader_int(reader, node, "port", 1, 65535, &port);
	server->port = (int)port;
	if (server->mysqld && server->port == 0 && server->socket == NULL)
		server->port = MYSQLD_PORT;
}

static void
read_keys(Reader *reader, const ReaderNode *node, Server *server)
{
	server->kind = kind_of(reader, node);
	server->service = reader_string(reader, node, "service");
	server->command = reader_string(reader, node, "command");
	if (server->kind == SERVER_OTHER)
		read_other(reader, node, server);
	else
		server->ready = reader_string(reader, node, "ready");
	server->mysqld = server->kind != SERVER_OTHER;
	(void)reader_bool(reader, node, "mysqld", &server->mysqld);
	server->run_as = reader_string(reader, node, "run_as");
	if (server->run_as != NULL && server->kind != SERVER_COMMAND)
		reader_mistake_key(reader, node, "run_as",
		    "needs command: others choose the account themselves");
	server->datadir = read_remote_path(reader, node, "datadir");
	server->datadir_from = read_remote_path(reader, node, "datadir_from");
	if (server->datadir_from != NULL && reader_get(node, "datadir") == NULL)
		reader_mistake_key(reader, node, "datadir_from",
		    "needs datadir, the directory that becomes the copy");
	read_address(reader, node, server);
	check_address(reader, node, server);
	read_credentials(reader, node, server);
	(void)reader_duration(
	    reader, node, "start_timeout", 1, &server->start_timeout_ms);
	(void)reader_duration(
	    reader, node, "stop_timeout", 1, &server->stop_timeout_ms);
}

void
read_server(Reader *reader, Matrix *matrix)
{
	const ReaderNode *node =
	    reader_group(reader, reader_root(reader), "server");
	Server *server = &matrix->server;

	server->start_timeout_ms = DEFAULT_TIMEOUT_MS;
	server->stop_timeout_ms = DEFAULT_TIMEOUT_MS;
	if (node != NULL) {
		reader_keys(reader, node, &place_server, words_places, NULL);
		server->line = reader_line(reader, node);
		server->user = reader_string(reader, node, "user");
		server->db = reader_string(reader, node, "db");
		read_keys(reader, node, server);
	}
	if (server->user == NULL)
		server->user = g_strdup("root");
	if (server->db == NULL)
		server->db = g_strdup("test");
}
