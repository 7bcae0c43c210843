#include "run/attend.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "run/campaign.h"
#include "run/power.h"

/* How often main looks whether all workers have ended. */
enum { LOOK_MS = 100 };

/* nohup's wish counts; a signal that is blocked would else come through. */
static void
take_signals(sigset_t *set)
{
	struct sigaction hangup;

	(void)sigemptyset(set);
	(void)sigaddset(set, SIGINT);
	(void)sigaddset(set, SIGTERM);
	if (sigaction(SIGHUP, NULL, &hangup) == 0 &&
	    hangup.sa_handler != SIG_IGN)
		(void)sigaddset(set, SIGHUP);
	(void)pthread_sigmask(SIG_BLOCK, set, NULL);
}

void
attend_block(void)
{
	sigset_t signals;

	take_signals(&signals);
	/* Found once and kept, by means ThreadSanitizer cannot follow. */
	(void)g_get_home_dir();
	(void)abrun_error_quark();
}

bool
attend_start(Attended *attended, void *(*work)(void *), void *argument)
{
	const int failure =
	    pthread_create(&attended->thread, NULL, work, argument);

	if (failure != 0)
		log_error("cannot start a thread: %s", g_strerror(failure));
	attended->started = failure == 0;
	return attended->started;
}

/* At once, but for a host that only this process turns on again. */
static void
leave(bool at_once)
{
	if (at_once || !power_is_any_cut())
		_exit(CAMPAIGN_INTERRUPTED);
}

/* The nth one. */
static void
on_signal(
    int number, int nth, Cancel *work, Cancel *cleanup, const char *how_undone)
{
	if (nth == 1) {
		log_error("%s: ending the current run and restoring; once more "
			  "leaves at once",
		    strsignal(number));
		cancel_request(work);
		return;
	}
	log_error("%s again: leaving at once; what is left running or "
		  "changed is undone %s",
	    strsignal(number), how_undone);
	cancel_request(cleanup);
	leave(nth > 2);
	log_error("the power of a host is off: it is turned on first; once "
		  "more does not wait for that");
}

/* Whether some of them still work. */
static bool
is_busy(const GPtrArray *all)
{
	bool busy = false;

	for (guint i = 0; i < all->len; i++) {
		Attended *one = all->pdata[i];
		if (one->started && !one->ended)
			one->ended = pthread_tryjoin_np(one->thread, NULL) == 0;
		busy = busy || (one->started && !one->ended);
	}
	return busy;
}

void
attend(
    const GPtrArray *all, Cancel *work, Cancel *cleanup, const char *how_undone)
{
	sigset_t signals;
	bool busy = true;
	int asked = 0;

	take_signals(&signals);
	while (busy) {
		const struct timespec wait = { .tv_nsec = LOOK_MS * 1000000L };
		const int number = sigtimedwait(&signals, NULL, &wait);
		if (number > 0)
			on_signal(number, ++asked, work, cleanup, how_undone);
		busy = is_busy(all);
		if (asked > 1)
			leave(false);
	}
}
