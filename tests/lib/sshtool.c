/*
 * Drives target/ssh.h from shell tests.
 *
 *     sshtool run OPTIONS COMMAND...    runs each command on one session
 *     sshtool tunnel OPTIONS TEXT...    sends each TEXT through one tunnel
 *     sshtool hold OPTIONS              keeps a tunnel until its input ends
 *     sshtool ask OPTIONS TEXT...       sends each TEXT to --socket, no ssh
 *     sshtool echo unix:PATH|tcp:PORT   answers with what it is sent
 *
 * run prints a line for each command, "end=exit status=3 signal=- killed=no
 * out=12+0 err=0+0" (bytes kept + dropped), then what it wrote, each line
 * after "out: " or "err: " (or to the files of --out and --err).  Errors are
 * printed as "error: MESSAGE", warnings as "warning: MESSAGE"; the exit status
 * is 0 unless there was an error.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <glib.h>
#include <netinet/in.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/file.h"
#include "canceller.h"
#include "target/ssh.h"

enum { INPUT_BYTES = 1 << 30 };

typedef struct {
	char *ssh, *config, *key, *known, *pin, *socket, *out, *err;
	gboolean accept_new, sudo, quiet;
	int timeout_ms, open_ms, cancel_ms, cap, input_bytes, port, repeat;
	char **rest;
} Options;

static int
fail(const GError *error)
{
	printf("error: %s\n", error->message);
	return 1;
}

static void
print_lines(const char *prefix, const char *path, const GString *text)
{
	if (path != NULL) {
		(void)g_file_set_contents(
		    path, text->str, (gssize)text->len, NULL);
		return;
	}
	g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);
	for (size_t i = 0; lines[i] != NULL; i++)
		if (lines[i][0] != '\0' || lines[i + 1] != NULL)
			printf("%s: %s\n", prefix, lines[i]);
}

static void
print_result(const Options *options, const SshResult *result)
{
	static const char *const ends[] = { "exit", "signal", "lost", "timeout",
		"cancel" };

	printf("end=%s status=%d signal=%s killed=%s out=%zu+%zu err=%zu+%zu\n",
	    ends[result->end], result->status,
	    result->signal != NULL ? result->signal : "-",
	    result->killed ? "yes" : "no", result->out->len,
	    result->out_dropped, result->err->len, result->err_dropped);
	print_lines("out", options->out, result->out);
	print_lines("err", options->err, result->err);
}

static Host
host_of(const Options *options)
{
	return (Host){
		.name = g_strdup("host"),
		.ssh = options->ssh,
		.ssh_config = options->config,
		.key = options->key,
		.known_hosts = options->known,
		.fingerprint = options->pin,
		.host_key =
		    options->accept_new ? HOST_KEY_ACCEPT_NEW : HOST_KEY_STRICT,
		.sudo = options->sudo,
	};
}

static int
run_all(Ssh *ssh, const Options *options, const Cancel *cancel)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *input = options->input_bytes > 0
	    ? g_strnfill((gsize)options->input_bytes, 'x')
	    : NULL;

	for (size_t i = 0; options->rest[i] != NULL; i++) {
		g_auto(SshResult) result = { 0 };
		if (!ssh_run(ssh, options->rest[i], input, (size_t)options->cap,
			deadline_in(options->timeout_ms), cancel, &result,
			&error))
			return fail(error);
		print_result(options, &result);
		(void)fflush(stdout);
	}
	printf("alive=%s\n", ssh_alive(ssh) ? "yes" : "no");
	return 0;
}

static int
run(const Options *options)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Cancel) cancel = cancel_new(&error);
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	const Host host = host_of(options);
	Canceller canceller = { .cancel = cancel,
		.after_ms = options->cancel_ms };

	if (cancel == NULL)
		return fail(error);
	canceller_start(&canceller);
	g_autoptr(Ssh) ssh = ssh_open(
	    &host, deadline_in(options->open_ms), cancel, warnings, &error);
	for (guint i = 0; i < warnings->len; i++)
		printf("warning: %s\n",
		    (const char *)g_ptr_array_index(warnings, i));
	int status = ssh == NULL ? fail(error) : 0;
	if (ssh != NULL) {
		printf("fingerprint=%s%s\n", ssh_fingerprint(ssh),
		    ssh_key_is_new(ssh) ? " new" : "");
		status = run_all(ssh, options, cancel);
	}
	canceller_join(&canceller);
	g_free(host.name);
	return status;
}

static int
connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)g_strlcpy(address.sun_path, path, sizeof(address.sun_path));
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) ==
	    0)
		return fd;
	(void)close(fd);
	return -1;
}

/* Sends text repeat times and reads as much again; true if it is the same. */
static gboolean
echoed(const char *path, const char *text, int repeat, int64_t *us)
{
	const int fd = connect_to(path);
	const size_t length = strlen(text);
	const int64_t begin = deadline_now_us();
	g_autofree char *seen = g_malloc0(length + 1);
	gboolean same = fd >= 0;

	for (int k = 0; same && k < repeat; k++) {
		size_t got = 0;
		same = send(fd, text, length, MSG_NOSIGNAL) == (ssize_t)length;
		while (same && got < length) {
			const ssize_t n = recv(fd, seen + got, length - got, 0);
			same = n > 0;
			got += n > 0 ? (size_t)n : 0;
		}
		same = same && memcmp(seen, text, length) == 0;
		if (k == 0)
			*us = deadline_now_us() - begin;
	}
	if (fd >= 0)
		(void)close(fd);
	return same;
}

