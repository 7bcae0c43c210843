#include "run/prepare.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/boots_back.h"
#include "run/client.h"
#include "run/datadir.h"
#include "run/during.h"
#include "run/journal.h"
#include "run/kernels.h"
#include "run/measure.h"
#include "run/monitor.h"
#include "run/paths.h"
#include "run/resolve.h"
#include "run/serve.h"
#include "run/state.h"
#include "run/threadlib.h"
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
	Worker *client = worker->client;

	verb_call_add(call, "which", load->def->tool, NULL);
	if (!client_call(worker, call, &answers, error))
		return false;
	const VerbAnswer *answer = answers->pdata[0];
	const char *path = verb_answer_get(answer, "path");
	const char *sum = verb_answer_get(answer, "sha256");
	if (answer->status == VERB_ABSENT) {
		const char *reason = verb_answer_get(answer, "error");
		failure_set(error, FAILURE_MISSING_TOOL, ABRUN_ERROR_USAGE,
		    "load %s needs %s, which was not found%s%s: install it on "
		    "%s, or give that host its path",
		    load->name, load->def->tool, reason == NULL ? "" : ": ",
		    reason == NULL ? "" : reason, worker_host(client)->name);
		return false;
	}
	if (!verb_answer_check(answer, error))
		return false;
	if (path == NULL || sum == NULL) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "which: the answer for %s is not whole", load->def->tool);
		return false;
	}
	(void)g_hash_table_insert(
	    client->hashes, g_strdup(path), g_strdup(sum));
	return worker_fact(client, "load", load->name, "path", path, error) &&
	    worker_fact(client, "load", load->name, "sha256", sum, error);
}

bool
prepare_tool(Worker *worker, const Load *load, GError **error)
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
	    worker->client, "load", load->name, "version", version, error);
}

static bool
tell_command(Worker *worker, size_t index, GError **error)
{
	const Load *load = worker_matrix(worker)->loads->pdata[index];
	g_autofree char *command = values_shown_command(worker, index, error);

	return command != NULL &&
	    worker_fact(worker, "load", load->name, "command", command, error);
}

bool
prepare_server(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) none = g_ptr_array_new();

	if (!datadir_refresh(worker, error))
		return false;
	if (worker->control != NULL &&
	    (!serve_start(worker, none, error) ||
		!server_identify(worker->control, &worker->life, error)))
		return false;
	threadlib_learn_program(worker);
	const char *version = worker->life.version;
	if (worker->control != NULL &&
	    (!worker_fact(worker, "server", NULL,
		 version != NULL ? "version" : "path",
		 version != NULL ? version : worker->life.exe, error) ||
		!worker_fact(worker, "server", NULL, "sha256",
		    worker->life.exe_sha256, error)))
		return false;
	if (worker->control != NULL)
		worker->server_sha256 = g_strdup(worker->life.exe_sha256);
	const char *from = worker_matrix(worker)->server.datadir_from;
	return from == NULL ||
	    worker_fact(worker, "server", NULL, "datadir_from", from, error);
}

bool
prepare_undo(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func(g_free);

	/* Those of an earlier night were ended with its work directory. */
	if (!during_forget(worker, error))
		return false;
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

	if (!kernels_prepare(worker, error) || !resolve_settings(worker, error))
		return false;
	for (guint i = 0; i < matrix->loads->len; i++)
		if (!prepare_tool(worker, matrix->loads->pdata[i], error) ||
		    !tell_command(worker, i, error))
			return false;
	return monitors_keep(worker, error) && prepare_server(worker, error) &&
	    state_set_up(worker, error);
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

	if (!client_end_loads(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!workdir_end_loads(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!worker->rehearsal &&
	    (worker->control == NULL || worker->life.pid != 0))
		clean_loads(worker, &first);
	if (!serve_stop(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!workdir_end_server(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	else if (!datadir_remove(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!prepare_undo(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!client_remove(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!workdir_remove(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!boots_put_back(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!journal_keep_now(
		worker->store, worker->target, worker->index, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (first == NULL)
		return true;
	g_propagate_error(error, first);
	return false;
}
