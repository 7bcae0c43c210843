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
	SSH_END_TIMEOUT, /* deadline: see killed */
	SSH_END_CANCEL,  /* cancelled: likewise */
} SshEnd;

typedef struct {
	SshEnd end;
	int status;   /* -1 unless SSH_END_EXIT */
	char *signal; /* or NULL */
	GString *out;
	GString *err;
	size_t out_dropped; /* bytes beyond the cap */
	size_t err_dropped;
	bool killed; /* the remote process group was told to die, and obeyed */
} SshResult;

void ssh_result_clear(SshResult *result);

/*
 * Connects and logs in, with an agent or key files and never a question.
 * Warnings that a person should see once (ssh_config keywords that have no
 * effect, by name) are added to warnings, if not NULL, as strings.
 *
 * Only host->ssh_config is read, no file of the user or the system.  Relative
 * paths are relative to the working directory; ~ is the home directory.
 */
Ssh *ssh_open(const Host *host, Deadline deadline, const Cancel *cancel,
    GPtrArray *warnings, GError **error);
void ssh_close(Ssh *ssh);
/*
 * Still connected, as far as is known without asking: a host that went
 * silent is found out only by a command's deadline.
 */
bool ssh_alive(const Ssh *ssh);
/* "SHA256:..." of the host key seen. */
const char *ssh_fingerprint(const Ssh *ssh);
/* Nobody vouched for that key: it was unknown, and accepted as a new one. */
bool ssh_key_is_new(const Ssh *ssh);

/*
 * Runs a command, one line of POSIX sh whatever the login shell is, with
 * input (or nothing, if NULL) on its standard input.  True whenever it was
 * started: look at result->end.  It has ended when the host reports its
 * status and what it wrote has arrived, even if a process left in the
 * background still holds its output.
 *
 * On time-out and cancel a second channel kills the remote process group:
 * TERM, up to a second, KILL.  result->killed tells whether that could be
 * done; when it is false (the link is down, the host hangs, it never said its
 * process id) the command may still run, and the caller must say so.  A
 * process that has made a session of its own escapes.
 *
 * False with ABRUN_ERROR_HOST (no session left, refused), _TIMEOUT,
 * _CANCELLED (before it was started) or _USAGE (a newline in command).
 */
bool ssh_run(Ssh *ssh, const char *command, const char *input,
    size_t max_output, Deadline deadline, const Cancel *cancel,
    SshResult *result, GError **error);

/*
 * A forward: a Unix socket in a private directory here, whose connections,
 * several at a time, go to a Unix socket (remote_socket, if not NULL) or TCP
 * port there.  Uses a session and thread of its own.
 */
typedef struct Tunnel Tunnel;
Tunnel *tunnel_open(const Host *host, const char *remote_socket,
    const char *remote_host, int remote_port, Deadline deadline,
    const Cancel *cancel, GError **error);
/* Ends all connections, the thread, and removes the socket. */
void tunnel_close(Tunnel *tunnel);
/* Path of the local Unix socket; below the system's limit of 107 bytes. */
const char *tunnel_socket(const Tunnel *tunnel);
/*
 * Why the last connection could not be passed on, for a message beside the
 * client's own "server has gone away"; NULL if none failed.  Free it.
 */
char *tunnel_problem(Tunnel *tunnel);
/* Whether it is that the host refused it, on a link that stands. */
bool tunnel_refused(Tunnel *tunnel);
/* Its session is gone, and with it the tunnel: open another. */
bool tunnel_lost(Tunnel *tunnel);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SshResult, ssh_result_clear)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Ssh, ssh_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tunnel, tunnel_close)

#endif
