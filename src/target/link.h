/*
 * Inside a Target: how its shell is reached, which is by an SSH session, or,
 * on the controller itself, by a local process.  For one thread.
 */
#ifndef TARGET_LINK_H
#define TARGET_LINK_H

#include <stdbool.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "matrix/matrix.h"
#include "target/ssh.h"

typedef struct {
	const Host *host;    /* not ours */
	GPtrArray *warnings; /* not ours: those of sessions are added */
	Ssh *ssh;            /* NULL: not connected, or host->local */
	char *fingerprint;   /* of the host key last seen, or NULL */
	bool accepted_key;   /* it was unknown, and accepted as a new one */
} TargetLink;

void target_link_init(TargetLink *link, const Host *host, GPtrArray *warnings);
void target_link_clear(TargetLink *link);

/*
 * Opens a session unless one lives; fresh tells that it is another than that
 * of the last script.
 */
bool target_link_open(TargetLink *link, Deadline deadline, const Cancel *cancel,
    bool *fresh, GError **error);

/*
 * Feeds the script to a shell there (command; local ones run /bin/sh -s), and
 * takes what it says, at most max_output bytes of each stream.  False, with
 * errors of ssh.h, when it was not started, and the session is dropped: one
 * that was not fresh may have died unseen.  Else result tells its end.
 */
bool target_link_run(TargetLink *link, const char *command, const char *script,
    size_t max_output, Deadline deadline, const Cancel *cancel,
    SshResult *result, GError **error);

/* Ends the session; the next script opens another. */
void target_link_drop(TargetLink *link);

#endif
