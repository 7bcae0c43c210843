#include "run/campaign.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "run/worker.h"

/* How often main looks whether all workers have ended. */
enum { LOOK_MS = 100 };

typedef struct {
	Worker worker;
	pthread_t thread;
	bool started;
	bool ended;
} Lane;

static void
lane_init(Lane *lane, size_t index, const Plan *plan, Store *store,
    Progress *progress, Cancel *work, const Cancel *cleanup)
{
	lane->worker = (Worker){
		.plan = plan,
		.store = store,
		.progress = progress,
		.work = work,
		.cleanup = cleanup,
		.index = index,
		.rounds = (size_t)plan->matrix->design.rounds,
	};
	worker_init(&lane->worker);
}

static bool
lane_start(Lane *lane)
{
	const int failure =
	    pthread_create(&lane->thread, NULL, worker_main, &lane->worker);

	if (failure != 0)
		log_error("cannot start a thread: %s", g_strerror(failure));
	lane->started = failure == 0;
	return lane->started;
}

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

static void
on_signal(int number, bool again, Cancel *work, Cancel *cleanup)
{
	if (again) {
		log_error("%s again: leaving at once; what is left running or "
			  "changed is undone when the same matrix is run again",
		    strsignal(number));
		cancel_request(cleanup);
		_exit(CAMPAIGN_INTERRUPTED);
	}
	log_error("%s: ending the current run and restoring; once more "
		  "leaves at once",
	    strsignal(number));
	cancel_request(work);
}

/* Returns when all threads have ended. */
static void
attend(GArray *lanes, Cancel *work, Cancel *cleanup)
{
	sigset_t signals;
	bool busy = true, asked = false;

	take_signals(&signals);
	while (busy) {
		const struct timespec wait = { .tv_nsec = LOOK_MS * 1000000L };
		const int number = sigtimedwait(&signals, NULL, &wait);
		if (number > 0) {
			on_signal(number, asked, work, cleanup);
			asked = true;
		}
		busy = false;
		for (guint i = 0; i < lanes->len; i++) {
			Lane *lane = &g_array_index(lanes, Lane, i);
			if (lane->started && !lane->ended)
				lane->ended =
				    pthread_tryjoin_np(lane->thread, NULL) == 0;
			busy = busy || (lane->started && !lane->ended);
		}
	}
}

static size_t
visits_in_round(const Plan *plan)
{
	g_autoptr(PlanRound) round = plan_round(plan, 1);
	size_t visits = 0;

	for (size_t b = 0; b < round->n_blocks; b++)
		visits += round->blocks[b].n_visits;
	return visits;
}

static bool
any(const GArray *lanes, AbrunError code)
{
	for (guint i = 0; i < lanes->len; i++) {
		const Lane *lane = &g_array_index(lanes, Lane, i);
		if (g_error_matches(lane->worker.end, ABRUN_ERROR, code))
			return true;
	}
	return false;
}

CampaignEnd
campaign_judge(const Plan *plan, Store *store)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(StoreData) data = store_read(store, &failure);
	g_autoptr(GHashTable) valid =
	    g_hash_table_new(g_int64_hash, g_int64_equal);
	size_t good_runs = 0, bad_runs = 0;

	if (data == NULL) {
		log_error("%s", failure->message);
		return CAMPAIGN_NOT_STORED;
	}
	for (guint i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (visit->status == VISIT_VALID)
			(void)g_hash_table_add(valid, &visit->id);
	}
	/* Those of a visit that was made again do not count. */
	for (guint i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		if (!g_hash_table_contains(valid, &run->visit))
			continue;
		good_runs += run->good && !run->warmup;
		bad_runs += !run->good;
	}
	const size_t planned = visits_in_round(plan) *
	    (size_t)plan->matrix->design.rounds * plan->matrix->targets->len;
	if (good_runs == 0)
		return CAMPAIGN_NOTHING;
	return g_hash_table_size(valid) < planned || bad_runs > 0
	    ? CAMPAIGN_SOME_FAILED
	    : CAMPAIGN_DONE;
}

CampaignEnd
campaign_run(const Plan *plan, Store *store)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(Cancel) work = cancel_new(&failure);
	g_autoptr(Cancel) cleanup = work == NULL ? NULL : cancel_new(&failure);
	const size_t n = plan->matrix->targets->len;
	g_autoptr(GArray) lanes = g_array_new(FALSE, TRUE, sizeof(Lane));
	sigset_t signals;

	if (cleanup == NULL) {
		log_error("%s", failure->message);
		return CAMPAIGN_NOTHING;
	}
	g_autoptr(Progress) progress = progress_new(
	    visits_in_round(plan) * (size_t)plan->matrix->design.rounds * n);
	take_signals(&signals);
	/* Found once and kept, by means ThreadSanitizer cannot follow. */
	(void)g_get_home_dir();
	(void)abrun_error_quark();
	(void)g_array_set_size(lanes, (guint)n);
	for (guint i = 0; i < n; i++) {
		Lane *lane = &g_array_index(lanes, Lane, i);
		lane_init(lane, i, plan, store, progress, work, cleanup);
		if (!lane_start(lane))
			break;
	}
	attend(lanes, work, cleanup);
	log_progress(NULL);

	const CampaignEnd end = any(lanes, ABRUN_ERROR_STORE)
	    ? CAMPAIGN_NOT_STORED
	    : cancel_level(work) > 0 ? CAMPAIGN_INTERRUPTED
				     : campaign_judge(plan, store);
	for (guint i = 0; i < n; i++)
		worker_clear(&g_array_index(lanes, Lane, i).worker);
	return end;
}
