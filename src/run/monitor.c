#include "run/monitor.h"

#include <string.h>

#include "base/failure.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "run/values.h"

/* Of what a monitor says so much is kept a visit; its last words in a text. */
enum { OUTPUT_BYTES = 1 << 20, SAID_BYTES = 200 };
/* What a visit may take besides its loads. */
enum { SPARE_MS = 60 * 60 * 1000 };

/* Those that run at a place, in order; free the array. */
static GPtrArray *
monitors_at(const Worker *worker, const Worker *place)
{
	const GPtrArray *all = worker_matrix(worker)->monitors;
	GPtrArray *here = g_ptr_array_new();

	for (guint i = 0; i < all->len; i++) {
		const Monitor *monitor = all->pdata[i];
		const bool at_client = strcmp(monitor->on, "client") == 0;
		if (place == (at_client ? worker->client : worker))
			g_ptr_array_add(here, (gpointer)monitor);
	}
	return here;
}

/* Should abrun be gone they end by themselves, later than all loads would. */
static int64_t
limit_ms(const Worker *worker, const Visit *visit)
{
	const Design *design = &worker_matrix(worker)->design;
	const int64_t runs = 2 * design->runs + design->warmup_runs + 2;
	int64_t limit = SPARE_MS;

	for (size_t i = 0; i < visit->plan->n_starts; i++) {
		const PlanStart *start = &visit->plan->starts[i];
		for (size_t j = 0; j < start->n_steps; j++) {
			const Load *load =
			    worker_matrix(worker)
				->loads->pdata[start->steps[j].load];
			limit += runs * load->timeout_ms;
		}
	}
	return limit;
}

static char *
command_of(const Worker *worker, const Worker *place, const Visit *visit,
    const Monitor *monitor)
{
	g_autoptr(GHashTable) values = values_host(worker);
	g_autofree char *round = g_strdup_printf("%zu", visit->round);
	g_autofree char *seed =
	    g_strdup_printf("%" G_GUINT64_FORMAT, worker->plan->seed);

	load_set_value(values, "round", round);
	load_set_value(values, "run", "0");
	load_set_value(values, "seed", seed);
	load_set_value(values, "cell", visit->cell->name);
	load_set_value(values, "outdir", place->work_dir);
	/* The matrix was checked for what is not among these. */
	return load_expand_command(monitor->command, values, NULL);
}

bool
monitors_keep(Worker *worker, GError **error)
{
	const GPtrArray *all = worker_matrix(worker)->monitors;

	for (guint i = 0; i < all->len; i++) {
		const Monitor *monitor = all->pdata[i];
		if (!worker_fact(worker, "monitor", monitor->name, "command",
			monitor->command, error))
			return false;
	}
	return true;
}

void
monitors_ask(const Worker *worker, const Worker *place, const Visit *visit,
    VerbCall *call)
{
	g_autoptr(GPtrArray) monitors = monitors_at(worker, place);
	g_autofree char *limit =
	    g_strdup_printf("%" G_GINT64_FORMAT, limit_ms(worker, visit));
	g_autofree char *cap = g_strdup_printf("%d", OUTPUT_BYTES);

	for (guint i = 0; i < monitors->len; i++) {
		if (place->monitors->len > 0) {
			verb_call_add(call, "monitor_end",
			    (const char *)place->monitors->pdata[i], NULL);
			continue;
		}
		g_autofree char *command =
		    command_of(worker, place, visit, monitors->pdata[i]);
		verb_call_add(call, "monitor_start", place->work_dir, limit,
		    cap, command == NULL ? "" : command, NULL);
	}
}

static bool
take_starts(Worker *place, const GPtrArray *monitors, const GPtrArray *answers,
    guint first, GError **error)
{
	g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < monitors->len; i++) {
		const Monitor *monitor = monitors->pdata[i];
		const VerbAnswer *answer = answers->pdata[first + i];
		const char *run = verb_answer_get(answer, "run");
		if (!verb_answer_check(answer, error)) {
			g_prefix_error(error, "monitor %s: ", monitor->name);
			return false;
		}
		if (run == NULL) {
			failure_set(error, FAILURE_NO_ANSWER,
			    ABRUN_ERROR_FAILED,
			    "monitor %s was started, but the answer does not "
			    "tell where",
			    monitor->name);
			return false;
		}
		g_ptr_array_add(runs, g_strdup(run));
	}
	g_ptr_array_unref(place->monitors);
	place->monitors = g_steal_pointer(&runs);
	return true;
}

