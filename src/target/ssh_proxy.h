/*
 * The process of ProxyCommand or ProxyJump: its standard input and output are
 * the connection.
 */
#ifndef TARGET_SSH_PROXY_H
#define TARGET_SSH_PROXY_H

#include <glib.h>

#include "target/ssh_dial.h"
#include "target/ssh_plan.h"

/* Our end, non-blocking, or -1 with ABRUN_ERROR_HOST. */
int ssh_proxy_start(const SshPlan *plan, SshProxy **proxy, GError **error);

#endif
