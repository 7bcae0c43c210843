#include <string.h>

#include "base/error.h"
#include "target/ssh_channel.h"
#include "target/ssh_mark.h"
#include "target/ssh_session.h"

enum {
	CHUNK_BYTES = 32768,  /* what sshd takes in one packet */
	TURN_MS = 200,        /* a missed wake-up costs no more than this */
	QUIET_MS = 1500,      /* output of a busy host comes within this */
	SILENT_MS = 100,      /* and the channel's close within this */
	DRAIN_MS = 10000,     /* but not for ever: "yes &" */
	GRACE_MS = 1000,      /* for a late process id, a late close */
	KILL_START_MS = 3000, /* a host that hangs is given up after this */
	KILL_MS = 8000,       /* TERM, a second, KILL, on a slow host */
	KILL_OUTPUT = 1024,
};

/* One command on one channel. */
typedef struct {
	Ssh *ssh;
	ssh_channel channel;
	struct ssh_channel_callbacks_struct callbacks;
	SshMark mark;
	const char *input;
	size_t input_left;
	bool input_ended;
	size_t max_output;
	int cancel_level; /* how often cancel must be asked to end this */
	bool ended;       /* the host told how it ended */
	bool silent;      /* end of file of both streams */
	bool closed;      /* the host holds nothing of the channel any more */
	int64_t heard_us; /* when something last came */
	SshResult result;
} Run;

void
ssh_result_clear(SshResult *result)
{
	g_clear_pointer(&result->signal, g_free);
	if (result->out != NULL)
		(void)g_string_free(g_steal_pointer(&result->out), TRUE);
	if (result->err != NULL)
		(void)g_string_free(g_steal_pointer(&result->err), TRUE);
}

/* Keeps what fits; the rest is counted, since it must be taken anyway. */
static void
take(GString *kept, size_t *dropped, size_t max, const char *data, size_t n)
{
	const size_t room = max > kept->len ? max - kept->len : 0;
	const size_t some = MIN(n, room);

	g_string_append_len(kept, data, (gssize)some);
	*dropped += n - some;
}

static int
on_data(ssh_session session, ssh_channel channel, void *data, uint32_t length,
    int is_err, void *user)
{
	Run *run = user;
	SshResult *result = &run->result;
	const char *output = data;
	size_t n = length;

	(void)session;
	(void)channel;
	run->heard_us = deadline_now_us();
	if (is_err) {
		n = ssh_mark_filter(&run->mark, data, length, &output);
		take(result->err, &result->err_dropped, run->max_output, output,
		    n);
	} else {
		take(result->out, &result->out_dropped, run->max_output, output,
		    n);
	}
	return (int)length;
}

static void
on_eof(ssh_session session, ssh_channel channel, void *user)
{
	Run *run = user;

	(void)session;
	(void)channel;
	run->silent = true;
}

static void
on_close(ssh_session session, ssh_channel channel, void *user)
{
	Run *run = user;

	(void)session;
	(void)channel;
	run->closed = true;
}

static void
on_status(ssh_session session, ssh_channel channel, int status, void *user)
{
	Run *run = user;

	(void)session;
	(void)channel;
	run->heard_us = deadline_now_us();
	run->ended = true;
	run->result.end = SSH_END_EXIT;
	run->result.status = status;
}

static void
on_signal(ssh_session session, ssh_channel channel, const char *name, int core,
    const char *message, const char *language, void *user)
{
	Run *run = user;

	(void)session;
	(void)channel;
	(void)core;
	(void)message;
	(void)language;
	run->heard_us = deadline_now_us();
	run->ended = true;
	run->result.end = SSH_END_SIGNAL;
	g_free(run->result.signal);
	run->result.signal = g_strdup(name);
}

static void
run_init(Run *run, Ssh *ssh, const char *input, size_t max_output)
{
	*run = (Run){
		.ssh = ssh,
		.input = input,
		.input_left = input == NULL ? 0 : strlen(input),
		.max_output = max_output,
		.cancel_level = 1,
		.callbacks = {
			.channel_data_function = on_data,
			.channel_eof_function = on_eof,
			.channel_close_function = on_close,
			.channel_exit_status_function = on_status,
			.channel_exit_signal_function = on_signal,
		},
		.result = { .end = SSH_END_LOST, .status = -1 },
	};
	run->callbacks.userdata = run;
	run->result.out = g_string_new(NULL);
	run->result.err = g_string_new(NULL);
	ssh_mark_init(&run->mark);
	ssh_callbacks_init(&run->callbacks);
}

static void
run_clear(Run *run)
{
	if (run->channel != NULL) {
		/* libssh keeps the channel until the host closes it too. */
		(void)ssh_remove_channel_callbacks(
		    run->channel, &run->callbacks);
		if (!ssh_channel_is_closed(run->channel))
			run->ssh->unclosed++;
		ssh_channel_free(run->channel);
	}
	ssh_mark_clear(&run->mark);
	ssh_result_clear(&run->result);
}

/* Starts the command; its output arrives by ssh_turn() from now on. */
static bool
start(Run *run, const char *command, Deadline deadline, const Cancel *cancel,
    GError **error)
{
	if (!ssh_channel_start(run->ssh, &run->mark, command, &run->callbacks,
		&run->channel, deadline, cancel, error))
		return false;
	run->heard_us = deadline_now_us();
	return true;
}

