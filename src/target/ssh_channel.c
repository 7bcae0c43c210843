#include "target/ssh_channel.h"

#include "base/error.h"

/* A command line that is asked for on a channel. */
typedef struct {
	ssh_channel channel;
	const char *line;
} Exec;

static int
open_channel(Ssh *ssh, void *data)
{
	const Exec *exec = data;

	(void)ssh;
	return ssh_channel_open_session(exec->channel);
}

static int
request_exec(Ssh *ssh, void *data)
{
	const Exec *exec = data;

	(void)ssh;
	return ssh_channel_request_exec(exec->channel, exec->line);
}

static bool
refused(Ssh *ssh, const char *what, GError **error)
{
	g_autofree char *reason = ssh_reason(ssh);

	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST, "%s %s: %s",
	    ssh->plan->label, what, reason);
	ssh->broken = true;
	return false;
}

bool
ssh_channel_start(Ssh *ssh, SshMark *mark, const char *command,
    struct ssh_channel_callbacks_struct *callbacks, ssh_channel *channel,
    Deadline deadline, const Cancel *cancel, GError **error)
{
	g_autofree char *line = ssh_mark_wrap(mark, command, error);
	int answer = SSH_ERROR;

	if (line == NULL)
		return false;
	*channel = ssh_channel_new(ssh->session);
	if (*channel == NULL)
		return refused(ssh, "has no session left", error);
	Exec exec = { .channel = *channel, .line = line };
	(void)ssh_set_channel_callbacks(*channel, callbacks);
	if (!ssh_step(
		ssh, open_channel, &exec, deadline, cancel, &answer, error)) {
		g_prefix_error(
		    error, "%s, opening a channel: ", ssh->plan->label);
		return false;
	}
	if (answer != SSH_OK)
		return refused(ssh, "opens no channel", error);
	if (!ssh_step(
		ssh, request_exec, &exec, deadline, cancel, &answer, error)) {
		g_prefix_error(
		    error, "%s, starting a command: ", ssh->plan->label);
		return false;
	}
	return answer == SSH_OK || refused(ssh, "starts no command", error);
}
