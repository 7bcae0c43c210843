#include "run/status.h"

#include <string.h>

#include "analysis/wording.h"
#include "base/text.h"
#include "run/lost.h"
#include "store/store.h"

const char *
status_state_name(StatusState state)
{
	switch (state) {
	case STATUS_RUNNING:
		return "running";
	case STATUS_FINISHED:
		return "finished";
	case STATUS_INTERRUPTED:
		return "interrupted";
	}
	g_assert_not_reached();
}

static void
flight_free(gpointer data)
{
	StatusFlight *flight = data;

	g_free(flight->cell);
	g_free(flight);
}

void
status_free(Status *status)
{
	if (status == NULL)
		return;
	g_free(status->holder);
	g_free(status->since);
	g_ptr_array_unref(status->targets);
	g_ptr_array_unref(status->flights);
	g_ptr_array_unref(status->failures);
	g_free(status);
}

/* The words of store/lock.c, taken apart. */
static void
read_holder(Status *status)
{
	static const char process[] = "process ", since[] = " since ";
	const char *text = status->holder;

	if (text == NULL || !g_str_has_prefix(text, process))
		return;
	text += strlen(process);
	g_autofree char *pid = g_strndup(text, strcspn(text, " "));
	(void)text_parse_int(pid, 1, INT32_MAX, &status->pid, NULL);
	const char *time = g_strrstr(text, since);
	if (time != NULL)
		status->since = g_strndup(
		    time + strlen(since), strlen("2026-11-30 16:21:25"));
}

static size_t
count_servers(const StoreData *data)
{
	g_autoptr(GHashTable) servers =
	    g_hash_table_new(g_direct_hash, g_direct_equal);

	for (guint i = 0; i < data->cells->len; i++) {
		const DataCell *cell = data->cells->pdata[i];
		(void)g_hash_table_add(
		    servers, GSIZE_TO_POINTER(cell->server + 1));
	}
	return g_hash_table_size(servers);
}

static void
add_targets(Status *status)
{
	const size_t servers = count_servers(status->data);

	for (guint i = 0; i < status->data->targets->len; i++) {
		StatusTarget *target = g_new0(StatusTarget, 1);
		target->name = status->data->targets->pdata[i];
		target->planned = servers * status->rounds;
		status->planned += target->planned;
		g_ptr_array_add(status->targets, target);
	}
}

/* It has taken the time of a visit. */
static bool
has_ended(const DataVisit *visit)
{
	return visit->status == VISIT_VALID || visit->status == VISIT_INVALID ||
	    visit->status == VISIT_FAILED;
}

/* One that failed is tried again, and counts when there is no more of it. */
static bool
is_end(const DataVisit *visit)
{
	return has_ended(visit) &&
	    (visit->status != VISIT_FAILED || visit->attempt >= STORE_ATTEMPTS);
}

/* Of several visits to one place the last that came to an end counts. */
static GHashTable *
last_ends(const StoreData *data)
{
	GHashTable *ends =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (!is_end(visit) || visit->round > (size_t)data->rounds)
			continue;
		(void)g_hash_table_replace(ends,
		    g_strdup_printf("%zu/%zu/%zu", visit->target, visit->round,
			visit->server),
		    visit);
	}
	return ends;
}

static void
count_visits(Status *status)
{
	g_autoptr(GHashTable) ends = last_ends(status->data);
	GHashTableIter iter;
	gpointer value = NULL;

	g_hash_table_iter_init(&iter, ends);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const DataVisit *visit = value;
		if (visit->target >= status->targets->len)
			continue;
		StatusTarget *target = status->targets->pdata[visit->target];
		target->valid += visit->status == VISIT_VALID;
		target->invalid += visit->status == VISIT_INVALID;
		target->failed += visit->status == VISIT_FAILED;
	}
	for (guint i = 0; i < status->targets->len; i++) {
		const StatusTarget *target = status->targets->pdata[i];
		status->valid += target->valid;
		status->invalid += target->invalid;
		status->failed += target->failed;
	}
}

static void
count_runs(Status *status)
{
	for (guint i = 0; i < status->data->runs->len; i++) {
		const DataRun *run = status->data->runs->pdata[i];
		status->good_runs += !run->warmup && run->good;
		status->failed_runs += !run->warmup && !run->good;
	}
}

static void
look_at_runs(const StoreData *data, int64_t visit, StatusFlight *flight)
{
	for (guint i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		if (run->visit != visit)
			continue;
		flight->runs++;
		flight->run_was = run->began + (double)run->wall_ms / 1000;
	}
}

