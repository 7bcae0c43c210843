#include "cmd/status_text.h"

#include <stdlib.h>

#include <jansson.h>

#include "base/text.h"

/* Of the events the last are shown; of a foreign text so much. */
enum { EVENTS_SHOWN = 5, TEXT_BYTES = 300 };

/* "16:21:25", with the day unless it is today's; free it. */
static char *
time_words(double at, double now)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc((gint64)at);
	g_autoptr(GDateTime) today = g_date_time_new_from_unix_utc((gint64)now);

	if (time == NULL || today == NULL)
		return g_strdup("?");
	const bool same =
	    g_date_time_get_year(time) == g_date_time_get_year(today) &&
	    g_date_time_get_day_of_year(time) ==
		g_date_time_get_day_of_year(today);
	return g_date_time_format(
	    time, same ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S");
}

static char *
seconds_words(double seconds)
{
	return text_duration((int64_t)(MAX(seconds, 0)) * 1000);
}

static void
add_flights(GString *text, const Status *status, double now)
{
	for (guint i = 0; i < status->flights->len; i++) {
		const StatusFlight *flight = status->flights->pdata[i];
		g_autofree char *time = seconds_words(now - flight->began);
		g_autofree char *cell =
		    text_printable(flight->cell, TEXT_BYTES);
		g_string_append_printf(text,
		    "now      %s: round %zu, %s, for %s, %zu %s done",
		    flight->target, flight->round, cell, time, flight->runs,
		    flight->runs == 1 ? "run" : "runs");
		if (flight->attempt > 1)
			g_string_append_printf(
			    text, ", attempt %d", flight->attempt);
		g_string_append_c(text, '\n');
	}
	if (status->state == STATUS_RUNNING && status->flights->len == 0)
		g_string_append(text, "now      between two visits\n");
}

static void
add_waits(GString *text, const Status *status, double now)
{
	for (guint i = 0; i < status->targets->len; i++) {
		const StatusTarget *target = status->targets->pdata[i];
		if (target->given_up != NULL) {
			g_autofree char *why =
			    text_printable(target->given_up, TEXT_BYTES);
			g_string_append_printf(
			    text, "gone     %s: %s\n", target->name, why);
		} else if (target->lost_since > 0) {
			g_autofree char *time =
			    seconds_words(now - target->lost_since);
			g_string_append_printf(text,
			    "waiting  %s: for the host, since %s\n",
			    target->name, time);
		}
	}
}

/* "failed   TIMEOUT (2 visits, 1 run), NO_RESULT (3 runs)" */
static void
add_failures(GString *text, const Status *status)
{
	for (guint i = 0; i < status->failures->len; i++) {
		const StatusFailure *failure = status->failures->pdata[i];
		g_string_append_printf(
		    text, "%s%s (", i == 0 ? "failed   " : ", ", failure->name);
		if (failure->visits > 0)
			g_string_append_printf(text, "%zu %s", failure->visits,
			    failure->visits == 1 ? "visit" : "visits");
		if (failure->runs > 0)
			g_string_append_printf(text, "%s%zu %s",
			    failure->visits > 0 ? ", " : "", failure->runs,
			    failure->runs == 1 ? "run" : "runs");
		g_string_append_c(text, ')');
	}
	if (status->failures->len > 0)
		g_string_append(text, ": see abrun-troubleshooting(7)\n");
}

static void
add_events(GString *text, const Status *status, double now)
{
	const StoreData *data = status->data;
	const guint n = data->events->len;

	for (guint i = n > EVENTS_SHOWN ? n - EVENTS_SHOWN : 0; i < n; i++) {
		const DataEvent *event = data->events->pdata[i];
		g_autofree char *time = time_words(event->at, now);
		g_autofree char *words =
		    text_printable(event->text, TEXT_BYTES);
		const char *target = event->target < data->targets->len
		    ? data->targets->pdata[event->target]
		    : NULL;
		g_string_append_printf(text, "event    %s %s%s%s: %s\n", time,
		    target != NULL ? target : "", target != NULL ? ": " : "",
		    event->kind, words);
	}
}

static void
add_left(GString *text, const Status *status)
{
	for (guint i = 0; i < status->data->left->len; i++)
		g_string_append_printf(text, "changed  %s\n",
		    (const char *)status->data->left->pdata[i]);
	if (status->data->left->len > 0 && status->state != STATUS_RUNNING)
		g_string_append_printf(text,
		    "         (abrun restore %s puts these back)\n",
		    status->data->directory);
}

static void
add_targets(GString *text, const Status *status)
{
	for (guint i = 0; i < status->targets->len; i++) {
		const StatusTarget *target = status->targets->pdata[i];
		const size_t done =
		    target->valid + target->invalid + target->failed;
		g_string_append_printf(text, "         %s: %zu of %zu\n",
		    target->name, done, target->planned);
	}
}