static bool
keep_output(Worker *worker, const Visit *visit, const Monitor *monitor,
    const VerbAnswer *answer, GError **error)
{
	const char *out = verb_answer_get(answer, "out");
	const char *err = verb_answer_get(answer, "err");
	g_autofree char *target = text_safe_name(worker_host(worker)->name);
	g_autofree char *name = g_strdup_printf(
	    "%s-round%zu-cell%" G_GINT64_FORMAT "-monitor-%s.txt", target,
	    visit->round, (int64_t)visit->plan->server, monitor->name);
	g_autofree char *path = store_raw_path(worker->store, name);
	g_autofree char *text = g_strdup_printf(
	    "$ %s\n%s\n--- standard error\n%s\n", monitor->command,
	    out == NULL ? "" : out, err == NULL ? "" : err);

	return file_write(path, text, strlen(text), 0600, error);
}

/* Why a monitor did not run to the end of the visit; NULL: it did. Free it. */
static char *
why_dead(const VerbAnswer *answer)
{
	const char *alone = verb_answer_get(answer, "alone");
	const char *end = verb_answer_get(answer, "exit");
	const char *err = verb_answer_get(answer, "err");

	if (answer->status != VERB_DONE || alone == NULL)
		return g_strdup("what became of it cannot be told");
	if (strcmp(alone, "no") == 0)
		return NULL;
	if (g_strcmp0(verb_answer_get(answer, "timed_out"), "yes") == 0)
		return g_strdup("it ran for too long");
	g_autofree char *said =
	    text_one_line(err == NULL ? "" : err, SAID_BYTES);
	return g_strdup_printf("it ended with status %s%s%s",
	    end == NULL ? "?" : end, *said == '\0' ? "" : ": ", said);
}

static bool
tell_dead(Worker *worker, const Visit *visit, const Monitor *monitor,
    const char *why, GError **error)
{
	g_autofree char *text = g_strdup_printf(
	    "the monitor %s did not live through it: %s", monitor->name, why);
	g_autofree char *event = g_strdup_printf(
	    "round %zu, %s: %s", visit->round, visit->cell->name, text);

	/* A rehearsal tells the event as it tells all that it finds. */
	if (!worker->rehearsal)
		log_error("%s: %s", worker_host(worker)->name, event);
	return store_event(worker->store, worker->index, "monitor died", event,
		   error) &&
	    store_flag_visit(worker->store, visit->id, text, error);
}

static bool
take_ends(Worker *worker, const Visit *visit, const GPtrArray *monitors,
    const GPtrArray *answers, guint first, GError **error)
{
	for (guint i = 0; i < monitors->len; i++) {
		const VerbAnswer *answer = answers->pdata[first + i];
		const Monitor *monitor = monitors->pdata[i];
		g_autofree char *why = why_dead(answer);
		if (!keep_output(worker, visit, monitor, answer, error) ||
		    (why != NULL &&
			!tell_dead(worker, visit, monitor, why, error)))
			return false;
	}
	return true;
}

bool
monitors_take(Worker *worker, Worker *place, const Visit *visit,
    const GPtrArray *answers, guint first, GError **error)
{
	g_autoptr(GPtrArray) monitors = monitors_at(worker, place);

	if (place->monitors->len == 0)
		return take_starts(place, monitors, answers, first, error);
	g_ptr_array_set_size(place->monitors, 0);
	return take_ends(worker, visit, monitors, answers, first, error);
}

void
monitors_forget(Worker *worker)
{
	g_ptr_array_set_size(worker->monitors, 0);
	g_ptr_array_set_size(worker->client->monitors, 0);
}
