/*
 * A channel of a session with a command on it: what a run and a hold have in
 * common.  Inside an Ssh only.
 */
#ifndef TARGET_SSH_CHANNEL_H
#define TARGET_SSH_CHANNEL_H

#include <stdbool.h>

#include "target/ssh_mark.h"
#include "target/ssh_session.h"

/*
 * Starts the command, wrapped by the mark; its output goes to the callbacks by
 * ssh_turn() from now on.  *channel is the caller's to free, also after a
 * failure that came once it was made: ABRUN_ERROR_HOST (refused; the session
 * is then broken), _TIMEOUT, _CANCELLED, _USAGE.
 */
bool ssh_channel_start(Ssh *ssh, SshMark *mark, const char *command,
    struct ssh_channel_callbacks_struct *callbacks, ssh_channel *channel,
    Deadline deadline, const Cancel *cancel, GError **error);

#endif