/* Older ones without an end were cut off. */
static void
add_flights(Status *status)
{
	const StoreData *data = status->data;

	for (guint t = 0; t < status->targets->len; t++) {
		const DataVisit *last = NULL;
		for (guint i = 0; i < data->visits->len; i++) {
			const DataVisit *visit = data->visits->pdata[i];
			if (visit->target == t)
				last = visit;
		}
		if (last == NULL || last->status != VISIT_RUNNING)
			continue;
		StatusFlight *flight = g_new0(StatusFlight, 1);
		flight->target = data->targets->pdata[t];
		flight->round = last->round;
		flight->cell = wording_server(data, last->server);
		flight->attempt = last->attempt;
		flight->began = last->began;
		look_at_runs(data, last->id, flight);
		g_ptr_array_add(status->flights, flight);
	}
}

/* What a visit of the target has taken so far, on average, times those left. */
static void
estimate(Status *status, size_t index, double now)
{
	const StoreData *data = status->data;
	StatusTarget *target = status->targets->pdata[index];
	const size_t done = target->valid + target->invalid + target->failed;
	const size_t left = target->planned > done ? target->planned - done : 0;
	double flying = 0;

	for (guint i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		if (visit->target != index)
			continue;
		flying =
		    visit->status == VISIT_RUNNING ? now - visit->began : 0;
		if (!has_ended(visit))
			continue;
		target->tries++;
		target->spent_s += visit->ended - visit->began;
	}
	target->left_ms = left == 0 ? 0 : -1;
	if (left == 0 || target->tries == 0)
		return;
	const double each = target->spent_s / (double)target->tries;
	const double rest = each * (double)left -
	    (status->state == STATUS_RUNNING ? CLAMP(flying, 0, each) : 0);
	target->left_ms = (int64_t)(rest * 1000);
}

static void
estimate_all(Status *status, double now)
{
	for (guint i = 0; i < status->targets->len; i++) {
		const StatusTarget *target = status->targets->pdata[i];
		estimate(status, i, now);
		if (status->left_ms >= 0)
			status->left_ms = target->left_ms < 0
			    ? -1
			    : MAX(status->left_ms, target->left_ms);
	}
}

/* When the last visit of a target began; 0: none did. */
static double
last_began(const StoreData *data, size_t index)
{
	double began = 0;

	for (guint i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		if (visit->target == index)
			began = MAX(began, visit->began);
	}
	return began;
}

/* What a target met since its last visit began; older events are over. */
static void
look_at_events(Status *status)
{
	const StoreData *data = status->data;

	for (guint i = 0; i < data->events->len; i++) {
		const DataEvent *event = data->events->pdata[i];
		if (event->target >= status->targets->len ||
		    event->at < last_began(data, event->target))
			continue;
		StatusTarget *target = status->targets->pdata[event->target];
		if (strcmp(event->kind, LOST_EVENT) == 0 &&
		    status->state == STATUS_RUNNING)
			target->lost_since = event->at;
		else if (strcmp(event->kind, LOST_EVENT_BACK) == 0)
			target->lost_since = 0;
		else if (strcmp(event->kind, GIVEN_UP_EVENT) == 0 ||
		    strcmp(event->kind, QUARANTINED_EVENT) == 0) {
			target->given_up = event->text;
			target->lost_since = 0;
		}
	}
}

static StatusFailure *
failure_called(Status *status, const char *name)
{
	for (guint i = 0; i < status->failures->len; i++) {
		StatusFailure *failure = status->failures->pdata[i];
		if (strcmp(failure->name, name) == 0)
			return failure;
	}
	StatusFailure *failure = g_new0(StatusFailure, 1);
	failure->name = name;
	g_ptr_array_add(status->failures, failure);
	return failure;
}

static void
count_failures(Status *status)
{
	const StoreData *data = status->data;

	for (guint i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		if (visit->failure != NULL)
			failure_called(status, visit->failure)->visits++;
	}
	for (guint i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		if (run->failure != NULL)
			failure_called(status, run->failure)->runs++;
	}
}

Status *
status_new(const StoreData *data, const char *holder, double now)
{
	Status *status = g_new0(Status, 1);

	status->data = data;
	status->holder = g_strdup(holder);
	status->rounds = (size_t)MAX(data->rounds, 0);
	status->targets = g_ptr_array_new_with_free_func(g_free);
	status->flights = g_ptr_array_new_with_free_func(flight_free);
	status->failures = g_ptr_array_new_with_free_func(g_free);
	read_holder(status);
	add_targets(status);
	count_visits(status);
	count_runs(status);
	for (guint i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		status->round = MAX(status->round, visit->round);
		status->superseded += visit->status == VISIT_SUPERSEDED;
	}
	const size_t done = status->valid + status->invalid + status->failed;
	status->state = holder != NULL ? STATUS_RUNNING
	    : done >= status->planned  ? STATUS_FINISHED
				       : STATUS_INTERRUPTED;
	if (status->state == STATUS_RUNNING)
		add_flights(status);
	estimate_all(status, now);
	look_at_events(status);
	count_failures(status);
	return status;
}
