#include "run/prepare.h"

#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "run/datadir.h"
#include "run/measure.h"
#include "run/paths.h"
#include "run/resolve.h"
#include "run/state.h"
#include "run/undo.h"
#include "run/values.h"
#include "run/workdir.h"

static char *
first_line(const char *text)
{
	g_autofree char *line = g_strndup(text, strcspn(text, "\n"));

	return text_printable(g_strstrip(line), 200);
}

/* Where the load generator is, and what. */
static bool
ask_tool(Worker *worker, const Load *load, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	verb_call_add(call, "which", load->def->tool, NULL);
	if (!target_call(
		worker->target, call, worker_deadline(), &answers, error))
		return false;
	const VerbAnswer *answer = answers->pdata[0];
	const char *path = verb_answer_get(answer, "path");
	const char *sum = verb_answer_get(answer, "sha256");
	if (answer->status == VERB_ABSENT) {
		const char *reason = verb_answer_get(answer, "error");
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "load %s needs %s, which was not found%s%s: install it "
		    "there, or give the target its path",
		    load->name, load->def->tool, reason == NULL ? "" : ": ",
		    reason == NULL ? "" : reason);
		return false;
	}
	if (!verb_answer_check(answer, error))
		return false;
	if (path == NULL || sum == NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "which: the answer for %s is not whole", load->def->tool);
		return false;
	}
	(void)g_hash_table_insert(
	    worker->hashes, g_strdup(path), g_strdup(sum));
	return worker_fact(worker, "load", load->name, "path", path, error) &&
	    worker_fact(worker, "load", load->name, "sha256", sum, error);
}

/* The load generator: found, hashed, its version told. */
static bool
find_tool(Worker *worker, const Load *load, GError **error)
{
	const LoadDef *def = load->def;

	if (def->tool != NULL && !ask_tool(worker, load, error))
		return false;
	if (def->version == NULL)
		return true;
	g_autoptr(VerbAnswer) answer =
	    measure_execute(worker, def->version, 30000, error);
	LoadOutput output;
	if (answer == NULL || !measure_output(answer, &output, error))
		return false;
	g_autofree char *version =
	    first_line(*output.out != '\0' ? output.out : output.err);
	return worker_fact(
	    worker, "load", load->name, "version", version, error);
}

static bool
tell_command(Worker *worker, size_t index, GError **error)
{
	const Load *load = worker_matrix(worker)->loads->pdata[index];
	g_autofree char *command = values_shown_command(worker, index, error);

	return command != NULL &&
	    worker_fact(worker, "load", load->name, "command", command, error);
}

static bool
set_up_loads(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) none = g_ptr_array_new();

	if (!datadir_refresh(worker, error))
		return false;
	if (worker->control != NULL &&
	    (!server_start(worker->control, none, worker->subjects,
		 worker->work_dir, &worker->life, error) ||
		!server_identify(worker->control, &worker->life, error)))
		return false;
	if (worker->control != NULL &&
	    (!worker_fact(worker, "server", NULL, "version",
		 worker->life.version, error) ||
		!worker_fact(worker, "server", NULL, "sha256",
		    worker->life.exe_sha256, error)))
		return false;
	if (worker->control != NULL)
		worker->server_sha256 = g_strdup(worker->life.exe_sha256);
	const char *from = worker_matrix(worker)->server.datadir_from;
	if (from != NULL &&
	    !worker_fact(worker, "server", NULL, "datadir_from", from, error))
		return false;
	return state_set_up(worker, error);
}

bool
prepare_undo(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func(g_free);
	const bool ok = undo_all(worker->store, worker->target, worker->index,
	    worker->boot_id, worker->work_dir, left, error);

	for (guint i = 0; i < left->len; i++)
		log_error("%s: left changed: %s", worker_host(worker)->name,
		    (const char *)left->pdata[i]);
	return ok;
}

bool
prepare_target(Worker *worker, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);

	if (!resolve_settings(worker, error))
		return false;
	for (guint i = 0; i < matrix->loads->len; i++)
		if (!find_tool(worker, matrix->loads->pdata[i], error) ||
		    !tell_command(worker, i, error))
			return false;
	return set_up_loads(worker, error);
}

/* Keeps the first error, tells the others. */
static void
note(Worker *worker, GError **first, GError *failure)
{
	if (failure == NULL)
		return;
	if (*first == NULL) {
		*first = failure;
		return;
	}
	log_error("%s: %s", worker_host(worker)->name,
	    worker_reason(worker, failure));
	g_error_free(failure);
}

static void
clean_loads(Worker *worker, GError **first)
{
	g_autoptr(GHashTable) done =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < worker_matrix(worker)->loads->len; i++) {
		GError *failure = NULL;
		if (!state_clean_up(worker, i, done, &failure))
			note(worker, first, failure);
	}
}

bool
prepare_finish(Worker *worker, GError **error)
{
	GError *first = NULL, *failure = NULL;

	if (!workdir_end_loads(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (worker->control == NULL || worker->life.pid != 0)
		clean_loads(worker, &first);
	if (worker->control != NULL && worker->life.pid != 0 &&
	    !server_stop(worker->control, &worker->life, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!workdir_end_server(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	else if (!datadir_remove(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!prepare_undo(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!workdir_remove(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (first == NULL)
		return true;
	g_propagate_error(error, first);
	return false;
}
