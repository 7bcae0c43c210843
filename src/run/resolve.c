#include "run/resolve.h"

#include <string.h>

#include "base/failure.h"
#include "run/kernels.h"
#include "run/threadlib.h"
#include "run/values.h"

static Setting *
remember(Worker *worker, const Setting *setting)
{
	ResolvedSetting *resolved = g_new0(ResolvedSetting, 1);
	Setting *copy = g_new0(Setting, 1);

	*copy = *setting;
	copy->name = g_strdup(setting->name);
	copy->value = g_strdup(setting->value);
	copy->apply = g_strdup(setting->apply);
	copy->undo = g_strdup(setting->undo);
	copy->verify = g_strdup(setting->verify);
	resolved->of = setting;
	resolved->is = copy;
	g_ptr_array_add(worker->resolved, resolved);
	return copy;
}

/* A bare name must stand for exactly one file. */
static char *
resolve_one(Worker *worker, const char *name, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	verb_call_add(call, "resolve_library", name, NULL);
	if (!target_call(
		worker->target, call, worker_deadline(), &answers, error))
		return NULL;
	const VerbAnswer *answer = answers->pdata[0];
	if (answer->status != VERB_ABSENT && !verb_answer_check(answer, error))
		return NULL;
	g_autoptr(GPtrArray) paths = verb_answer_all(answer, "path");
	if (paths->len == 1)
		return g_strdup(paths->pdata[0]);
	g_ptr_array_add(paths, NULL);
	g_autofree char *found = g_strjoinv(", ", (char **)paths->pdata);
	failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
	    "%s: preload \"%s\" must name one library, found %s; give its "
	    "path instead",
	    worker_host(worker)->name, name, *found == '\0' ? "none" : found);
	return NULL;
}

bool
resolve_hash(Worker *worker, const char *path, GError **error)
{
	g_autoptr(VerbAnswer) answer = target_ask(
	    worker->target, worker_deadline(), error, "hash", path, NULL);

	if (answer == NULL)
		return false;
	const char *sum = verb_answer_get(answer, "sha256");
	if (sum == NULL || strcmp(sum, "missing") == 0) {
		failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
		    "%s: %s is not there, or cannot be read",
		    worker_host(worker)->name, path);
		return false;
	}
	(void)g_hash_table_insert(
	    worker->hashes, g_strdup(path), g_strdup(sum));
	return true;
}

static bool
resolve_preload(
    Worker *worker, const Setting *setting, const Level *level, GError **error)
{
	g_autofree char *path = strchr(setting->value, '/') != NULL
	    ? g_strdup(setting->value)
	    : resolve_one(worker, setting->value, error);

	if (path == NULL || !resolve_hash(worker, path, error))
		return false;
	Setting *resolved = remember(worker, setting);
	g_free(resolved->value);
	resolved->value = g_strdup(path);
	return worker_fact(
		   worker, "library", level->name, "path", path, error) &&
	    worker_fact(worker, "library", level->name, "sha256",
		g_hash_table_lookup(worker->hashes, path), error);
}

/* *text, with templates expanded; NULL stays NULL. */
static bool
expand(char **text, const LoadValues *values, GError **error)
{
	if (*text == NULL)
		return true;
	char *expanded = load_expand_command(*text, values, error);
	if (expanded == NULL)
		return false;
	g_free(*text);
	*text = expanded;
	return true;
}

static bool
resolve_command(Worker *worker, const Setting *setting, GError **error)
{
	g_autoptr(GHashTable) values = values_host(worker);
	Setting *resolved = remember(worker, setting);

	return (setting->kind != SETTING_DURING ||
		   expand(&resolved->value, values, error)) &&
	    expand(&resolved->apply, values, error) &&
	    expand(&resolved->undo, values, error) &&
	    expand(&resolved->verify, values, error);
}

bool
resolve_level(Worker *worker, const Level *level, GError **error)
{
	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = level->settings->pdata[i];
		if (setting->kind == SETTING_KERNEL &&
		    !kernels_resolve(worker, setting->value, error))
			return false;
		if ((setting->kind == SETTING_CMDLINE ||
			setting->kind == SETTING_LOADER) &&
		    !kernels_take(worker, setting, error))
			return false;
		if (setting->kind == SETTING_PRELOAD &&
		    !resolve_preload(worker, setting, level, error))
			return false;
		if (setting->kind == SETTING_THREADLIB &&
		    !threadlib_resolve(worker, setting, level, error))
			return false;
		if ((setting->kind == SETTING_COMMAND ||
			setting->kind == SETTING_DURING) &&
		    !resolve_command(worker, setting, error))
			return false;
	}
	return true;
}

/*
 * Every level at once, so that each library is known, and proved absent where
 * it is not wanted.
 */
static bool
resolve_levels(Worker *worker, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);

	for (guint f = 0; f < matrix->factors->len; f++) {
		const Factor *factor = matrix->factors->pdata[f];
		for (guint l = 0; l < factor->levels->len; l++)
			if (!resolve_level(
				worker, factor->levels->pdata[l], error))
				return false;
	}
	return true;
}

void
resolve_subjects(Worker *worker)
{
	g_autoptr(GPtrArray) subjects = matrix_subjects(worker_matrix(worker));

	for (guint i = 0; i < subjects->len; i++) {
		const Setting *subject = subjects->pdata[i];
		if (subject->kind != SETTING_PRELOAD &&
		    subject->kind != SETTING_THREADLIB)
			g_ptr_array_add(worker->subjects,
			    (gpointer)worker_resolve(worker, subject));
	}
	for (guint i = 0; i < worker->resolved->len; i++) {
		const ResolvedSetting *resolved = worker->resolved->pdata[i];
		if (resolved->is->kind == SETTING_PRELOAD ||
		    resolved->is->kind == SETTING_THREADLIB ||
		    (resolved->of != NULL &&
			resolved->of->kind == SETTING_THREADLIB))
			g_ptr_array_add(worker->subjects, resolved->is);
	}
}

bool
resolve_server(Worker *worker, GError **error)
{
	g_autoptr(GHashTable) values = values_host(worker);
	const Server *server = &worker_matrix(worker)->server;
	const char *const texts[] = { server->command, server->start,
		server->stop, server->ready };
	char **const commands = worker->server_commands;

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_clear_pointer(&commands[i], g_free);
		if (texts[i] == NULL)
			continue;
		commands[i] = load_expand_command(texts[i], values, error);
		if (commands[i] == NULL)
			return false;
	}
	worker->server.command = commands[0];
	worker->server.start = commands[1];
	worker->server.stop = commands[2];
	worker->server.ready = commands[3];
	return true;
}

bool
resolve_settings(Worker *worker, GError **error)
{
	if (!resolve_server(worker, error) || !resolve_levels(worker, error) ||
	    !kernels_differ(worker, error))
		return false;
	resolve_subjects(worker);
	return true;
}
