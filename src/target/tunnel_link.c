#include "target/tunnel_link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER_BYTES = 32768 }; /* what sshd takes in one packet */

/* Bytes on their way. */
typedef struct {
	char bytes[BUFFER_BYTES];
	size_t start;
	size_t end;
} Buffer;

struct TunnelLink {
	Ssh *ssh;
	ssh_channel channel;
	int fd;
	bool open;     /* the host has accepted the channel */
	bool sent_eof; /* the client will write no more */
	bool got_eof;  /* the host will write no more */
	Buffer up;     /* to the host */
	Buffer down;   /* to the client */
};

TunnelLink *
tunnel_link_new(Ssh *ssh, int fd)
{
	ssh_channel channel = ssh_channel_new(ssh->session);

	if (channel == NULL) {
		(void)close(fd);
		return NULL;
	}
	TunnelLink *link = g_new0(TunnelLink, 1);
	link->ssh = ssh;
	link->channel = channel;
	link->fd = fd;
	return link;
}

void
tunnel_link_free(TunnelLink *link)
{
	if (link == NULL)
		return;
	/* Closes it where it is open; sshd would hang up over a close more. */
	ssh_channel_free(link->channel);
	(void)close(link->fd);
	g_free(link);
}

int
tunnel_link_fd(const TunnelLink *link)
{
	return link->fd;
}

bool
tunnel_link_is_open(const TunnelLink *link)
{
	return link->open;
}

static bool
is_empty(const Buffer *buffer)
{
	return buffer->start == buffer->end;
}

short
tunnel_link_events(const TunnelLink *link)
{
	short events = 0;

	if (link->open && !link->sent_eof && is_empty(&link->up))
		events |= POLLIN;
	if (!is_empty(&link->down))
		events |= POLLOUT;
	return events;
}

/* Asks the host for the channel; call until it is open. */
static bool
open_channel(TunnelLink *link, const TunnelEnd *end, char **problem)
{
	const int answer = end->socket != NULL
	    ? ssh_channel_open_forward_unix(
		  link->channel, end->socket, "localhost", 0)
	    : ssh_channel_open_forward(
		  link->channel, end->host, end->port, "localhost", 0);

	if (answer == SSH_AGAIN)
		return true;
	link->open = answer == SSH_OK;
	if (link->open)
		return true;
	g_autofree char *reason = ssh_reason(link->ssh);
	*problem = end->socket != NULL
	    ? g_strdup_printf("%s cannot be reached on %s: %s", end->socket,
		  link->ssh->plan->label, reason)
	    : g_strdup_printf("%s port %d cannot be reached from %s: %s",
		  end->host, end->port, link->ssh->plan->label, reason);
	return false;
}

static bool
fill_up(TunnelLink *link)
{
	Buffer *up = &link->up;

	if (link->sent_eof || !is_empty(up))
		return false;
	const ssize_t n = recv(link->fd, up->bytes, sizeof(up->bytes), 0);
	up->start = 0;
	up->end = n > 0 ? (size_t)n : 0;
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		link->sent_eof = true;
		(void)ssh_channel_send_eof(link->channel);
	}
	return n > 0;
}

static bool
drain_up(TunnelLink *link)
{
	Buffer *up = &link->up;
	const size_t window = ssh_channel_window_size(link->channel);
	const size_t n = MIN(up->end - up->start, window);

	if (n == 0 || !ssh_channel_is_open(link->channel) ||
	    (ssh_get_poll_flags(link->ssh->session) & SSH_WRITE_PENDING) != 0)
		return false;
	const int sent = ssh_channel_write(
	    link->channel, up->bytes + up->start, (uint32_t)n);
	if (sent <= 0)
		return false;
	up->start += (size_t)sent;
	return true;
}

static bool
fill_down(TunnelLink *link)
{
	Buffer *down = &link->down;

	if (link->got_eof || !is_empty(down))
		return false;
	const int n = ssh_channel_read_nonblocking(
	    link->channel, down->bytes, sizeof(down->bytes), 0);
	down->start = 0;
	down->end = n > 0 ? (size_t)n : 0;
	if (n < 0 || (n == 0 && ssh_channel_is_eof(link->channel)) ||
	    (n == 0 && ssh_channel_is_closed(link->channel))) {
		link->got_eof = true;
		(void)shutdown(link->fd, SHUT_WR);
	}
	return n > 0;
}

static bool
drain_down(TunnelLink *link)
{
	Buffer *down = &link->down;

	if (is_empty(down))
		return false;
	const ssize_t n = send(link->fd, down->bytes + down->start,
	    down->end - down->start, MSG_NOSIGNAL);
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		/* Nobody reads any more: let the rest go. */
		down->start = down->end;
		link->got_eof = true;
	}
	if (n <= 0)
		return false;
	down->start += (size_t)n;
	return true;
}

bool
tunnel_link_pump(
    TunnelLink *link, const TunnelEnd *end, bool hung_up, char **problem)
{
	if (!link->open && !open_channel(link, end, problem))
		return false;
	if (!link->open)
		return !hung_up;

	bool moved = true;
	while (moved) {
		moved = fill_up(link);
		moved |= drain_up(link);
		moved |= fill_down(link);
		moved |= drain_down(link);
	}
	const bool quiet = is_empty(&link->up) && is_empty(&link->down);
	/* A client that is gone altogether waits for nothing. */
	if (hung_up && link->sent_eof)
		return !is_empty(&link->up);
	return !(quiet && link->got_eof);
}
