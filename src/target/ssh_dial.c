#include "target/ssh_dial.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "target/ssh_proxy.h"

enum {
	KEEP_IDLE_S = 15, /* a dead host is noticed after about 30 s */
	KEEP_INTERVAL_S = 5,
	KEEP_COUNT = 3,
	USER_TIMEOUT_MS = 30000,
};

/*
 * A name being looked up by a thread of its own, because getaddrinfo() obeys
 * no deadline.  Whoever lets go last frees it.
 */
typedef struct {
	pthread_mutex_t lock; /* guards references, found and status */
	int references;
	struct addrinfo *found;
	int status;
	int done[2]; /* a pipe: readable when the answer is there */
	char *host;
	char port[8];
	int family;
} Lookup;

static void
lookup_release(Lookup *lookup)
{
	(void)pthread_mutex_lock(&lookup->lock);
	const int left = --lookup->references;
	(void)pthread_mutex_unlock(&lookup->lock);
	if (left > 0)
		return;
	if (lookup->found != NULL)
		freeaddrinfo(lookup->found);
	(void)close(lookup->done[0]);
	(void)close(lookup->done[1]);
	(void)pthread_mutex_destroy(&lookup->lock);
	g_free(lookup->host);
	g_free(lookup);
}

static void *
lookup_thread(void *data)
{
	Lookup *lookup = data;
	const struct addrinfo hints = {
		.ai_family = lookup->family,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found = NULL;
	const int status =
	    getaddrinfo(lookup->host, lookup->port, &hints, &found);

	(void)pthread_mutex_lock(&lookup->lock);
	lookup->found = status == 0 ? found : NULL;
	lookup->status = status;
	(void)pthread_mutex_unlock(&lookup->lock);
	while (write(lookup->done[1], "", 1) < 0 && errno == EINTR)
		continue;
	lookup_release(lookup);
	return NULL;
}

static Lookup *
lookup_start(const SshPlan *plan, GError **error)
{
	Lookup *lookup = g_new0(Lookup, 1);
	pthread_attr_t attributes;
	pthread_t thread;

	lookup->references = 2;
	lookup->host = g_strdup(plan->host);
	lookup->family = plan->family;
	(void)g_snprintf(lookup->port, sizeof(lookup->port), "%d", plan->port);
	(void)pthread_mutex_init(&lookup->lock, NULL);
	lookup->done[0] = lookup->done[1] = -1;
	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	int reason = pipe2(lookup->done, O_CLOEXEC) == 0 ? 0 : errno;
	if (reason == 0)
		reason =
		    pthread_create(&thread, &attributes, lookup_thread, lookup);
	(void)pthread_attr_destroy(&attributes);
	if (reason != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "cannot look up %s: %s", plan->host, g_strerror(reason));
		lookup->references = 1;
		lookup_release(lookup);
		return NULL;
	}
	return lookup;
}

/*
 * Waits until events come to fd.  False with _TIMEOUT ("timed out") or
 * _CANCELLED; the caller puts before it what was waited for.
 */
static bool
wait_for(int fd, short events, Deadline deadline, const Cancel *cancel,
    GError **error)
{
	struct pollfd fds[] = {
		{ .fd = fd, .events = events },
		{ .fd = cancel_fd(cancel), .events = POLLIN },
	};

	for (;;) {
		if (!cancel_check(cancel, error))
			return false;
		const int n = poll(fds, 2, deadline_left_ms(deadline));
		if (n > 0 && fds[0].revents != 0)
			return true;
		if (n <= 0 && deadline_passed(deadline)) {
			g_set_error_literal(error, ABRUN_ERROR,
			    ABRUN_ERROR_TIMEOUT, "timed out");
			return false;
		}
	}
}

static void
explain_lookup(const SshPlan *plan, int status, GError **error)
{
	const char *reason = gai_strerror(status);

	if (plan->ssh_config == NULL)
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "cannot find the address of %s: %s (no ssh_config is "
		    "named for this host, so no alias file was read)",
		    plan->host, reason);
	else
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "cannot find the address of %s: %s (%s was read for %s)",
		    plan->host, reason, plan->ssh_config, plan->alias);
}

/* The addresses of the plan's host; freeaddrinfo() them. */
static struct addrinfo *
resolve(const SshPlan *plan, Deadline deadline, const Cancel *cancel,
    GError **error)
{
	Lookup *lookup = lookup_start(plan, error);
	struct addrinfo *found = NULL;

	if (lookup == NULL)
		return NULL;
	if (!wait_for(lookup->done[0], POLLIN, deadline, cancel, error)) {
		g_prefix_error(
		    error, "looking up the address of %s: ", plan->host);
	} else {
		(void)pthread_mutex_lock(&lookup->lock);
		found = g_steal_pointer(&lookup->found);
		const int status = lookup->status;
		(void)pthread_mutex_unlock(&lookup->lock);
		if (found == NULL)
			explain_lookup(plan, status, error);
	}
	lookup_release(lookup);
	return found;
}

