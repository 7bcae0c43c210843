#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

extern char **environ;

enum { IN, OUT, ERR, STREAMS };

/* How often a process that closed its outputs but lives is looked at. */
enum { REAP_MS = 20 };

void
process_result_clear(ProcessResult *result)
{
	if (result->out != NULL)
		(void)g_string_free(result->out, TRUE);
	if (result->err != NULL)
		(void)g_string_free(result->err, TRUE);
	*result = (ProcessResult){ 0 };
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

/* Our ends in ours[], the child's in theirs[]. */
static bool
open_pipes(int ours[STREAMS], int theirs[STREAMS])
{
	for (int i = 0; i < STREAMS; i++) {
		int ends[2];
		if (pipe2(ends, O_CLOEXEC) != 0)
			return false;
		ours[i] = i == IN ? ends[1] : ends[0];
		theirs[i] = i == IN ? ends[0] : ends[1];
		(void)fcntl(ours[i], F_SETFL, O_NONBLOCK);
	}
	return true;
}

static int
spawn(const char *const *argv, const char *const *env,
    const int theirs[STREAMS], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;

	(void)sigemptyset(&none);
	(void)sigemptyset(&defaults);
	(void)sigaddset(&defaults, SIGPIPE);
	(void)sigaddset(&defaults, SIGXFSZ);
	(void)posix_spawn_file_actions_init(&actions);
	for (int i = 0; i < STREAMS; i++)
		(void)posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
	(void)posix_spawnattr_init(&attributes);
	(void)posix_spawnattr_setflags(&attributes,
	    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
		POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setsigmask(&attributes, &none);
	(void)posix_spawnattr_setsigdefault(&attributes, &defaults);
	const int failure = posix_spawnp(pid, argv[0], &actions, &attributes,
	    (char *const *)argv, env == NULL ? environ : (char *const *)env);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)posix_spawnattr_destroy(&attributes);
	return failure;
}

/* Reads what there is; closes the descriptor at end of file. */
static void
drain(int *fd, GString *into, size_t max, bool *truncated)
{
	char block[16384];
	ssize_t got;

	while ((got = read(*fd, block, sizeof(block))) > 0) {
		const size_t room = max > into->len ? max - into->len : 0;
		const size_t kept = MIN((size_t)got, room);
		(void)g_string_append_len(into, block, (gssize)kept);
		*truncated = *truncated || kept < (size_t)got;
	}
	if (got == 0 || (errno != EAGAIN && errno != EINTR))
		close_fd(fd);
}

static void
feed(int *fd, const char **input, size_t *left)
{
	const ssize_t done = *left == 0 ? 0 : write(*fd, *input, *left);

	if (done > 0) {
		*input += done;
		*left -= (size_t)done;
	}
	if (*left == 0 || (done < 0 && errno != EAGAIN && errno != EINTR))
		close_fd(fd);
}

static bool
reap(pid_t pid, ProcessResult *result)
{
	int status = 0;

	if (waitpid(pid, &status, WNOHANG) != pid)
		return false;
	result->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return true;
}

/* False when deadline or cancel came first. */
static bool
attend(pid_t pid, int ours[STREAMS], const char *input, size_t max_output,
    Deadline deadline, const Cancel *cancel, ProcessResult *result)
{
	size_t left = input == NULL ? 0 : strlen(input);

	for (;;) {
		struct pollfd fds[STREAMS + 1] = {
			{ .fd = ours[IN], .events = POLLOUT },
			{ .fd = ours[OUT], .events = POLLIN },
			{ .fd = ours[ERR], .events = POLLIN },
			{ .fd = cancel_fd(cancel), .events = POLLIN },
		};
		const bool streams = ours[OUT] >= 0 || ours[ERR] >= 0;
		if (reap(pid, result)) {
			/* A grandchild may hold the pipes: take what is there.
			 */
			if (ours[OUT] >= 0)
				drain(&ours[OUT], result->out, max_output,
				    &result->truncated);
			if (ours[ERR] >= 0)
				drain(&ours[ERR], result->err, max_output,
				    &result->truncated);
			return true;
		}
		if (cancel_level(cancel) > 0 || deadline_passed(deadline))
			return false;
		const int left_ms = deadline_left_ms(deadline);
		(void)poll(fds, STREAMS + 1,
		    streams ? MIN(left_ms, 200) : MIN(left_ms, REAP_MS));
		if (ours[IN] >= 0)
			feed(&ours[IN], &input, &left);
		if (ours[OUT] >= 0)
			drain(&ours[OUT], result->out, max_output,
			    &result->truncated);
		if (ours[ERR] >= 0)
			drain(&ours[ERR], result->err, max_output,
			    &result->truncated);
	}
}

bool
process_run(const char *const *argv, const char *const *env, const char *input,
    size_t max_output, Deadline deadline, const Cancel *cancel,
    ProcessResult *result, GError **error)
{
	int ours[STREAMS] = { -1, -1, -1 }, theirs[STREAMS] = { -1, -1, -1 };
	pid_t pid = -1;

	*result = (ProcessResult){ .out = g_string_new(NULL),
		.err = g_string_new(NULL),
		.status = -1 };
	const int failure =
	    open_pipes(ours, theirs) ? spawn(argv, env, theirs, &pid) : errno;
	for (int i = 0; i < STREAMS; i++)
		close_fd(&theirs[i]);

	bool ended = false;
	if (failure != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "cannot start %s: %s", argv[0], g_strerror(failure));
	} else {
		ended = attend(
		    pid, ours, input, max_output, deadline, cancel, result);
		if (!ended) {
			(void)kill(-pid, SIGKILL);
			(void)waitpid(pid, NULL, 0);
			if (cancel_check(cancel, error))
				g_set_error(error, ABRUN_ERROR,
				    ABRUN_ERROR_TIMEOUT,
				    "%s did not end in time and was killed",
				    argv[0]);
		}
	}
	for (int i = 0; i < STREAMS; i++)
		close_fd(&ours[i]);
	return ended;
}
