#include "base/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/text.h"

/* A file has so much of the beginning, and so much of the end. */
enum { HEAD_BYTES = 1 << 20, TAIL_BYTES = 1 << 16 };
/* Until a command that was told to end is killed. */
enum { GRACE_MS = 500, LOOK_MS = 20 };

struct Follow {
	pid_t pid;
	int hold; /* its standard input: at the end of it, it ends */
	int out;
	int file;
	Cancel *stop;
	pthread_t thread;

	/* The thread's until it is joined. */
	bool in_line;
	size_t head_bytes, tail_bytes; /* all that came of each */
	GString *tail, *last;
};

/* The end of a text, cut where a line begins if there is one. */
static void
keep_end(GString *text, size_t bytes)
{
	if (text->len <= 2 * bytes)
		return;
	const size_t excess = text->len - bytes;
	const char *line = memchr(text->str + excess, '\n', bytes);
	(void)g_string_erase(
	    text, 0, line == NULL ? (gssize)excess : line + 1 - text->str);
}

static void
write_all(int file, const char *bytes, size_t n)
{
	while (n > 0) {
		const ssize_t done = write(file, bytes, n);
		if (done < 0 && errno != EINTR)
			return;
		bytes += done < 0 ? 0 : done;
		n -= done < 0 ? 0 : (size_t)done;
	}
}

static void
add_stamp(GString *text)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *stamp =
	    now == NULL ? NULL : g_date_time_format(now, "%H:%M:%S ");

	if (stamp != NULL)
		(void)g_string_append(text, stamp);
}

static void
keep(Follow *follow, const char *bytes, size_t n)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < n; i++) {
		if (!follow->in_line)
			add_stamp(text);
		follow->in_line = bytes[i] != '\n';
		(void)g_string_append_c(text, bytes[i]);
	}
	(void)g_string_append_len(follow->last, text->str, (gssize)text->len);
	keep_end(follow->last, FOLLOW_LAST_BYTES / 2);
	const size_t room = HEAD_BYTES - MIN(follow->head_bytes, HEAD_BYTES);
	const size_t head = MIN(room, text->len);
	write_all(follow->file, text->str, head);
	follow->head_bytes += head;
	follow->tail_bytes += text->len - head;
	(void)g_string_append_len(
	    follow->tail, text->str + head, (gssize)(text->len - head));
	keep_end(follow->tail, TAIL_BYTES);
}

/* All that is there now; false at its end. */
static bool
drain(Follow *follow)
{
	char block[16384];
	ssize_t got;

	while ((got = read(follow->out, block, sizeof(block))) > 0)
		keep(follow, block, (size_t)got);
	return got < 0 && (errno == EAGAIN || errno == EINTR);
}

static void *
read_on(void *argument)
{
	Follow *follow = argument;
	bool open = true;

	while (open && cancel_level(follow->stop) == 0) {
		struct pollfd fds[] = {
			{ .fd = follow->out, .events = POLLIN },
			{ .fd = cancel_fd(follow->stop), .events = POLLIN },
		};
		(void)poll(fds, G_N_ELEMENTS(fds), -1);
		open = drain(follow);
	}
	return NULL;
}

/*
 * A command that outlives us would keep a console that has one reader only.
 * What it starts in the background is of its process group.
 */
static int
spawn(const char *command, const char *const *env, int in, int out, pid_t *pid)
{
	static const char wrap[] =
	    "eval \"$1\" </dev/null & cat >/dev/null; kill -s TERM 0";
	const char *const argv[] = { "sh", "-c", wrap, "sh", command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;

	(void)sigemptyset(&none);
	(void)sigemptyset(&defaults);
	(void)sigaddset(&defaults, SIGPIPE);
	(void)sigaddset(&defaults, SIGXFSZ);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	(void)posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	(void)posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
	(void)posix_spawnattr_init(&attributes);
	(void)posix_spawnattr_setflags(&attributes,
	    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
		POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawnattr_setsigdefault(&attributes, &defaults);
	const int failure = posix_spawnp(pid, argv[0], &actions, &attributes,
	    (char *const *)(gpointer)argv, (char *const *)(gpointer)env);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)posix_spawnattr_destroy(&attributes);
	return failure;
}

static void
close_fd(int fd)
{
	if (fd >= 0)
		(void)close(fd);
}

/* Its process, seen to have ended, keeps its number until it is waited for. */
static bool
has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) !=
	    0 ||
	    info.si_pid == pid;
}