/* Sends as much input as window and socket take. */
static void
feed(Run *run)
{
	ssh_session session = run->ssh->session;

	while (run->input_left > 0 && !run->ended && !run->closed &&
	    ssh_channel_is_open(run->channel) &&
	    (ssh_get_poll_flags(session) & SSH_WRITE_PENDING) == 0) {
		const size_t window = ssh_channel_window_size(run->channel);
		const size_t n =
		    MIN(MIN(run->input_left, window), (size_t)CHUNK_BYTES);
		if (n == 0)
			return;
		const int sent =
		    ssh_channel_write(run->channel, run->input, (uint32_t)n);
		if (sent <= 0)
			return;
		run->input += sent;
		run->input_left -= (size_t)sent;
	}
	if (run->input_left == 0 && !run->input_ended) {
		run->input_ended = true;
		(void)ssh_channel_send_eof(run->channel);
	}
}

/* Whether all that will come has come. */
static bool
is_over(const Run *run, int64_t ended_us)
{
	const int64_t now = deadline_now_us();
	const int64_t quiet_ms = run->silent ? SILENT_MS : QUIET_MS;

	if (run->closed || run->ssh->broken)
		return true;
	return run->ended &&
	    (now - run->heard_us > quiet_ms * 1000 ||
		now - ended_us > DRAIN_MS * 1000L);
}

/* Serves the command until it has ended, or the deadline, or cancel. */
static SshEnd
serve(Run *run, Deadline deadline, const Cancel *cancel)
{
	/* Once asked, the descriptor stays readable: do not spin on it. */
	const int wake = run->cancel_level == 1 ? cancel_fd(cancel) : -1;
	int64_t ended_us = 0;

	for (;;) {
		feed(run);
		if (run->ended && ended_us == 0)
			ended_us = deadline_now_us();
		if (is_over(run, ended_us))
			return run->ended ? run->result.end : SSH_END_LOST;
		if (!run->ended && cancel_level(cancel) >= run->cancel_level)
			return SSH_END_CANCEL;
		if (!run->ended && deadline_passed(deadline))
			return SSH_END_TIMEOUT;
		const int wait_ms = run->ended
		    ? TURN_MS / 10
		    : MIN(deadline_left_ms(deadline), TURN_MS);
		ssh_turn(run->ssh, wait_ms, run->ended ? -1 : wake);
	}
}

/* The spelling of kill is the only one that dash, bash and zsh accept. */
static char *
kill_command(const Ssh *ssh, int64_t pid)
{
	g_autofree char *script = g_strdup_printf(
	    "g=%" G_GINT64_FORMAT "; kill -s TERM -- -$g 2>/dev/null;"
	    " for i in 1 2 3 4 5 6 7 8 9 10; do"
	    " kill -s 0 -- -$g 2>/dev/null || exit 0;"
	    " sleep 0.1 2>/dev/null || sleep 1; done;"
	    " kill -s KILL -- -$g 2>/dev/null",
	    pid);

	return g_strdup_printf("exec %s/bin/sh -c '%s'",
	    ssh->plan->sudo ? "sudo -n " : "", script);
}

/*
 * Kills the process group of a command that is to end now.  Whether it was
 * allowed to is seen from the command's own end, not from kill's status,
 * which is the same for "nobody there" and "not permitted".
 */
static bool
kill_group(Run *run, const Cancel *cancel)
{
	const Deadline late = deadline_in(GRACE_MS);
	Ssh *ssh = run->ssh;

	while (run->mark.pid == 0 && !deadline_passed(late) && !ssh->broken)
		ssh_turn(ssh, TURN_MS / 10, -1);
	if (run->mark.pid == 0 || ssh->broken)
		return false;

	Run killer;
	const Deadline deadline = deadline_in(KILL_MS);
	g_autofree char *command = kill_command(ssh, run->mark.pid);
	run_init(&killer, ssh, NULL, KILL_OUTPUT);
	killer.cancel_level = 2;
	const bool ran =
	    start(&killer, command, deadline_in(KILL_START_MS), NULL, NULL) &&
	    serve(&killer, deadline, cancel) == SSH_END_EXIT;
	run_clear(&killer);

	const Deadline grace = deadline_in(GRACE_MS);
	while (ran && !run->closed && !deadline_passed(grace) && !ssh->broken)
		ssh_turn(ssh, TURN_MS / 10, -1);
	ssh->broken = ssh->broken || !ran;
	return ran && run->ended;
}

/* Makes the result final and hands it over. */
static void
hand_over(Run *run, SshEnd end, bool killed, SshResult *result)
{
	const char *rest = NULL;
	const size_t n = ssh_mark_rest(&run->mark, &rest);

	take(run->result.err, &run->result.err_dropped, run->max_output, rest,
	    n);
	run->result.end = end;
	run->result.killed = killed;
	if (end != SSH_END_EXIT)
		run->result.status = -1;
	if (end != SSH_END_SIGNAL)
		g_clear_pointer(&run->result.signal, g_free);
	*result = run->result;
	run->result = (SshResult){ 0 };
}

bool
ssh_run(Ssh *ssh, const char *command, const char *input, size_t max_output,
    Deadline deadline, const Cancel *cancel, SshResult *result, GError **error)
{
	Run run;

	if (!cancel_check(cancel, error))
		return false;
	if (!ssh_alive(ssh)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "the session to %s is gone", ssh->plan->label);
		return false;
	}
	run_init(&run, ssh, input, max_output);
	const bool started = start(&run, command, deadline, cancel, error);
	if (started) {
		const SshEnd end = serve(&run, deadline, cancel);
		const bool early =
		    end == SSH_END_TIMEOUT || end == SSH_END_CANCEL;
		hand_over(&run, end, early && kill_group(&run, cancel), result);
	}
	run_clear(&run);
	return started;
}
