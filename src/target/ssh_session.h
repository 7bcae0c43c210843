/*
 * Inside an Ssh: what the files of the session share.  libssh runs in
 * non-blocking mode throughout; every wait is ours, on the descriptor.
 */
#ifndef TARGET_SSH_SESSION_H
#define TARGET_SSH_SESSION_H

#include <stdbool.h>

#include <glib.h>
#include <libssh/callbacks.h>
#include <libssh/libssh.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "target/ssh.h"
#include "target/ssh_dial.h"
#include "target/ssh_plan.h"

struct Ssh {
	SshPlan *plan;
	SshProxy *proxy; /* or NULL */
	ssh_session session;
	ssh_event event; /* drives the callbacks; NULL until logged in */
	char *fingerprint;
	bool key_is_new;   /* accepted now, not known before */
	bool broken;       /* not to be used again */
	unsigned unclosed; /* channels given up that the host still holds */
};

/* A libssh call that answers SSH_AGAIN until it is done. */
typedef int (*SshStep)(Ssh *ssh, void *data);

/*
 * Repeats step until it is done; what it then answered is in *answer.  False
 * with _TIMEOUT or _CANCELLED; the session is then of no more use.
 */
bool ssh_step(Ssh *ssh, SshStep step, void *data, Deadline deadline,
    const Cancel *cancel, int *answer, GError **error);

/*
 * Waits for the link for at most wait_ms or until wake (a descriptor, or -1)
 * is readable, and lets libssh work and call back.
 */
void ssh_turn(Ssh *ssh, int wait_ms, int wake);

/* libssh logs by thread: call once in each that uses it. */
void ssh_quiet(void);

/* Why libssh failed, fit to print, never a stale errno; free it. */
char *ssh_reason(const Ssh *ssh);

/* Sets fingerprint and key_is_new; ABRUN_ERROR_HOST unless the key is to be
 * believed. */
bool ssh_check_host_key(Ssh *ssh, GError **error);
/*
 * The key algorithms to ask for, those of known keys first, so that a host
 * with several keys shows the one that is known; free it.
 */
char *ssh_host_key_algorithms(const SshPlan *plan, GError **error);

/* ABRUN_ERROR_HOST, naming every key that was tried. */
bool ssh_login(
    Ssh *ssh, Deadline deadline, const Cancel *cancel, GError **error);

#endif
