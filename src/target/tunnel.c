#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "target/ssh_session.h"
#include "target/tunnel_link.h"

enum {
	LINKS_MAX = 16,
	BACKLOG = 16,
	PATH_MAX_BYTES = 107, /* of a Unix socket, without its NUL */
	TURN_MS = 200,        /* a missed wake-up costs no more than this */
};

struct Tunnel {
	/* The thread's own from its start to its end. */
	Ssh *ssh;
	GPtrArray *links; /* TunnelLink */
	int listener;
	/* Not changed while the thread runs. */
	char *directory;
	char *path;
	char *remote_socket; /* or NULL */
	char *remote_host;
	int remote_port;
	int wake[2]; /* a pipe; closing its second end ends the thread */
	pthread_t thread;
	bool running;
	pthread_mutex_t lock; /* guards the rest */
	char *problem;
	bool refused; /* problem is that the host refused the last channel */
	bool lost;    /* its session is gone */
};

static void
note_problem(Tunnel *tunnel, char *problem, bool refused)
{
	(void)pthread_mutex_lock(&tunnel->lock);
	g_free(tunnel->problem);
	tunnel->problem = problem;
	tunnel->refused = refused;
	(void)pthread_mutex_unlock(&tunnel->lock);
}

char *
tunnel_problem(Tunnel *tunnel)
{
	(void)pthread_mutex_lock(&tunnel->lock);
	char *problem = g_strdup(tunnel->problem);
	(void)pthread_mutex_unlock(&tunnel->lock);
	return problem;
}

bool
tunnel_refused(Tunnel *tunnel)
{
	(void)pthread_mutex_lock(&tunnel->lock);
	const bool refused = tunnel->refused;
	(void)pthread_mutex_unlock(&tunnel->lock);
	return refused;
}

bool
tunnel_lost(Tunnel *tunnel)
{
	(void)pthread_mutex_lock(&tunnel->lock);
	const bool lost = tunnel->lost;
	(void)pthread_mutex_unlock(&tunnel->lock);
	return lost;
}

static void
note_lost(Tunnel *tunnel)
{
	note_problem(tunnel,
	    g_strdup_printf(
		"the session to %s is gone", tunnel->ssh->plan->label),
	    false);
	(void)pthread_mutex_lock(&tunnel->lock);
	tunnel->lost = true;
	(void)pthread_mutex_unlock(&tunnel->lock);
}

static void
accept_one(Tunnel *tunnel)
{
	const int fd =
	    accept4(tunnel->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return;
	if (tunnel->ssh->broken || tunnel->links->len >= LINKS_MAX) {
		if (tunnel->ssh->broken)
			note_lost(tunnel);
		else
			note_problem(tunnel,
			    g_strdup_printf(
				"more than %d connections", LINKS_MAX),
			    false);
		/* Who is told so may ask at once. */
		(void)close(fd);
		return;
	}
	TunnelLink *link = tunnel_link_new(tunnel->ssh, fd);
	if (link != NULL)
		g_ptr_array_add(tunnel->links, link);
}

/* Lets every connection go on; fds are those of the links, in order. */
static void
pump(Tunnel *tunnel, const struct pollfd *fds, guint n)
{
	const TunnelEnd end = {
		.socket = tunnel->remote_socket,
		.host = tunnel->remote_host,
		.port = tunnel->remote_port,
	};

	for (guint i = tunnel->links->len; i-- > 0;) {
		TunnelLink *link = g_ptr_array_index(tunnel->links, i);
		const bool hung_up =
		    i < n && (fds[i].revents & (POLLHUP | POLLERR)) != 0;
		const bool was_open = tunnel_link_is_open(link);
		char *problem = NULL;
		const bool goes_on = !tunnel->ssh->broken &&
		    tunnel_link_pump(link, &end, hung_up, &problem);
		if (!was_open && tunnel_link_is_open(link))
			note_problem(tunnel, NULL, false);
		if (goes_on)
			continue;
		if (tunnel->ssh->broken)
			note_lost(tunnel);
		else if (problem != NULL)
			note_problem(tunnel, g_steal_pointer(&problem), true);
		g_free(problem);
		g_ptr_array_remove_index(tunnel->links, i);
	}
}

static void *
tunnel_thread(void *data)
{
	Tunnel *tunnel = data;
	Ssh *ssh = tunnel->ssh;
	struct pollfd fds[3 + LINKS_MAX];

	ssh_quiet();
	for (;;) {
		const bool pending = !ssh->broken &&
		    (ssh_get_poll_flags(ssh->session) & SSH_WRITE_PENDING);
		const guint n = tunnel->links->len;
		fds[0] = (struct pollfd){ tunnel->wake[0], POLLIN, 0 };
		fds[1] = (struct pollfd){ tunnel->listener, POLLIN, 0 };
		fds[2] = (struct pollfd){
			.fd = ssh->broken ? -1 : ssh_get_fd(ssh->session),
			.events = (short)(pending ? POLLIN | POLLOUT : POLLIN),
		};
		for (guint i = 0; i < n; i++) {
			const TunnelLink *link =
			    g_ptr_array_index(tunnel->links, i);
			fds[3 + i] = (struct pollfd){ tunnel_link_fd(link),
				tunnel_link_events(link), 0 };
		}
		(void)poll(fds, 3 + n, n > 0 ? TURN_MS : -1);
		if (fds[0].revents != 0)
			return NULL;
		if (fds[1].revents != 0)
			accept_one(tunnel);
		if (!ssh->broken)
			ssh_turn(ssh, 0, -1);
		pump(tunnel, fds + 3, n);
	}
}

/* A private directory whose socket's path is short enough, and the path. */
static bool
make_directory(Tunnel *tunnel, GError **error)
{
	const char *const roots[] = { g_get_tmp_dir(), "/tmp" };
	const char *root = roots[0];

	if (strlen(root) + strlen("/abrun.XXXXXX/s") > PATH_MAX_BYTES)
		root = roots[1];
	char *directory = g_strconcat(root, "/abrun.XXXXXX", NULL);
	if (mkdtemp(directory) == NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "cannot make a directory for the tunnel under %s: %s", root,
		    g_strerror(errno));
		g_free(directory);
		return false;
	}
	tunnel->directory = directory;
	tunnel->path = g_strconcat(directory, "/s", NULL);
	return true;
}

