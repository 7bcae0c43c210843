#include "run/prepare.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "run/libraries.h"
#include "run/measure.h"
#include "run/paths.h"
#include "run/undo.h"
#include "run/workdir.h"

enum { SCRIPT_BYTES = 1 << 20 };

static bool
put_script(Worker *worker, size_t index, const Load *load, const LoadKey *key,
    GError **error)
{
	g_autofree char *local =
	    paths_from_matrix(worker_matrix(worker)->path, key->value);
	g_autofree char *base = g_path_get_basename(key->value);
	g_autofree char *safe = text_safe_name(base);
	g_autofree char *remote =
	    g_strdup_printf("%s/%zu-%s", worker->work_dir, index, safe);
	size_t length = 0;
	g_autofree char *text = file_read(local, SCRIPT_BYTES, &length, error);

	if (text == NULL)
		return false;
	if (strlen(text) != length) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s: a script must be text, but it holds NUL bytes", local);
		return false;
	}
	g_autoptr(VerbAnswer) answer = target_ask(worker->target,
	    worker_deadline(), error, "put", remote, "0700", text, NULL);
	if (answer == NULL)
		return false;
	g_autofree char *wanted = text_sha256(text, length);
	const char *seen = verb_answer_get(answer, "sha256");
	if (g_strcmp0(seen, wanted) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_VERIFY,
		    "%s was copied to %s, but its sha256 there is %s", local,
		    remote, seen == NULL ? "not told" : seen);
		return false;
	}
	(void)g_hash_table_insert(
	    worker->hashes, g_strdup(remote), g_strdup(wanted));
	WorkerScript *script = g_new0(WorkerScript, 1);
	script->load = index;
	script->key = g_strdup(key->name);
	script->path = g_steal_pointer(&remote);
	script->sha256 = g_steal_pointer(&wanted);
	g_ptr_array_add(worker->scripts, script);
	return worker_fact(
	    worker, "script", load->name, "sha256", script->sha256, error);
}

static bool
is_script(const Load *load, const LoadKey *key)
{
	for (guint i = 0; i < load->def->keys->len; i++) {
		const LoadDefKey *known = load->def->keys->pdata[i];
		if (known->script && strcmp(known->name, key->name) == 0)
			return !g_path_is_absolute(key->value);
	}
	return false;
}

bool
prepare_scripts(Worker *worker, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);

	for (guint i = 0; i < worker->scripts->len; i++) {
		const WorkerScript *old = worker->scripts->pdata[i];
		(void)g_hash_table_remove(worker->hashes, old->path);
	}
	g_ptr_array_set_size(worker->scripts, 0);
	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = matrix->loads->pdata[i];
		for (guint k = 0; k < load->keys->len; k++)
			if (is_script(load, load->keys->pdata[k]) &&
			    !put_script(
				worker, i, load, load->keys->pdata[k], error))
				return false;
	}
	return true;
}

static char *
first_line(const char *text)
{
	g_autofree char *line = g_strndup(text, strcspn(text, "\n"));

	return text_printable(g_strstrip(line), 200);
}

