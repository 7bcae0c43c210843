#include "run/power.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/hook.h"
#include "target/power_judge.h"

/* Between two looks at the status. */
enum { PAUSE_MS = 1000 };
/* What a status is instead of one is shown so far. */
enum { SAID_BYTES = 100 };

/* How many hosts were told to be off, and not yet seen to be on. */
static atomic_int cut_hosts;

/* One way from off to on, by whatever means. */
typedef struct {
	bool cut;         /* it was told to be off: see cut_hosts */
	sigset_t before;  /* signals that were blocked then */
	GError *unstored; /* the first event that could not be stored */
} Cycle;

/* One means at work. */
typedef struct {
	Worker *worker;
	Cycle *cycle;
	const char *words; /* as the matrix has them */
	PowerCourse course;
	int64_t began_us;
} Means;

static void
cycle_clear(Cycle *cycle)
{
	if (cycle->cut) {
		(void)pthread_sigmask(SIG_SETMASK, &cycle->before, NULL);
		atomic_fetch_sub(&cut_hosts, 1);
	}
	g_clear_error(&cycle->unstored);
}

static void
means_clear(Means *means)
{
	power_course_clear(&means->course);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cycle, cycle_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Means, means_clear)

bool
power_is_any_cut(void)
{
	return atomic_load(&cut_hosts) > 0;
}

bool
power_is_known(const Host *host)
{
	return host->power != NULL && host->power->len > 0;
}

static bool
check_host(const Matrix *matrix, const Host *host, GError **error)
{
	for (guint i = 0; power_is_known(host) && i < host->power->len; i++) {
		g_autofree char *path = hook_path(
		    matrix->path, "power", host->power->pdata[i], error);
		if (path == NULL)
			return false;
	}
	return true;
}

bool
power_check(const Matrix *matrix, GError **error)
{
	const GPtrArray *const lists[] = { matrix->targets, matrix->hosts };

	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		for (guint j = 0; j < lists[i]->len; j++)
			if (!check_host(matrix, lists[i]->pdata[j], error))
				return false;
	return true;
}

/*
 * Here, in the store, and so in the report.  What cannot be stored leaves no
 * host off: it is the cycle's error at its end.
 */
static void G_GNUC_PRINTF(2, 3)
    tell(const Means *means, const char *format, ...)
{
	const Worker *worker = means->worker;
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *text = g_strdup_printf("%s: %s", means->words, what);
	log_info("%s: power: %s", worker_host(worker)->name, text);
	if (means->cycle->unstored == NULL)
		(void)store_event(worker->store, worker->index, POWER_EVENT,
		    text, &means->cycle->unstored);
}

static int64_t
since_ms(const Means *means)
{
	return (deadline_now_us() - means->began_us) / 1000;
}

/* "ipmi lab1-bmc" and "off": "ipmi off lab1-bmc"; free it. */
static char *
with_order(const char *words, const char *order)
{
	const size_t name = strcspn(words, " ");

	return g_strdup_printf(
	    "%.*s %s%s", (int)name, words, order, words + name);
}

static bool
ask(const Means *means, const char *order, const Cancel *cancel, char **said,
    GError **error)
{
	const Worker *worker = means->worker;
	const Matrix *matrix = worker_matrix(worker);
	const Host *host = worker_host(worker);
	const HookFact facts[] = {
		{ "TARGET", host->name },
		{ "TITLE", matrix->title },
		{ "MATRIX", matrix->path },
		{ "DIRECTORY", store_directory(worker->store) },
	};
	g_autofree char *words = with_order(means->words, order);

	return hook_ask(matrix->path, "power", words, facts,
	    G_N_ELEMENTS(facts),
	    MAX(power_course_left_ms(
		    &means->course, since_ms(means), host->power_timeout_ms),
		1),
	    cancel, said, error);
}

bool
power_is_on(Worker *worker, const char *words, GError **error)
{
	const Means means = {
		.worker = worker, .words = words, .began_us = deadline_now_us()
	};
	g_autofree char *said = NULL;

	if (!ask(&means, "status", worker->cleanup, &said, error))
		return false;
	if (power_state_of(said) == POWER_IS_ON)
		return true;
	g_autofree char *line = text_one_line(said, SAID_BYTES);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
	    "of a host that is on its status says \"%s\"", line);
	return false;
}

static bool
is_order(PowerStep step)
{
	return step == POWER_ASK_OFF || step == POWER_ASK_ON;
}