static void
end_process(Follow *follow)
{
	const Deadline deadline = deadline_in(GRACE_MS);

	if (follow->pid <= 0)
		return;
	(void)kill(-follow->pid, SIGTERM);
	while (!has_ended(follow->pid) && !deadline_passed(deadline))
		(void)poll(NULL, 0, LOOK_MS);
	(void)kill(-follow->pid, SIGKILL);
	(void)waitpid(follow->pid, NULL, 0);
}

static void
follow_free(Follow *follow)
{
	close_fd(follow->hold);
	close_fd(follow->out);
	close_fd(follow->file);
	cancel_free(follow->stop);
	(void)g_string_free(follow->tail, TRUE);
	(void)g_string_free(follow->last, TRUE);
	g_free(follow);
}

/* Descriptors, process and thread, in this order. */
static int
start(Follow *follow, const char *command, const char *const *env,
    const char *path)
{
	int in[2], out[2];

	follow->file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (follow->file < 0 || pipe2(in, O_CLOEXEC) != 0)
		return errno;
	follow->hold = in[1];
	if (pipe2(out, O_CLOEXEC) != 0) {
		const int failure = errno;
		close_fd(in[0]);
		return failure;
	}
	follow->out = out[0];
	(void)fcntl(follow->out, F_SETFL, O_NONBLOCK);
	int failure = spawn(command, env, in[0], out[1], &follow->pid);
	close_fd(in[0]);
	close_fd(out[1]);
	if (failure != 0) {
		follow->pid = 0;
		return failure;
	}
	failure = pthread_create(&follow->thread, NULL, read_on, follow);
	if (failure != 0)
		end_process(follow);
	return failure;
}

Follow *
follow_start(const char *command, const char *const *env, const char *path,
    GError **error)
{
	Follow *follow = g_new0(Follow, 1);

	follow->hold = follow->out = follow->file = -1;
	follow->tail = g_string_new(NULL);
	follow->last = g_string_new(NULL);
	follow->stop = cancel_new(error);
	const int failure =
	    follow->stop == NULL ? 0 : start(follow, command, env, path);
	if (follow->stop != NULL && failure == 0)
		return follow;
	if (failure != 0)
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "cannot start \"%s\": %s", command, g_strerror(failure));
	follow_free(follow);
	return NULL;
}

static void
write_tail(const Follow *follow)
{
	if (follow->tail_bytes > follow->tail->len) {
		g_autofree char *gap =
		    g_strdup_printf("\n[%zu bytes are left out here]\n",
			follow->tail_bytes - follow->tail->len);
		write_all(follow->file, gap, strlen(gap));
	}
	write_all(follow->file, follow->tail->str, follow->tail->len);
}

char *
follow_end(Follow *follow)
{
	if (follow == NULL)
		return NULL;
	end_process(follow);
	cancel_request(follow->stop);
	(void)pthread_join(follow->thread, NULL);
	(void)drain(follow);
	write_tail(follow);
	char *last = g_strndup(follow->last->str, follow->last->len);
	follow_free(follow);
	return last;
}

char *
follow_last_lines(const char *text, size_t bytes)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GString) joined = g_string_new(NULL);

	for (guint i = g_strv_length(lines); i-- > 0;) {
		const char *line = g_strstrip(lines[i]);
		const size_t length = strlen(line);
		if (length == 0)
			continue;
		if (joined->len > 0 && joined->len + 3 + length > bytes)
			break;
		if (joined->len > 0)
			(void)g_string_prepend(joined, " / ");
		(void)g_string_prepend(joined, line);
	}
	return text_printable(joined->str, bytes);
}