/* The load generator: found, hashed, its version told. */
static bool
find_tool(Worker *worker, const Load *load, GError **error)
{
	const LoadDef *def = load->def;

	if (def->tool != NULL) {
		g_autoptr(GError) failure = NULL;
		g_autoptr(VerbAnswer) answer = target_ask(worker->target,
		    worker_deadline(), &failure, "which", def->tool, NULL);
		if (answer == NULL) {
			g_set_error(error, ABRUN_ERROR,
			    failure->code == ABRUN_ERROR_HOST
				? ABRUN_ERROR_HOST
				: ABRUN_ERROR_USAGE,
			    "%s: load %s needs %s, which was not found (%s)",
			    worker_host(worker)->name, load->name, def->tool,
			    failure->message);
			return false;
		}
		const char *path = verb_answer_get(answer, "path");
		const char *sum = verb_answer_get(answer, "sha256");
		if (path == NULL || sum == NULL)
			return verb_answer_check(answer, error);
		(void)g_hash_table_insert(
		    worker->hashes, g_strdup(path), g_strdup(sum));
		if (!worker_fact(
			worker, "load", load->name, "path", path, error) ||
		    !worker_fact(
			worker, "load", load->name, "sha256", sum, error))
			return false;
	}
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

/* One setup or cleanup command of a load. */
static bool
run_command(Worker *worker, size_t index, const char *what,
    const char *template, GHashTable *done, GError **error)
{
	const Load *load = worker_matrix(worker)->loads->pdata[index];
	g_autoptr(GHashTable) values =
	    measure_values(worker, load, index, NULL, 0, 0, error);

	if (values == NULL)
		return false;
	g_autofree char *command = load_expand_command(template, values, error);
	if (command == NULL)
		return false;
	/* Loads that share their data would else make it twice. */
	if (!g_hash_table_add(done, g_strdup(command)))
		return true;
	log_verbose("%s: %s: %s", worker_host(worker)->name, what, command);
	g_autoptr(VerbAnswer) answer =
	    measure_execute(worker, command, load->timeout_ms, error);
	LoadOutput output;
	if (answer == NULL || !measure_output(answer, &output, error))
		return false;
	if (output.status == 0 && !output.timed_out)
		return true;
	g_autofree char *tail =
	    text_printable(*output.err != '\0' ? output.err : output.out, 400);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED, "%s: %s %s: %s",
	    load->name, what,
	    output.timed_out ? "did not end in time" : "failed", tail);
	return false;
}

static GHashTable *
done_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static bool
set_up_loads(Worker *worker, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);
	g_autoptr(GHashTable) done = done_new();
	g_autoptr(GPtrArray) none = g_ptr_array_new();

	if (worker->control != NULL &&
	    !server_start(worker->control, none, worker->subjects,
		worker->work_dir, &worker->life, error))
		return false;
	if (worker->control != NULL &&
	    (!worker_fact(worker, "server", NULL, "version",
		 worker->life.version, error) ||
		!worker_fact(worker, "server", NULL, "sha256",
		    worker->life.exe_sha256, error)))
		return false;
	if (worker->control != NULL)
		worker->server_sha256 = g_strdup(worker->life.exe_sha256);
	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = matrix->loads->pdata[i];
		if (load->setup != NULL &&
		    !run_command(worker, i, "setup", load->setup, done, error))
			return false;
	}
	return true;
}

bool
prepare_target(Worker *worker, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);

	if (!libraries_resolve(worker, error))
		return false;
	for (guint i = 0; i < matrix->loads->len; i++)
		if (!find_tool(worker, matrix->loads->pdata[i], error))
			return false;
	return set_up_loads(worker, error);
}

/* Keeps the first error, tells the others. */
static void
note(Worker *worker, GError **first, GError *failure)
{
	if (failure == NULL)
		return;
	log_error("%s: %s", worker_host(worker)->name, failure->message);
	if (*first == NULL)
		*first = failure;
	else
		g_error_free(failure);
}

static void
clean_loads(Worker *worker, GError **first)
{
	const Matrix *matrix = worker_matrix(worker);
	g_autoptr(GHashTable) done = done_new();

	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = matrix->loads->pdata[i];
		GError *failure = NULL;
		if (load->cleanup == NULL ||
		    run_command(
			worker, i, "cleanup", load->cleanup, done, &failure))
			continue;
		note(worker, first, failure);
	}
}

bool
prepare_finish(Worker *worker, GError **error)
{
	GError *first = NULL, *failure = NULL;
	g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func(g_free);

	if (!workdir_end_loads(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (worker->control == NULL || worker->life.pid != 0)
		clean_loads(worker, &first);
	if (worker->control != NULL && worker->life.pid != 0 &&
	    !server_stop(worker->control, &worker->life, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!workdir_end_server(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (!undo_all(worker->store, worker->target, worker->index,
		worker->boot_id, worker->work_dir, left, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	for (guint i = 0; i < left->len; i++)
		log_error("%s: left changed: %s", worker_host(worker)->name,
		    (const char *)left->pdata[i]);
	if (!workdir_remove(worker, &failure))
		note(worker, &first, g_steal_pointer(&failure));
	if (first == NULL)
		return true;
	g_propagate_error(error, first);
	return false;
}