static Tunnel *
open_tunnel(const Options *options, GError **error)
{
	const Host host = host_of(options);
	Tunnel *tunnel = tunnel_open(&host, options->socket, "127.0.0.1",
	    options->port, deadline_in(options->open_ms), NULL, error);

	g_free(host.name);
	return tunnel;
}

static int
tunnel_all(const Options *options)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Tunnel) tunnel = open_tunnel(options, &error);

	if (tunnel == NULL)
		return fail(error);
	printf("socket=%s\n", tunnel_socket(tunnel));
	for (size_t i = 0; options->rest[i] != NULL; i++) {
		int64_t us = 0;
		const gboolean same = echoed(tunnel_socket(tunnel),
		    options->rest[i], options->repeat, &us);
		g_autofree char *problem = tunnel_problem(tunnel);
		if (same)
			printf("echoed\n");
		else
			printf("not echoed: %s\n",
			    problem == NULL ? "no reason" : problem);
		if (!options->quiet)
			fprintf(stderr, "first answer after %.1f ms\n",
			    (double)us / 1000);
	}
	return 0;
}

static int
hold(const Options *options)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Tunnel) tunnel = open_tunnel(options, &error);
	char byte = '\0';

	if (tunnel == NULL)
		return fail(error);
	printf("socket=%s\n", tunnel_socket(tunnel));
	(void)fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	return 0;
}

static int
ask(const Options *options)
{
	int64_t us = 0;

	for (size_t i = 0; options->rest[i] != NULL; i++)
		if (!echoed(options->socket, options->rest[i], options->repeat,
			&us))
			return 1;
	printf("echoed\n");
	return 0;
}

static int
listen_on(const char *where)
{
	struct sockaddr_un path = { .sun_family = AF_UNIX };
	struct sockaddr_in port = { .sin_family = AF_INET };
	const gboolean is_unix = g_str_has_prefix(where, "unix:");
	const int fd = socket(is_unix ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
	socklen_t length = sizeof(port);

	(void)g_strlcpy(path.sun_path, where + 5, sizeof(path.sun_path));
	port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(fd,
		is_unix ? (const struct sockaddr *)&path
			: (const struct sockaddr *)&port,
		is_unix ? (socklen_t)sizeof(path) : length) != 0 ||
	    listen(fd, 16) != 0)
		return -1;
	if (!is_unix && getsockname(fd, (struct sockaddr *)&port, &length) == 0)
		printf("%d\n", ntohs(port.sin_port));
	else
		printf("ready\n");
	(void)fflush(stdout);
	return fd;
}

