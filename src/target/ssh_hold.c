#include "target/ssh_hold.h"

#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "target/ssh_channel.h"
#include "target/ssh_mark.h"
#include "target/ssh_session.h"

enum {
	CHUNK_BYTES = 32768,   /* what sshd takes in one packet */
	SAID_BYTES = 64 << 10, /* of what the command says at first */
	TURN_MS = 200,         /* a missed wake-up costs no more than this */
	IDLE_MS = 60000,       /* between looks at a link that says nothing */
	END_MS = 3000,         /* for a command whose input has ended */
};

struct SshHold {
	/* The opener's, then the thread's own until it ends. */
	Ssh *ssh;
	ssh_channel channel;
	struct ssh_channel_callbacks_struct callbacks;
	SshMark mark;
	GString *out, *err; /* borrowed; NULL once the command holds */
	bool closed;
	/* Not changed while the thread runs. */
	Cancel *stop; /* asked: end */
	pthread_t thread;
	bool running;
	pthread_mutex_t lock; /* guards over */
	bool over;
};

static int
on_data(ssh_session session, ssh_channel channel, void *data, uint32_t length,
    int is_err, void *user)
{
	SshHold *hold = user;
	const char *output = data;
	size_t n = length;

	(void)session;
	(void)channel;
	if (is_err)
		n = ssh_mark_filter(&hold->mark, data, length, &output);
	GString *said = is_err ? hold->err : hold->out;
	if (said != NULL && said->len < SAID_BYTES)
		g_string_append_len(said, output, (gssize)n);
	return (int)length;
}

static void
on_close(ssh_session session, ssh_channel channel, void *user)
{
	SshHold *hold = user;

	(void)session;
	(void)channel;
	hold->closed = true;
}

/* Sends as much input as window and socket take; what is left of it. */
static const char *
feed(const SshHold *hold, const char *input)
{
	ssh_session session = hold->ssh->session;

	while (*input != '\0' && ssh_channel_is_open(hold->channel) &&
	    (ssh_get_poll_flags(session) & SSH_WRITE_PENDING) == 0) {
		const size_t window = ssh_channel_window_size(hold->channel);
		const size_t n =
		    MIN(MIN(strlen(input), window), (size_t)CHUNK_BYTES);
		const int sent = n == 0
		    ? 0
		    : ssh_channel_write(hold->channel, input, (uint32_t)n);
		if (sent <= 0)
			break;
		input += sent;
	}
	return input;
}

/* Whether a whole line of the text begins with that. */
static bool
has_line(const char *text, const char *begin)
{
	const char *at = text;

	while ((at = strstr(at, begin)) != NULL) {
		if ((at == text || at[-1] == '\n') && strchr(at, '\n') != NULL)
			return true;
		at++;
	}
	return false;
}

static bool
wait_for_line(SshHold *hold, const char *input, const char *last,
    Deadline deadline, const Cancel *cancel, GError **error)
{
	Ssh *ssh = hold->ssh;

	for (;;) {
		input = feed(hold, input);
		if (hold->closed || ssh->broken ||
		    has_line(hold->out->str, last))
			return true;
		if (!cancel_check(cancel, error))
			return false;
		if (deadline_passed(deadline)) {
			g_set_error_literal(error, ABRUN_ERROR,
			    ABRUN_ERROR_TIMEOUT, "no answer in time");
			return false;
		}
		ssh_turn(ssh, MIN(deadline_left_ms(deadline), TURN_MS),
		    cancel_fd(cancel));
	}
}

static void
set_over(SshHold *hold)
{
	(void)pthread_mutex_lock(&hold->lock);
	hold->over = true;
	(void)pthread_mutex_unlock(&hold->lock);
}

/* Serves the link, then gives the command the end of its input. */
static void *
serve(void *argument)
{
	SshHold *hold = argument;
	Ssh *ssh = hold->ssh;

	ssh_quiet();
	while (!hold->closed && !ssh->broken && cancel_level(hold->stop) == 0)
		ssh_turn(ssh, IDLE_MS, cancel_fd(hold->stop));
	if (!hold->closed && !ssh->broken) {
		const Deadline deadline = deadline_in(END_MS);
		(void)ssh_channel_send_eof(hold->channel);
		while (
		    !hold->closed && !ssh->broken && !deadline_passed(deadline))
			ssh_turn(ssh, TURN_MS / 10, -1);
	}
	set_over(hold);
	return NULL;
}

/* What the command said was the last: from now on the thread has it. */
static bool
go_on(SshHold *hold, GError **error)
{
	hold->out = hold->err = NULL;
	if (hold->closed || hold->ssh->broken) {
		hold->over = true;
		return true;
	}
	const int reason = pthread_create(&hold->thread, NULL, serve, hold);
	hold->running = reason == 0;
	if (hold->running)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
	    "cannot start a thread: %s", g_strerror(reason));
	return false;
}

SshHold *
ssh_hold_open(const Host *host, const char *command, const char *input,
    const char *last, Deadline deadline, const Cancel *cancel, GString *out,
    GString *err, GError **error)
{
	g_autoptr(SshHold) hold = g_new0(SshHold, 1);

	hold->callbacks = (struct ssh_channel_callbacks_struct){
		.userdata = hold,
		.channel_data_function = on_data,
		.channel_close_function = on_close,
	};
	ssh_callbacks_init(&hold->callbacks);
	ssh_mark_init(&hold->mark);
	(void)pthread_mutex_init(&hold->lock, NULL);
	hold->out = out;
	hold->err = err;
	hold->stop = cancel_new(error);
	hold->ssh = hold->stop == NULL
	    ? NULL
	    : ssh_open(host, deadline, cancel, NULL, error);
	if (hold->ssh == NULL ||
	    !ssh_channel_start(hold->ssh, &hold->mark, command,
		&hold->callbacks, &hold->channel, deadline, cancel, error) ||
	    !wait_for_line(hold, input, last, deadline, cancel, error) ||
	    !go_on(hold, error))
		return NULL;
	return g_steal_pointer(&hold);
}

bool
ssh_hold_lives(SshHold *hold)
{
	(void)pthread_mutex_lock(&hold->lock);
	const bool lives = !hold->over;
	(void)pthread_mutex_unlock(&hold->lock);
	return lives;
}

void
ssh_hold_close(SshHold *hold)
{
	if (hold == NULL)
		return;
	if (hold->running) {
		cancel_request(hold->stop);
		(void)pthread_join(hold->thread, NULL);
	}
	if (hold->channel != NULL) {
		(void)ssh_remove_channel_callbacks(
		    hold->channel, &hold->callbacks);
		ssh_channel_free(hold->channel);
	}
	ssh_close(hold->ssh);
	cancel_free(hold->stop);
	ssh_mark_clear(&hold->mark);
	(void)pthread_mutex_destroy(&hold->lock);
	g_free(hold);
}
