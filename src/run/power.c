#include "run/power.h"

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

/* One means at work. */
typedef struct {
	Worker *worker;
	const char *words; /* as the matrix has them */
	PowerCourse course;
	int64_t began_us;
} Means;

static void
means_clear(Means *means)
{
	power_course_clear(&means->course);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Means, means_clear)

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

/* Here, in the store, and so in the report. */
static bool G_GNUC_PRINTF(3, 4)
    tell(const Means *means, GError **error, const char *format, ...)
{
	const Worker *worker = means->worker;
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *text = g_strdup_printf("%s: %s", means->words, what);
	log_info("%s: power: %s", worker_host(worker)->name, text);
	return store_event(
	    worker->store, worker->index, POWER_EVENT, text, error);
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
ask(const Means *means, const char *order, char **said, GError **error)
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
	    MAX(host->power_timeout_ms - since_ms(means), 1), worker->cleanup,
	    said, error);
}

bool
power_is_on(Worker *worker, const char *words, GError **error)
{
	const Means means = {
		.worker = worker, .words = words, .began_us = deadline_now_us()
	};
	g_autofree char *said = NULL;

	if (!ask(&means, "status", &said, error))
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

/* The step that is due; false when it is of no use to go on. */
static bool
make_step(const Means *means, PowerSeen *seen, char **why, GError **error)
{
	static const char *const orders[] = { "status", "off", "on" };
	const PowerStep step = means->course.next;
	const Host *host = worker_host(means->worker);
	const Cancel *cancel = means->worker->cleanup;
	g_autofree char *said = NULL;
	g_autoptr(GError) failure = NULL;

	if (step == POWER_REST || step == POWER_PAUSE)
		return cancel_sleep(cancel,
		    deadline_in(
			step == POWER_REST ? host->power_rest_ms : PAUSE_MS),
		    error);
	seen->done = ask(means, orders[step], &said, &failure);
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
	return !is_order(step) ||
	    tell(means, error, "%s: %s", orders[step],
		seen->done ? "accepted" : seen->said);
}

/* What was seen of the host, once each. */
static bool
tell_course(const Means *means, bool was_off, GError **error)
{
	if (means->course.was_off && !was_off &&
	    !tell(means, error, "the host is off"))
		return false;
	return means->course.next != POWER_DONE ||
	    tell(means, error, "the host is on, %.1f s after the first look",
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
		if (!tell_course(means, was_off, error))
			return false;
	}
	*done = course->next == POWER_DONE;
	return *done || tell(means, error, "given up: %s", course->reason);
}

bool
power_cycle(Worker *worker, const char **which, GError **error)
{
	const Host *host = worker_host(worker);
	g_autofree char *last = NULL;

	for (guint i = 0; power_is_known(host) && i < host->power->len; i++) {
		g_auto(Means) means = { .worker = worker,
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
