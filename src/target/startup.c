#include "target/startup.h"

#include <string.h>

#include "base/error.h"
#include "base/quote.h"
#include "base/text.h"

/* A line of a log longer than this says nothing more to a person. */
enum { REASON_BYTES = 300 };

bool
startup_check(const Server *server, GError **error)
{
	if (server->socket != NULL &&
	    strlen(server->socket) > STARTUP_SOCKET_BYTES) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "server.socket has %zu bytes, but the path of a Unix "
		    "socket may have %d: %s",
		    strlen(server->socket), STARTUP_SOCKET_BYTES,
		    server->socket);
		return false;
	}
	return true;
}

int
startup_port(const Server *server)
{
	if (server->port != 0)
		return server->port;
	return server->socket != NULL || !server->mysqld ? 0
							 : STARTUP_MYSQL_PORT;
}

static bool
names_variable(const char *assignment, const char *name, size_t length)
{
	return strncmp(assignment, name, length) == 0 &&
	    assignment[length] == '=';
}

static void
set_variable(GPtrArray *environment, const char *name, const char *value)
{
	size_t length = strlen(name);

	for (guint i = 0; i < environment->len; i++) {
		if (names_variable(
			g_ptr_array_index(environment, i), name, length)) {
			g_ptr_array_remove_index(environment, i);
			break;
		}
	}
	g_ptr_array_add(environment, g_strconcat(name, "=", value, NULL));
}

GPtrArray *
startup_environment(const GPtrArray *settings)
{
	GPtrArray *environment = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GString) preload = g_string_new(NULL);

	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = g_ptr_array_index(settings, i);

		if (setting->kind == SETTING_ENV)
			set_variable(
			    environment, setting->name, setting->value);
		if (setting->kind == SETTING_PRELOAD)
			g_string_append_printf(preload, "%s%s",
			    preload->len == 0 ? "" : ":", setting->value);
	}
	if (preload->len > 0) {
		const char *own = startup_variable(environment, "LD_PRELOAD");

		if (own != NULL && *own != '\0')
			g_string_append_printf(preload, ":%s", own);
		set_variable(environment, "LD_PRELOAD", preload->str);
	}
	return environment;
}

const char *
startup_variable(const GPtrArray *environment, const char *name)
{
	size_t length = strlen(name);

	for (guint i = 0; i < environment->len; i++) {
		const char *assignment = g_ptr_array_index(environment, i);

		if (names_variable(assignment, name, length))
			return assignment + length + 1;
	}
	return NULL;
}

const char *
startup_cpus(const GPtrArray *settings)
{
	const char *cpus = "";

	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = g_ptr_array_index(settings, i);

		if (setting->kind == SETTING_CPUSET)
			cpus = setting->value;
	}
	return cpus;
}

static void
add_option(GString *command, const char *name, const char *value)
{
	g_autofree char *option = g_strconcat("--", name, "=", value, NULL);
	g_autofree char *quoted = quote_sh(option);

	g_string_append_printf(command, " %s", quoted);
}

char *
startup_command(const Server *server, const GPtrArray *settings)
{
	g_autoptr(GString) command = g_string_new(server->command);
	g_autofree char *port = g_strdup_printf("%d", startup_port(server));

	if (!server->mysqld)
		return g_string_free(g_steal_pointer(&command), FALSE);
	if (server->datadir != NULL)
		add_option(command, "datadir", server->datadir);
	if (server->socket != NULL)
		add_option(command, "socket", server->socket);
	if (startup_port(server) != 0)
		add_option(command, "port", port);
	else
		g_string_append(command, " --skip-networking");
	/*
	 * Without a slash it lies in the data directory, the one place where
	 * a server that gives up root can surely write.
	 */
	add_option(command, "pid-file", STARTUP_PID_FILE);
	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = g_ptr_array_index(settings, i);

		if (setting->kind == SETTING_MYSQLD)
			add_option(command, setting->name, setting->value);
	}
	return g_string_free(g_steal_pointer(&command), FALSE);
}

static bool
contains_any(const char *line, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strstr(line, *words) != NULL)
			return true;
	return false;
}

/* Consequences of an error told before, or guesses that mislead. */
static bool
is_consequence(const char *line)
{
	static const char *const words[] = {
		"Aborting",
		"registration as a STORAGE ENGINE failed",
		"Failed to initialize",
		"plugin table",
		"is unusable",
		"Do you already have another",
		NULL,
	};

	return contains_any(line, words);
}

static bool
is_unknown_option(const char *line)
{
	static const char *const words[] = {
		"unknown variable",
		"unknown option",
		"ambiguous option",
		NULL,
	};

	return contains_any(line, words);
}

/*
 * The text after the time, "[ERROR]" and the other words in brackets; some
 * lines begin with a bell.
 */
static const char *
after_brackets(const char *line)
{
	const char *text = strstr(line, "[ERROR]");

	while (text == NULL && g_ascii_iscntrl(*line))
		line++;
	if (text == NULL)
		return line;
	while (*text == '[' && strchr(text, ']') != NULL) {
		text = strchr(text, ']') + 1;
		while (*text == ' ')
			text++;
	}
	return text;
}

char *
startup_reason(const char *log)
{
	g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
	const char *unknown = NULL, *first = NULL, *last = NULL, *other = NULL;

	for (char **line = lines; *line != NULL; line++) {
		g_strchomp(*line);
		if (**line == '\0' || strstr(*line, "[Note]") != NULL ||
		    strstr(*line, "[Warning]") != NULL ||
		    strstr(*line, "[System]") != NULL || is_consequence(*line))
			continue;
		if (strstr(*line, "[ERROR]") == NULL) {
			other = *line;
			continue;
		}
		if (unknown == NULL && is_unknown_option(*line))
			unknown = *line;
		if (first == NULL)
			first = *line;
		last = *line;
	}
	if (unknown != NULL)
		first = last = unknown;
	if (first == NULL)
		first = last = other;
	if (first == NULL)
		return g_strdup("its log says nothing");

	g_autofree char *start =
	    text_printable(after_brackets(first), REASON_BYTES);
	g_autofree char *end =
	    text_printable(after_brackets(last), REASON_BYTES);

	if (strcmp(start, end) == 0)
		return g_steal_pointer(&start);
	return g_strdup_printf("%s ... %s", start, end);
}
