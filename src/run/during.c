#include "run/during.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"

/* Without abrun it ends by itself after a day; of its words so much is told. */
#define LIMIT_MS "86400000"
#define OUTPUT_BYTES "2000"
enum { SAID_BYTES = 300 };

typedef struct {
	char *command;
	char *run, *pid, *boot_id; /* of its last start */
	int64_t row;               /* of that, in the undo journal */
	bool running;
} During;

void
during_free(gpointer data)
{
	During *during = data;

	g_free(during->command);
	g_free(during->run);
	g_free(during->pid);
	g_free(during->boot_id);
	g_free(during);
}

static bool
is_wanted(const Visit *visit, const char *command)
{
	for (guint i = 0; i < visit->settings->len; i++) {
		const Setting *setting = visit->settings->pdata[i];
		if (setting->kind == SETTING_DURING &&
		    strcmp(setting->value, command) == 0)
			return true;
	}
	return false;
}

/* The one of this command, made when it is new. */
static During *
find(Worker *worker, const char *command)
{
	for (guint i = 0; i < worker->during->len; i++) {
		During *during = worker->during->pdata[i];
		if (strcmp(during->command, command) == 0)
			return during;
	}
	During *during = g_new0(During, 1);
	during->command = g_strdup(command);
	g_ptr_array_add(worker->during, during);
	return during;
}

static bool
lives(const Worker *worker, const During *during)
{
	return during->running &&
	    g_strcmp0(during->boot_id, worker->boot_id) == 0;
}

static bool
is_over(Worker *worker, During *during, GError **error)
{
	during->running = false;
	return store_undo_set(worker->store, during->row, UNDO_UNDONE, error);
}

static bool
intend(Worker *worker, During *during, GError **error)
{
	const StoreUndo row = {
		.target = worker->index,
		.kind = (char *)DURING_KIND,
		.name = during->command,
		.new_value = worker->work_dir,
		.scope = (char *)"boot",
		.boot_id = worker->boot_id,
	};

	during->row = store_undo_intend(worker->store, &row, error);
	return during->row != 0;
}

/* What is to be ended, then what is to be started, in one call. */
static bool
ask(Worker *worker, const Visit *visit, VerbCall *call, GPtrArray *order,
    GError **error)
{
	for (guint i = 0; i < worker->during->len; i++) {
		During *during = worker->during->pdata[i];
		if (!lives(worker, during) || is_wanted(visit, during->command))
			continue;
		verb_call_add(call, "monitor_end", during->run, NULL);
		g_ptr_array_add(order, during);
	}
	for (guint i = 0; i < visit->settings->len; i++) {
		const Setting *setting = visit->settings->pdata[i];
		if (setting->kind != SETTING_DURING)
			continue;
		During *during = find(worker, setting->value);
		if (lives(worker, during))
			continue;
		if (!intend(worker, during, error))
			return false;
		during->running = false;
		verb_call_add(call, "monitor_start", worker->work_dir, LIMIT_MS,
		    OUTPUT_BYTES, during->command, NULL);
		g_ptr_array_add(order, during);
	}
	return true;
}

static bool
take_start(
    Worker *worker, During *during, const VerbAnswer *answer, GError **error)
{
	const char *run = verb_answer_get(answer, "run");
	const char *pid = verb_answer_get(answer, "pid");

	if (!verb_answer_check(answer, error)) {
		failure_mark(error, FAILURE_SETTING_FAILED);
		g_prefix_error(error, "during %s: ", during->command);
		return false;
	}
	if (run == NULL || pid == NULL) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "during %s: it was started, but the answer does not tell "
		    "which process it is",
		    during->command);
		return false;
	}
	g_free(during->run);
	g_free(during->pid);
	g_free(during->boot_id);
	during->run = g_strdup(run);
	during->pid = g_strdup(pid);
	during->boot_id = g_strdup(worker->boot_id);
	during->running = true;
	return store_undo_set(worker->store, during->row, UNDO_DONE, error);
}

