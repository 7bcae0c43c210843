/*
 * A command that holds something on a host as long as its standard input is
 * open: a session of its own, which a thread of its own serves, so that it
 * costs the calls beside it neither a channel (MaxSessions may be 1) nor time.
 */
#ifndef TARGET_SSH_HOLD_H
#define TARGET_SSH_HOLD_H

#include <stdbool.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "matrix/matrix.h"

typedef struct SshHold SshHold;

/*
 * Runs the command with input, whose end it is not told, and waits until a
 * line of its output begins with last, or it ends.  What it wrote until then
 * is appended to out and err, capped.  NULL with the errors of ssh_open() and
 * ssh_run(); of a command that ended a SshHold that is over.
 */
SshHold *ssh_hold_open(const Host *host, const char *command, const char *input,
    const char *last, Deadline deadline, const Cancel *cancel, GString *out,
    GString *err, GError **error);
/* The command has not ended, and the link stands, as far as is known. */
bool ssh_hold_lives(SshHold *hold);
/* Ends its input, waits a moment for its end, closes the session. */
void ssh_hold_close(SshHold *hold);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(SshHold, ssh_hold_close)

#endif
