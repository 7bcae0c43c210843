/*
 * One connection through a tunnel: a local socket on one side, a channel on
 * the other, a small buffer each way.  Never blocks; for the tunnel's thread.
 */
#ifndef TARGET_TUNNEL_LINK_H
#define TARGET_TUNNEL_LINK_H

#include <stdbool.h>

#include <glib.h>

#include "target/ssh_session.h"

/* Where connections go: a Unix socket if not NULL, else host and port. */
typedef struct {
	const char *socket;
	const char *host;
	int port;
} TunnelEnd;

typedef struct TunnelLink TunnelLink;

/* Takes fd, which must be non-blocking.  NULL when there is no channel. */
TunnelLink *tunnel_link_new(Ssh *ssh, int fd);
void tunnel_link_free(TunnelLink *link);
int tunnel_link_fd(const TunnelLink *link);
/* The host has accepted the connection. */
bool tunnel_link_is_open(const TunnelLink *link);
/* The events of the local socket that would let it go on. */
short tunnel_link_events(const TunnelLink *link);
/*
 * Moves what can be moved; hung_up: poll() said POLLHUP.  False when the
 * connection is over and to be freed; *problem, if not NULL then, says why it
 * could not be made (free it).
 */
bool tunnel_link_pump(
    TunnelLink *link, const TunnelEnd *end, bool hung_up, char **problem);

#endif
