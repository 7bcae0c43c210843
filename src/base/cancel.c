#include "base/cancel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/error.h"

struct Cancel {
	atomic_int level;
	int pipe[2]; /* one byte for each request; never drained */
};

Cancel *
cancel_new(GError **error)
{
	g_autoptr(Cancel) cancel = g_new0(Cancel, 1);

	cancel->pipe[0] = cancel->pipe[1] = -1;
	if (pipe2(cancel->pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "cannot make a pipe: %s", g_strerror(errno));
		return NULL;
	}
	return g_steal_pointer(&cancel);
}

void
cancel_free(Cancel *cancel)
{
	if (cancel == NULL)
		return;
	for (int i = 0; i < 2; i++)
		if (cancel->pipe[i] >= 0)
			(void)close(cancel->pipe[i]);
	g_free(cancel);
}

void
cancel_request(Cancel *cancel)
{
	const int saved = errno;

	atomic_fetch_add(&cancel->level, 1);
	/* A full pipe is readable already, which is all that is wanted. */
	if (write(cancel->pipe[1], "", 1) < 0)
		errno = saved;
	errno = saved;
}

int
cancel_level(const Cancel *cancel)
{
	return cancel == NULL ? 0 : atomic_load(&cancel->level);
}

int
cancel_fd(const Cancel *cancel)
{
	return cancel == NULL ? -1 : cancel->pipe[0];
}

bool
cancel_check(const Cancel *cancel, GError **error)
{
	if (cancel_level(cancel) == 0)
		return true;
	g_set_error_literal(
	    error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED, "interrupted");
	return false;
}

bool
cancel_sleep(const Cancel *cancel, Deadline deadline, GError **error)
{
	struct pollfd wake = { .fd = cancel_fd(cancel), .events = POLLIN };

	while (cancel_level(cancel) == 0 && !deadline_passed(deadline))
		(void)poll(&wake, 1, deadline_left_ms(deadline));
	return cancel_check(cancel, error);
}
