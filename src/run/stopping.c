#include "run/stopping.h"

#include "analysis/stop.h"
#include "base/deadline.h"
#include "base/log.h"
#include "base/text.h"

static int64_t
now_s(void)
{
	return g_get_real_time() / G_USEC_PER_SEC;
}

NightClock
stopping_clock(const Worker *worker)
{
	const StopRule *stop = &worker_matrix(worker)->design.stop;

	return (NightClock){ .until = stop->until == NULL
		    ? 0
		    : stop_time(now_s(), stop->until),
		.longest_ms = plan_night_ms(worker->plan, 1) };
}

/* A single target's night is what was made of it. */
static bool
end_before(Worker *worker, size_t round, const char *text, GError **error)
{
	log_info("%s: stopped %s", worker_host(worker)->name, text);
	if (worker_matrix(worker)->targets->len > 1 || round == 1)
		return store_event(worker->store, worker->index,
		    STOP_EVENT_UNTIL, text, error);
	return store_rounds(
	    worker->store, (int)round - 1, STOP_EVENT_UNTIL, text, error);
}

bool
stopping_begin(
    Worker *worker, NightClock *clock, size_t round, bool *stop, GError **error)
{
	*stop = false;
	clock->began_us = deadline_now_us();
	if (clock->until == 0 ||
	    now_s() + clock->longest_ms / 1000 < clock->until)
		return true;
	*stop = true;
	worker->stopped = round;
	g_autofree char *takes = text_duration(clock->longest_ms);
	g_autofree char *text = g_strdup_printf(
	    "before round %zu, which could not have ended before %s: a round "
	    "takes up to %s",
	    round, worker_matrix(worker)->design.stop.until, takes);
	return end_before(worker, round, text, error);
}

void
stopping_end(NightClock *clock)
{
	const int64_t ms = (deadline_now_us() - clock->began_us) / 1000;

	clock->longest_ms = MAX(clock->longest_ms, ms);
}

/* Most nights have none: all that is stored is read for one alone. */
static bool
has_rule(const Worker *worker)
{
	g_autofree char *width =
	    store_experiment_fact(worker->store, STOP_FACT_HALFWIDTH);

	return width != NULL;
}

bool
stopping_is_due(const Worker *worker)
{
	if (!has_rule(worker))
		return false;
	g_autoptr(StoreData) data = store_read(worker->store, NULL);

	if (data == NULL)
		return false;
	g_auto(StopLook) look = stop_look(data, NULL);
	return look.text != NULL;
}

/* For all targets; counts says which of them. */
static bool
look_at_all(void *what, const bool *counts, size_t *rounds, GError **error)
{
	const Worker *worker = what;
	const size_t targets = worker_matrix(worker)->targets->len;
	g_autoptr(StoreData) data = store_read(worker->store, error);

	if (data == NULL)
		return false;
	g_auto(StopLook) look = stop_look(data, counts);
	if (look.text == NULL)
		return true;
	log_info("%s%s%s%s", targets > 1 ? "" : worker_host(worker)->name,
	    targets > 1 ? "" : ": ",
	    look.decision == STOP_GO_ON ? "" : "stopped ", look.text);
	if (look.decision != STOP_GO_ON)
		return store_event(
		    worker->store, SIZE_MAX, STOP_EVENT, look.text, error);
	if (!store_rounds(worker->store, (int)look.rounds, STOP_EVENT_ON,
		look.text, error))
		return false;
	progress_more(worker->progress,
	    targets * plan_totals(worker->plan, look.rounds - *rounds).visits);
	*rounds = look.rounds;
	return true;
}

bool
stopping_look(Worker *worker, GError **error)
{
	if (!has_rule(worker))
		return true;
	if (worker_matrix(worker)->targets->len > 1)
		log_verbose("%s: its %zu rounds are made",
		    worker_host(worker)->name, worker->rounds);
	return meeting_come(worker->meeting, worker->index, worker->work,
	    look_at_all, worker, &worker->rounds, error);
}
