#include "target/ssh_proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/error.h"
#include "base/text.h"

enum {
	WORDS_BYTES = 400,   /* of its standard error, for a message */
	ENDING_MS = 1000,    /* from SIGTERM to SIGKILL */
	ENDING_STEP_MS = 10, /* waitpid() has no deadline of its own */
};

struct SshProxy {
	GPid pid;
	int words; /* its standard error, a file in memory */
};

/*
 * Its own session: an interrupt of the terminal must not cut our link.  What
 * abrun blocks in its threads is not blocked there, or SIGTERM did nothing.
 * Between fork and exec: only what is async-signal-safe.
 */
static void
leave_terminal(gpointer data)
{
	sigset_t none;

	(void)data;
	(void)setsid();
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGXFSZ, SIG_DFL);
}

int
ssh_proxy_start(const SshPlan *plan, SshProxy **proxy, GError **error)
{
	g_autoptr(SshProxy) started = g_new0(SshProxy, 1);
	g_autoptr(GError) reason = NULL;
	int ends[2];

	started->words = memfd_create("abrun-proxy", MFD_CLOEXEC);
	if (started->words < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "cannot start the proxy for %s: %s", plan->alias,
		    g_strerror(errno));
		return -1;
	}
	const gboolean ok = g_spawn_async_with_fds(NULL, plan->proxy, NULL,
	    G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, leave_terminal,
	    NULL, &started->pid, ends[1], ends[1], started->words, &reason);
	(void)close(ends[1]);
	if (!ok) {
		(void)close(ends[0]);
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "cannot start the proxy for %s: %s", plan->alias,
		    reason->message);
		return -1;
	}
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*proxy = g_steal_pointer(&started);
	return ends[0];
}

void
ssh_proxy_free(SshProxy *proxy)
{
	if (proxy == NULL)
		return;
	if (proxy->pid > 0) {
		const Deadline deadline = deadline_in(ENDING_MS);
		(void)kill(-proxy->pid, SIGTERM);
		while (waitpid(proxy->pid, NULL, WNOHANG) == 0) {
			if (deadline_passed(deadline))
				(void)kill(-proxy->pid, SIGKILL);
			(void)cancel_sleep(
			    NULL, deadline_in(ENDING_STEP_MS), NULL);
		}
	}
	if (proxy->words >= 0)
		(void)close(proxy->words);
	g_free(proxy);
}

char *
ssh_proxy_words(const SshProxy *proxy)
{
	char words[WORDS_BYTES + 1];
	const ssize_t n = pread(proxy->words, words, WORDS_BYTES, 0);

	words[n > 0 ? n : 0] = '\0';
	return text_printable(g_strchomp(words), WORDS_BYTES);
}