char *
status_text(const Status *status, double now)
{
	GString *text = g_string_new(NULL);
	const size_t done = status->valid + status->invalid + status->failed;

	g_string_append_printf(text, "%s: %s, round %zu of %zu\n",
	    status->data->directory, status_state_name(status->state),
	    status->round, status->rounds);
	if (status->holder != NULL)
		g_string_append_printf(text, "by       %s\n", status->holder);
	g_string_append_printf(text,
	    "visits   %zu of %zu done: %zu valid, %zu invalid, %zu failed",
	    done, status->planned, status->valid, status->invalid,
	    status->failed);
	if (status->superseded > 0)
		g_string_append_printf(text,
		    "; %zu more superseded, made again", status->superseded);
	g_string_append_c(text, '\n');
	if (status->targets->len > 1)
		add_targets(text, status);
	g_string_append_printf(text, "runs     %zu good, %zu failed\n",
	    status->good_runs, status->failed_runs);
	add_failures(text, status);
	add_flights(text, status, now);
	add_waits(text, status, now);
	if (status->state != STATUS_FINISHED) {
		g_autofree char *left = status->left_ms < 0
		    ? g_strdup("not known yet")
		    : text_duration(status->left_ms / 1000 * 1000);
		g_string_append_printf(text, "left     %s\n", left);
	}
	g_autofree char *last = time_words(status->data->ended, now);
	g_string_append_printf(text, "stored   last at %s UTC\n", last);
	add_events(text, status, now);
	add_left(text, status);
	return g_string_free(text, FALSE);
}

static json_t *
number(size_t value)
{
	return json_integer((json_int_t)value);
}

/* JSON's null for what is not known. */
static json_t *
string(const char *value)
{
	json_t *text = value == NULL ? NULL : json_string(value);

	return text == NULL ? json_null() : text;
}

static json_t *
seconds_left(int64_t ms)
{
	return ms < 0 ? json_null() : json_real((double)ms / 1000);
}

static json_t *
targets_json(const Status *status)
{
	json_t *list = json_array();

	for (guint i = 0; i < status->targets->len; i++) {
		const StatusTarget *target = status->targets->pdata[i];
		(void)json_array_append_new(list,
		    json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			"name", string(target->name), "planned",
			number(target->planned), "valid", number(target->valid),
			"invalid", number(target->invalid), "failed",
			number(target->failed), "left_s",
			seconds_left(target->left_ms), "given_up",
			string(target->given_up), "lost_since",
			target->lost_since > 0 ? json_real(target->lost_since)
					       : json_null()));
	}
	return list;
}

static json_t *
failures_json(const Status *status)
{
	json_t *list = json_array();

	for (guint i = 0; i < status->failures->len; i++) {
		const StatusFailure *failure = status->failures->pdata[i];
		(void)json_array_append_new(list,
		    json_pack("{s:o, s:o, s:o}", "failure",
			string(failure->name), "visits",
			number(failure->visits), "runs",
			number(failure->runs)));
	}
	return list;
}

static json_t *
flights_json(const Status *status)
{
	json_t *list = json_array();

	for (guint i = 0; i < status->flights->len; i++) {
		const StatusFlight *flight = status->flights->pdata[i];
		(void)json_array_append_new(list,
		    json_pack("{s:o, s:o, s:o, s:i, s:f, s:o, s:o}", "target",
			string(flight->target), "round", number(flight->round),
			"cell", string(flight->cell), "attempt",
			flight->attempt, "began", flight->began, "runs",
			number(flight->runs), "last_run_ended",
			flight->run_was > 0 ? json_real(flight->run_was)
					    : json_null()));
	}
	return list;
}

static json_t *
events_json(const Status *status)
{
	const StoreData *data = status->data;
	json_t *list = json_array();

	for (guint i = 0; i < data->events->len; i++) {
		const DataEvent *event = data->events->pdata[i];
		(void)json_array_append_new(list,
		    json_pack("{s:f, s:o, s:o, s:o}", "at", event->at, "target",
			string(event->target < data->targets->len
				? data->targets->pdata[event->target]
				: NULL),
			"kind", string(event->kind), "text",
			string(event->text)));
	}
	return list;
}

static json_t *
left_json(const Status *status)
{
	json_t *list = json_array();

	for (guint i = 0; i < status->data->left->len; i++)
		(void)json_array_append_new(
		    list, string(status->data->left->pdata[i]));
	return list;
}

char *
status_json(const Status *status)
{
	const StoreData *data = status->data;
	json_t *root = json_object();
	const struct {
		const char *key;
		json_t *value;
	} members[] = {
		{ "directory", string(data->directory) },
		{ "matrix", string(data->name) },
		{ "title", string(data->title) },
		{ "identity", string(data->identity) },
		{ "version", string(data->version) },
		{ "state", string(status_state_name(status->state)) },
		{ "holder", string(status->holder) },
		{ "pid",
		    status->pid > 0 ? json_integer(status->pid) : json_null() },
		{ "since", string(status->since) },
		{ "began", json_real(data->began) },
		{ "last_stored", json_real(data->ended) },
		{ "rounds", number(status->rounds) },
		{ "round", number(status->round) },
		{ "planned", number(status->planned) },
		{ "valid", number(status->valid) },
		{ "invalid", number(status->invalid) },
		{ "failed", number(status->failed) },
		{ "superseded", number(status->superseded) },
		{ "runs_good", number(status->good_runs) },
		{ "runs_failed", number(status->failed_runs) },
		{ "left_s", seconds_left(status->left_ms) },
		{ "targets", targets_json(status) },
		{ "failures", failures_json(status) },
		{ "in_flight", flights_json(status) },
		{ "events", events_json(status) },
		{ "changed", left_json(status) },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(members); i++)
		(void)json_object_set_new(
		    root, members[i].key, members[i].value);
	char *dumped = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(root);
	char *text = g_strconcat(dumped == NULL ? "{}" : dumped, "\n", NULL);
	free(dumped);
	return text;
}