static bool
take_end(
    Worker *worker, During *during, const VerbAnswer *answer, GError **error)
{
	if (answer->status != VERB_ABSENT &&
	    !verb_answer_check(answer, error)) {
		failure_mark(error, FAILURE_UNDO_FAILED);
		g_prefix_error(error, "during %s: ", during->command);
		return false;
	}
	return is_over(worker, during, error);
}

bool
during_apply(Worker *worker, const Visit *visit, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) order = g_ptr_array_new();
	g_autoptr(GPtrArray) answers = NULL;

	if (!ask(worker, visit, call, order, error))
		return false;
	if (order->len == 0)
		return true;
	if (!target_call(
		worker->target, call, worker_deadline(), &answers, error))
		return false;
	for (guint i = 0; i < order->len; i++) {
		During *during = order->pdata[i];
		const VerbAnswer *answer = answers->pdata[i];
		if (!(lives(worker, during)
			    ? take_end(worker, during, answer, error)
			    : take_start(worker, during, answer, error)))
			return false;
	}
	return true;
}

void
during_ask(const Worker *worker, VerbCall *call)
{
	for (guint i = 0; i < worker->during->len; i++) {
		const During *during = worker->during->pdata[i];
		verb_call_add(call, "monitor_look",
		    during->run == NULL ? "" : during->run, NULL);
	}
}

/* "pid 7", "it ended with status 3: no such cpu"; free it. */
static char *
seen_of(const VerbAnswer *answer)
{
	const char *pid = verb_answer_get(answer, "pid");
	const char *end = verb_answer_get(answer, "exit");
	const char *err = verb_answer_get(answer, "err");
	const char *out = verb_answer_get(answer, "out");

	if (answer->status == VERB_ABSENT)
		return g_strdup("absent");
	if (g_strcmp0(verb_answer_get(answer, "alive"), "yes") == 0)
		return g_strdup_printf("pid %s", pid == NULL ? "?" : pid);
	if (end == NULL)
		return g_strdup("what became of it cannot be told");
	const char *said = err != NULL && *err != '\0' ? err
	    : out != NULL                              ? out
						       : "";
	g_autofree char *words = text_one_line(said, SAID_BYTES);
	return g_strdup_printf("it ended with status %s%s%s", end,
	    *words == '\0' ? "" : ": ", words);
}

bool
during_judge(Worker *worker, const Visit *visit, const GPtrArray *answers,
    guint first, GPtrArray *proofs, GError **error)
{
	for (guint i = 0; i < worker->during->len; i++) {
		During *during = worker->during->pdata[i];
		const VerbAnswer *answer = answers->pdata[first + i];
		const bool wanted = is_wanted(visit, during->command);
		g_autofree char *want = wanted
		    ? g_strdup_printf("pid %s", during->pid)
		    : g_strdup("absent");
		const bool ended =
		    g_strcmp0(verb_answer_get(answer, "alive"), "no") == 0;
		g_autofree char *seen =
		    !wanted && ended ? g_strdup("absent") : seen_of(answer);
		const bool known = answer->status == VERB_ABSENT ||
		    answer->status == VERB_DONE;
		const bool holds = strcmp(want, seen) == 0;
		g_ptr_array_add(proofs,
		    proof_new(DURING_KIND, during->command, want, seen,
			!known      ? PROOF_UNKNOWN
			    : holds ? PROOF_YES
				    : PROOF_NO));
		if (wanted && known && !holds &&
		    !is_over(worker, during, error))
			return false;
	}
	return true;
}

bool
during_forget(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) rows =
	    store_undo_open(worker->store, worker->index, error);

	if (rows == NULL)
		return false;
	for (guint i = 0; i < rows->len; i++) {
		const StoreUndo *row = rows->pdata[i];
		if (strcmp(row->kind, DURING_KIND) == 0 &&
		    !store_undo_set(worker->store, row->id, UNDO_UNDONE, error))
			return false;
	}
	for (guint i = 0; i < worker->during->len; i++) {
		During *during = worker->during->pdata[i];
		during->running = false;
	}
	return true;
}
