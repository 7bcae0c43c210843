/*
 * A connected descriptor for a plan: a TCP connection, or one end of the
 * process that ProxyCommand or ProxyJump asks for.  Non-blocking, with a
 * deadline and cancel even while a name is looked up.
 */
#ifndef TARGET_SSH_DIAL_H
#define TARGET_SSH_DIAL_H

#include <stdbool.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "target/ssh_plan.h"

/* The process that carries a connection. */
typedef struct SshProxy SshProxy;

/*
 * The descriptor, which the caller closes, or -1 with ABRUN_ERROR_HOST,
 * _TIMEOUT or _CANCELLED.  *proxy is set where the plan asks for one; free it
 * after the descriptor is closed.
 */
int ssh_dial(const SshPlan *plan, Deadline deadline, const Cancel *cancel,
    SshProxy **proxy, GError **error);

/* Ends the process and waits for it. */
void ssh_proxy_free(SshProxy *proxy);
/* What it wrote to its standard error, fit to print; free it. */
char *ssh_proxy_words(const SshProxy *proxy);

/*
 * Acknowledges what has come at once.  sshd sends small packets without
 * TCP_NODELAY until a command runs, so that each waits for our kernel's late
 * acknowledgement of the one before: 40 ms for the first channel.
 */
void ssh_acknowledge(int fd);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(SshProxy, ssh_proxy_free)

#endif