static void *
echo_one(void *data)
{
	const int fd = GPOINTER_TO_INT(data);
	char bytes[4096];
	ssize_t n = 0;

	while ((n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		if (send(fd, bytes, (size_t)n, MSG_NOSIGNAL) != n)
			break;
	(void)close(fd);
	return NULL;
}

/* Until it is killed. */
static int
echo(const char *where)
{
	const int fd = listen_on(where);

	for (;;) {
		const int client = accept(fd, NULL, NULL);
		pthread_t thread;
		if (client < 0)
			return 1;
		if (pthread_create(
			&thread, NULL, echo_one, GINT_TO_POINTER(client)) == 0)
			(void)pthread_detach(thread);
	}
}

static int
dispatch(const char *mode, const Options *options)
{
	if (strcmp(mode, "echo") == 0)
		return echo(options->rest[0]);
	if (strcmp(mode, "tunnel") == 0)
		return tunnel_all(options);
	if (strcmp(mode, "ask") == 0)
		return ask(options);
	if (strcmp(mode, "hold") == 0)
		return hold(options);
	return run(options);
}

int
main(int argc, char **argv)
{
	Options o = { .timeout_ms = 20000,
		.open_ms = 10000,
		.cap = 1 << 20,
		.repeat = 1 };
	const GOptionEntry entries[] = {
		{ "ssh", 0, 0, G_OPTION_ARG_STRING, &o.ssh, NULL, NULL },
		{ "config", 0, 0, G_OPTION_ARG_STRING, &o.config, NULL, NULL },
		{ "key", 0, 0, G_OPTION_ARG_STRING, &o.key, NULL, NULL },
		{ "known", 0, 0, G_OPTION_ARG_STRING, &o.known, NULL, NULL },
		{ "pin", 0, 0, G_OPTION_ARG_STRING, &o.pin, NULL, NULL },
		{ "socket", 0, 0, G_OPTION_ARG_STRING, &o.socket, NULL, NULL },
		{ "out", 0, 0, G_OPTION_ARG_STRING, &o.out, NULL, NULL },
		{ "err", 0, 0, G_OPTION_ARG_STRING, &o.err, NULL, NULL },
		{ "accept-new", 0, 0, G_OPTION_ARG_NONE, &o.accept_new, NULL,
		    NULL },
		{ "sudo", 0, 0, G_OPTION_ARG_NONE, &o.sudo, NULL, NULL },
		{ "quiet", 0, 0, G_OPTION_ARG_NONE, &o.quiet, NULL, NULL },
		{ "timeout", 0, 0, G_OPTION_ARG_INT, &o.timeout_ms, NULL,
		    NULL },
		{ "open-timeout", 0, 0, G_OPTION_ARG_INT, &o.open_ms, NULL,
		    NULL },
		{ "cancel", 0, 0, G_OPTION_ARG_INT, &o.cancel_ms, NULL, NULL },
		{ "cap", 0, 0, G_OPTION_ARG_INT, &o.cap, NULL, NULL },
		{ "input-bytes", 0, 0, G_OPTION_ARG_INT, &o.input_bytes, NULL,
		    NULL },
		{ "port", 0, 0, G_OPTION_ARG_INT, &o.port, NULL, NULL },
		{ "repeat", 0, 0, G_OPTION_ARG_INT, &o.repeat, NULL, NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.rest,
		    NULL, NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);

	(void)signal(SIGPIPE, SIG_IGN);
	/* As abrun blocks some: no proxy may start with that. */
	sigset_t blocked;
	(void)sigemptyset(&blocked);
	(void)sigaddset(&blocked, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &blocked, NULL);
	g_option_context_add_main_entries(context, entries, NULL);
	if (argc < 2)
		return 2;
	char *mode = argv[1];
	argv[1] = argv[0];
	argc--;
	argv++;
	if (!g_option_context_parse(context, &argc, &argv, &error)) {
		fprintf(stderr, "sshtool: %s\n", error->message);
		return 2;
	}
	char *none[] = { NULL };
	char **rest = o.rest;
	if (rest == NULL)
		o.rest = none;
	const int status = dispatch(mode, &o);
	g_strfreev(rest);
	char *const owned[] = { o.ssh, o.config, o.key, o.known, o.pin,
		o.socket, o.out, o.err };
	for (size_t i = 0; i < G_N_ELEMENTS(owned); i++)
		g_free(owned[i]);
	return status;
}