/*
 * From now on no signal ends it, in a night, whose workers take none, nor of
 * abrun restore.  Who has asked looks at cut_hosts after that, so that one of
 * both sees the other.
 */
static bool
begin_cut(const Means *means, GError **error)
{
	Cycle *cycle = means->cycle;

	if (cycle->cut)
		return true;
	sigset_t signals;
	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigaddset(&signals, SIGHUP);
	(void)pthread_sigmask(SIG_BLOCK, &signals, &cycle->before);
	cycle->cut = true;
	atomic_fetch_add(&cut_hosts, 1);
	return cancel_check(means->worker->cleanup, error);
}

/* The step that is due; false when it is of no use to go on. */
static bool
make_step(const Means *means, PowerSeen *seen, char **why, GError **error)
{
	static const char *const orders[] = { "status", "off", "on" };
	const PowerStep step = means->course.next;
	const Host *host = worker_host(means->worker);
	g_autofree char *said = NULL;
	g_autoptr(GError) failure = NULL;

	if (step == POWER_ASK_OFF && !begin_cut(means, error))
		return false;
	const Cancel *cancel =
	    means->cycle->cut ? NULL : means->worker->cleanup;
	if (step == POWER_REST || step == POWER_PAUSE)
		return cancel_sleep(cancel,
		    deadline_in(
			step == POWER_REST ? host->power_rest_ms : PAUSE_MS),
		    error);
	seen->done = ask(means, orders[step], cancel, &said, &failure);
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	*why = failure == NULL ? NULL : g_strdup(failure->message);
	if (seen->done && step == POWER_ASK_STATUS) {
		seen->state = power_state_of(said);
		if (seen->state == POWER_UNKNOWN)
			*why = text_one_line(said, SAID_BYTES);
	}
	seen->said = *why;
	if (is_order(step))
		tell(means, "%s: %s", orders[step],
		    seen->done ? "accepted" : seen->said);
	return true;
}

/* What was seen of the host, once each. */
static void
tell_course(const Means *means, bool was_off)
{
	if (means->course.was_off && !was_off)
		tell(means, "the host is off");
	if (means->course.next == POWER_DONE)
		tell(means, "the host is on, %.1f s after the first look",
		    (double)since_ms(means) / 1000);
}

/* *done, or else its course says why not; false when nothing more is to be. */
static bool
run_means(Means *means, bool *done, GError **error)
{
	PowerCourse *course = &means->course;

	while (course->next != POWER_DONE && course->next != POWER_FAILED) {
		g_autofree char *why = NULL;
		const bool was_off = course->was_off;
		PowerSeen seen = { .done = true,
			.limit_ms =
			    worker_host(means->worker)->power_timeout_ms };
		if (!make_step(means, &seen, &why, error))
			return false;
		seen.at_ms = since_ms(means);
		(void)power_course_take(course, &seen);
		tell_course(means, was_off);
	}
	*done = course->next == POWER_DONE;
	if (!*done)
		tell(means, "given up: %s", course->reason);
	return true;
}

/* One means after the other. */
static bool
run_cycle(Worker *worker, Cycle *cycle, const char **which, GError **error)
{
	const Host *host = worker_host(worker);
	g_autofree char *last = NULL;

	for (guint i = 0; power_is_known(host) && i < host->power->len; i++) {
		g_auto(Means) means = { .worker = worker,
			.cycle = cycle,
			.words = host->power->pdata[i],
			.began_us = deadline_now_us() };
		bool done = false;
		if (!run_means(&means, &done, error))
			return false;
		*which = means.words;
		if (done)
			return true;
		g_free(last);
		last = g_steal_pointer(&means.course.reason);
	}
	failure_set(error, FAILURE_POWER_FAILED, ABRUN_ERROR_HOST,
	    "its power could not be turned off and on (%s)",
	    last == NULL ? "no means is known" : last);
	return false;
}

bool
power_cycle(Worker *worker, const char **which, GError **error)
{
	g_auto(Cycle) cycle = { 0 };
	GError *failure = NULL;
	const bool done = run_cycle(worker, &cycle, which, &failure);

	if (cycle.unstored == NULL) {
		if (!done)
			g_propagate_error(error, failure);
		return done;
	}
	g_clear_error(&failure);
	g_propagate_error(error, g_steal_pointer(&cycle.unstored));
	return false;
}