/* A peer that vanished must not keep a command waiting for ever. */
static void
tune(int fd)
{
	const int on = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
#ifdef TCP_KEEPIDLE
	const int idle = KEEP_IDLE_S;
	const int interval = KEEP_INTERVAL_S;
	const int count = KEEP_COUNT;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	(void)setsockopt(
	    fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
#endif
#ifdef TCP_USER_TIMEOUT
	const unsigned timeout = USER_TIMEOUT_MS;
	(void)setsockopt(
	    fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof(timeout));
#endif
}

void
ssh_acknowledge(int fd)
{
#ifdef TCP_QUICKACK
	const int on = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof(on));
#else
	(void)fd;
#endif
}

static bool
bind_to(int fd, const char *address, int family, GError **error)
{
	const struct addrinfo hints = { .ai_family = family,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICHOST | AI_PASSIVE };
	struct addrinfo *found = NULL;

	if (getaddrinfo(address, NULL, &hints, &found) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "BindAddress %s is not an address of this kind", address);
		return false;
	}
	const bool ok = bind(fd, found->ai_addr, found->ai_addrlen) == 0;
	if (!ok)
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "cannot use BindAddress %s: %s", address,
		    g_strerror(errno));
	freeaddrinfo(found);
	return ok;
}

/* Waits until a connection that was begun stands or has failed. */
static bool
finish_connect(int fd, Deadline deadline, const Cancel *cancel, GError **error)
{
	int reason = 0;
	socklen_t length = sizeof(reason);

	if (!wait_for(fd, POLLOUT, deadline, cancel, error))
		return false;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &reason, &length) != 0)
		reason = errno;
	if (reason == 0)
		return true;
	g_set_error_literal(
	    error, ABRUN_ERROR, ABRUN_ERROR_HOST, g_strerror(reason));
	return false;
}

static int
connect_one(const SshPlan *plan, const struct addrinfo *address,
    Deadline deadline, const Cancel *cancel, GError **error)
{
	const int fd = socket(address->ai_family,
	    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, address->ai_protocol);

	if (fd < 0) {
		g_set_error_literal(
		    error, ABRUN_ERROR, ABRUN_ERROR_HOST, g_strerror(errno));
		return -1;
	}
	tune(fd);
	bool ok = plan->bind_address == NULL ||
	    bind_to(fd, plan->bind_address, address->ai_family, error);
	if (ok && connect(fd, address->ai_addr, address->ai_addrlen) != 0) {
		ok = errno == EINPROGRESS || errno == EINTR;
		if (!ok)
			g_set_error_literal(error, ABRUN_ERROR,
			    ABRUN_ERROR_HOST, g_strerror(errno));
		ok = ok && finish_connect(fd, deadline, cancel, error);
	}
	if (ok)
		return fd;
	(void)close(fd);
	return -1;
}

/* Tries each address with its share of the time that is left. */
static int
connect_any(const SshPlan *plan, const struct addrinfo *found,
    Deadline deadline, const Cancel *cancel, GError **error)
{
	int left = 0;
	int fd = -1;

	for (const struct addrinfo *a = found; a != NULL; a = a->ai_next)
		left++;
	for (const struct addrinfo *a = found; fd < 0 && a != NULL;
	     a = a->ai_next) {
		g_clear_error(error);
		const Deadline share = deadline_min(
		    deadline, deadline_in(deadline_left_ms(deadline) / left--));
		fd = connect_one(plan, a, share, cancel, error);
		if (cancel_level(cancel) > 0)
			break;
	}
	return fd;
}

int
ssh_dial(const SshPlan *plan, Deadline deadline, const Cancel *cancel,
    SshProxy **proxy, GError **error)
{
	if (plan->proxy != NULL)
		return ssh_proxy_start(plan, proxy, error);

	struct addrinfo *found = resolve(plan, deadline, cancel, error);
	GError *reason = NULL;
	if (found == NULL)
		return -1;
	const int fd = connect_any(plan, found, deadline, cancel, &reason);
	freeaddrinfo(found);
	if (fd < 0)
		g_propagate_prefixed_error(error, reason,
		    "cannot connect to %s port %d: ", plan->host, plan->port);
	return fd;
}