static bool
listen_there(Tunnel *tunnel, GError **error)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	(void)g_strlcpy(
	    address.sun_path, tunnel->path, sizeof(address.sun_path));
	tunnel->listener =
	    socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (tunnel->listener >= 0 &&
	    bind(tunnel->listener, (const struct sockaddr *)&address,
		sizeof(address)) == 0 &&
	    listen(tunnel->listener, BACKLOG) == 0 &&
	    pipe2(tunnel->wake, O_CLOEXEC) == 0)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
	    "cannot listen on %s for the tunnel: %s", tunnel->path,
	    g_strerror(errno));
	return false;
}

Tunnel *
tunnel_open(const Host *host, const char *remote_socket,
    const char *remote_host, int remote_port, Deadline deadline,
    const Cancel *cancel, GError **error)
{
	g_autoptr(Tunnel) tunnel = g_new0(Tunnel, 1);

	tunnel->listener = tunnel->wake[0] = tunnel->wake[1] = -1;
	tunnel->links =
	    g_ptr_array_new_with_free_func((GDestroyNotify)tunnel_link_free);
	tunnel->remote_socket = g_strdup(remote_socket);
	tunnel->remote_host = g_strdup(remote_host);
	tunnel->remote_port = remote_port;
	(void)pthread_mutex_init(&tunnel->lock, NULL);
	tunnel->ssh = ssh_open(host, deadline, cancel, NULL, error);
	if (tunnel->ssh == NULL || !make_directory(tunnel, error) ||
	    !listen_there(tunnel, error))
		return NULL;
	const int reason =
	    pthread_create(&tunnel->thread, NULL, tunnel_thread, tunnel);
	if (reason != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "cannot start a thread for the tunnel: %s",
		    g_strerror(reason));
		return NULL;
	}
	tunnel->running = true;
	return g_steal_pointer(&tunnel);
}

static void
close_fd(int fd)
{
	if (fd >= 0)
		(void)close(fd);
}

void
tunnel_close(Tunnel *tunnel)
{
	if (tunnel == NULL)
		return;
	close_fd(tunnel->wake[1]);
	if (tunnel->running)
		(void)pthread_join(tunnel->thread, NULL);
	close_fd(tunnel->wake[0]);
	close_fd(tunnel->listener);
	g_ptr_array_unref(tunnel->links);
	ssh_close(tunnel->ssh);
	if (tunnel->path != NULL)
		(void)unlink(tunnel->path);
	if (tunnel->directory != NULL)
		(void)rmdir(tunnel->directory);
	g_free(tunnel->path);
	g_free(tunnel->directory);
	g_free(tunnel->remote_socket);
	g_free(tunnel->remote_host);
	(void)pthread_mutex_destroy(&tunnel->lock);
	g_free(tunnel->problem);
	g_free(tunnel);
}

const char *
tunnel_socket(const Tunnel *tunnel)
{
	return tunnel->path;
}
