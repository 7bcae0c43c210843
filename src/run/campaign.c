#include "run/campaign.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "run/attend.h"
#include "run/lock.h"
#include "run/settle.h"
#include "run/turn.h"
#include "run/worker.h"

typedef struct {
	Worker worker;
	Attended attended;
} Lane;

static void
lane_init(Lane *lane, size_t index, const Plan *plan, Store *store,
    Progress *progress, Turns *turns, Meeting *meeting, SharedLock *shared,
    Cancel *work, const Cancel *cleanup)
{
	lane->worker = (Worker){
		.plan = plan,
		.store = store,
		.progress = progress,
		.work = work,
		.cleanup = cleanup,
		.turns = turns,
		.meeting = meeting,
		.shared = shared,
		.index = index,
		.serves = index,
		.rounds = (size_t)plan->matrix->design.rounds,
	};
	worker_init(&lane->worker);
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
	/* Rounds that design.stop has added or taken away are in the store. */
	const size_t planned = visits_in_round(plan) * (size_t)data->rounds *
	    plan->matrix->targets->len;
	if (good_runs == 0)
		return CAMPAIGN_NOTHING;
	return g_hash_table_size(valid) < planned || bad_runs > 0
	    ? CAMPAIGN_SOME_FAILED
	    : CAMPAIGN_DONE;
}

/* False where that cannot be stored, which is told. */
static bool
settle(const GArray *lanes, Store *store)
{
	g_autoptr(GError) failure = NULL;
	g_autofree size_t *stopped = g_new0(size_t, lanes->len);

	for (guint i = 0; i < lanes->len; i++) {
		const Lane *lane = &g_array_index(lanes, Lane, i);
		if (lane->worker.end == NULL)
			stopped[i] = lane->worker.stopped;
	}
	if (settle_rounds(store, stopped, lanes->len, &failure))
		return true;
	log_error("%s", failure->message);
	return false;
}

CampaignEnd
campaign_run(const Plan *plan, Store *store)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(Cancel) work = cancel_new(&failure);
	g_autoptr(Cancel) cleanup = work == NULL ? NULL : cancel_new(&failure);
	const size_t n = plan->matrix->targets->len;
	g_autoptr(GArray) lanes = g_array_new(FALSE, TRUE, sizeof(Lane));
	g_autoptr(GPtrArray) attended = g_ptr_array_new();

	if (cleanup == NULL) {
		log_error("%s", failure->message);
		return CAMPAIGN_NOTHING;
	}
	g_autoptr(Progress) progress = progress_new(
	    visits_in_round(plan) * (size_t)plan->matrix->design.rounds * n);
	g_autoptr(Turns) turns = turns_new();
	g_autoptr(Meeting) meeting = meeting_new(n);
	SharedLock *shared = shared_locks_new(plan->matrix);
	g_autofree char *how_undone =
	    g_strdup_printf("when the same matrix is run again, or by abrun "
			    "restore %s",
		store_directory(store));
	attend_block();
	(void)g_array_set_size(lanes, (guint)n);
	for (guint i = 0; i < n; i++) {
		Lane *lane = &g_array_index(lanes, Lane, i);
		lane_init(lane, i, plan, store, progress, turns, meeting,
		    shared, work, cleanup);
		if (!attend_start(
			&lane->attended, worker_main, &lane->worker)) {
			meeting_leave(meeting, i, false);
			break;
		}
		g_ptr_array_add(attended, &lane->attended);
	}
	attend(attended, work, cleanup, how_undone);
	log_progress(NULL);

	const CampaignEnd end = any(lanes, ABRUN_ERROR_STORE)
	    ? CAMPAIGN_NOT_STORED
	    : cancel_level(work) > 0 ? CAMPAIGN_INTERRUPTED
	    : settle(lanes, store)   ? campaign_judge(plan, store)
				     : CAMPAIGN_NOT_STORED;
	for (guint i = 0; i < n; i++)
		worker_clear(&g_array_index(lanes, Lane, i).worker);
	shared_locks_free(shared, plan->matrix);
	return end;
}
