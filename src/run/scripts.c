#include "run/scripts.h"

#include <string.h>

#include "base/failure.h"
#include "base/file.h"
#include "base/text.h"
#include "run/resolve.h"

enum { SCRIPT_BYTES = 1 << 20 };

/* The text of a script on the controller; free it. */
static char *
read_script(const Worker *worker, const char *name, GError **error)
{
	const char *matrix = worker_matrix(worker)->path;
	g_autofree char *path = matrix_find_file(matrix, name);
	size_t length = 0;

	if (path == NULL) {
		g_autofree char *places = matrix_places(matrix, name);
		failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
		    "there is no script %s (looked for %s)", name, places);
		return NULL;
	}
	g_autofree char *text = file_read(path, SCRIPT_BYTES, &length, error);
	if (text != NULL && strlen(text) != length) {
		failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
		    "%s: a script must be text, but it holds NUL bytes", path);
		return NULL;
	}
	return g_steal_pointer(&text);
}

static bool
put_script(Worker *worker, size_t load, const char *key, const char *name,
    GError **error)
{
	g_autofree char *base = g_path_get_basename(name);
	g_autofree char *safe = text_safe_name(base);
	g_autofree char *remote = g_strdup_printf(
	    "%s/%u-%s", worker->work_dir, worker->scripts->len, safe);
	g_autofree char *text = read_script(worker, name, error);

	if (text == NULL)
		return false;
	g_autoptr(VerbAnswer) answer = target_ask(worker->target,
	    worker_deadline(), error, "put", remote, "0700", text, NULL);
	if (answer == NULL)
		return false;
	g_autofree char *wanted = text_sha256(text, strlen(text));
	const char *seen = verb_answer_get(answer, "sha256");
	if (g_strcmp0(seen, wanted) != 0) {
		failure_set(error, FAILURE_SOFTWARE_CHANGED, ABRUN_ERROR_VERIFY,
		    "script %s was copied to %s: sha256 wanted %s, seen %s",
		    name, remote, wanted, seen == NULL ? "nothing" : seen);
		return false;
	}
	(void)g_hash_table_insert(
	    worker->hashes, g_strdup(remote), g_strdup(wanted));
	WorkerScript *script = g_new0(WorkerScript, 1);
	script->load = load;
	script->key = g_strdup(key);
	script->name = g_strdup(name);
	script->path = g_steal_pointer(&remote);
	g_ptr_array_add(worker->scripts, script);
	return worker_fact(worker, "script", name, "sha256", wanted, error);
}

/* One that the host has itself stays what it was when it was first seen. */
static bool
keep_own(Worker *worker, const char *path, GError **error)
{
	if (g_hash_table_contains(worker->hashes, path))
		return true;
	return resolve_hash(worker, path, error) &&
	    worker_fact(worker, "script", path, "sha256",
		g_hash_table_lookup(worker->hashes, path), error);
}

/* What a key of a load may be: its own value, a variable's, the default. */
static GPtrArray *
values_of(const Worker *worker, const Load *load, const LoadDefKey *key)
{
	GPtrArray *values = g_ptr_array_new();

	for (guint i = 0; i < load->keys->len; i++) {
		const LoadKey *given = load->keys->pdata[i];
		if (strcmp(given->name, key->name) == 0)
			g_ptr_array_add(values, given->value);
	}
	const Factor *factor = matrix_factor(worker_matrix(worker), key->name);
	for (guint i = 0; factor != NULL && i < factor->levels->len; i++) {
		const Level *level = factor->levels->pdata[i];
		g_ptr_array_add(values, level->name);
	}
	if (values->len == 0 && key->fallback != NULL)
		g_ptr_array_add(values, key->fallback);
	return values;
}

static bool
put_key(Worker *worker, size_t load, const LoadDefKey *key, GError **error)
{
	g_autoptr(GPtrArray) values =
	    values_of(worker, worker_matrix(worker)->loads->pdata[load], key);

	for (guint i = 0; i < values->len; i++) {
		const char *name = values->pdata[i];
		if (*name == '\0')
			continue;
		if (g_path_is_absolute(name)) {
			/* A rehearsal tells of them beside all else. */
			if (strchr(name, '{') == NULL && !worker->rehearsal &&
			    !keep_own(worker, name, error))
				return false;
			continue;
		}
		if (strchr(name, '{') != NULL) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "not yet: a script whose name holds a template "
			    "(%s = \"%s\"); name the variable %s instead",
			    key->name, name, key->name);
			return false;
		}
		if (!put_script(worker, load, key->name, name, error))
			return false;
	}
	return true;
}

GPtrArray *
scripts_there(const Worker *worker)
{
	const Matrix *matrix = worker_matrix(worker);
	GPtrArray *paths = g_ptr_array_new();

	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = matrix->loads->pdata[i];
		for (guint k = 0; k < load->def->keys->len; k++) {
			const LoadDefKey *key = load->def->keys->pdata[k];
			g_autoptr(GPtrArray) values =
			    values_of(worker, load, key);
			for (guint v = 0; key->script && v < values->len; v++)
				if (g_path_is_absolute(values->pdata[v]) &&
				    strchr(values->pdata[v], '{') == NULL)
					g_ptr_array_add(
					    paths, values->pdata[v]);
		}
	}
	return paths;
}

bool
scripts_put(Worker *worker, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);

	for (guint i = 0; i < worker->scripts->len; i++) {
		const WorkerScript *old = worker->scripts->pdata[i];
		(void)g_hash_table_remove(worker->hashes, old->path);
	}
	g_ptr_array_set_size(worker->scripts, 0);
	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = matrix->loads->pdata[i];
		for (guint k = 0; k < load->def->keys->len; k++) {
			const LoadDefKey *key = load->def->keys->pdata[k];
			if (key->script && !put_key(worker, i, key, error))
				return false;
		}
	}
	return true;
}
