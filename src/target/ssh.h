/*
 * One SSH session to one host, for one thread: connect with host key checks
 * that are never off, and run commands with both streams drained, output
 * capped, a deadline, and an end that tells exit, signal, lost link and
 * time-out apart.
 *
 * Errors: ABRUN_ERROR_HOST (refused, unreachable, host key, login),
 * _TIMEOUT, _CANCELLED, _USAGE (an option that cannot be).
 */
#ifndef TARGET_SSH_H
#define TARGET_SSH_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "matrix/matrix.h"

typedef struct Ssh Ssh;

typedef enum {
	SSH_END_EXIT,    /* status is the exit status */
	SSH_END_SIGNAL,  /* signal is its name without SIG */
	SSH_END_LOST,    /* the link broke, or closed without a status */
	SSH_END_TIMEOUT, /* deadline: the remote process group was killed */
	SSH_END_CANCEL,  /* cancelled: likewise */
} SshEnd;

typedef struct {
	SshEnd end;
	int status;
	char *signal; /* or NULL */
	GString *out;
	GString *err;
	size_t out_dropped; /* bytes beyond the cap */
	size_t err_dropped;
} SshResult;

void ssh_result_clear(SshResult *result);

/*
 * Connects and logs in.  Warnings that a person should see once (unsupported
 * ssh_config keywords, by name) are added to warnings, if not NULL, as
 * strings.
 */
Ssh *ssh_open(const Host *host, Deadline deadline, const Cancel *cancel,
    GPtrArray *warnings, GError **error);
void ssh_close(Ssh *ssh);
/* Still connected, as far as is known without asking. */
bool ssh_alive(const Ssh *ssh);
/* "SHA256:..." of the host key seen. */
const char *ssh_fingerprint(const Ssh *ssh);

/*
 * Runs a command, which the login shell reads, with input on its standard
 * input.  True whenever it was started: look at result->end.  On time-out or
 * cancel the remote process group is killed (TERM, then KILL) by a second
 * channel, provided the command is "exec"ed or leads its group; when the link
 * is down that cannot be, and the error text of the caller must say so.
 */
bool ssh_run(Ssh *ssh, const char *command, const char *input,
    size_t max_output, Deadline deadline, const Cancel *cancel,
    SshResult *result, GError **error);

/*
 * A forward for one connection at a time: a Unix socket in a private
 * directory here, whose connections go to a Unix socket or TCP port there.
 * Uses a session and thread of its own.
 */
typedef struct Tunnel Tunnel;
Tunnel *tunnel_open(const Host *host, const char *remote_socket,
    const char *remote_host, int remote_port, Deadline deadline,
    const Cancel *cancel, GError **error);
void tunnel_close(Tunnel *tunnel);
/* Path of the local Unix socket. */
const char *tunnel_socket(const Tunnel *tunnel);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SshResult, ssh_result_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Ssh, ssh_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tunnel, tunnel_close)

#endif
