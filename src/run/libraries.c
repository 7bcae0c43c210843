#include "run/libraries.h"

#include <string.h>

#include "base/error.h"

static Setting *
copy_resolved(const Setting *setting, const char *path)
{
	Setting *copy = g_new0(Setting, 1);

	*copy = *setting;
	copy->name = g_strdup(setting->name);
	copy->value = g_strdup(path);
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
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s: preload \"%s\" must name one library, found %s; give its "
	    "path instead",
	    worker_host(worker)->name, name, *found == '\0' ? "none" : found);
	return NULL;
}

static bool
remember_hash(Worker *worker, const char *path, GError **error)
{
	g_autoptr(VerbAnswer) answer = target_ask(
	    worker->target, worker_deadline(), error, "hash", path, NULL);

	if (answer == NULL)
		return false;
	const char *sum = verb_answer_get(answer, "sha256");
	if (sum == NULL || strcmp(sum, "missing") == 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
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

	if (path == NULL || !remember_hash(worker, path, error))
		return false;
	ResolvedSetting *resolved = g_new0(ResolvedSetting, 1);
	resolved->of = setting;
	resolved->is = copy_resolved(setting, path);
	g_ptr_array_add(worker->resolved, resolved);
	return worker_fact(
		   worker, "library", level->name, "path", path, error) &&
	    worker_fact(worker, "library", level->name, "sha256",
		g_hash_table_lookup(worker->hashes, path), error);
}

/*
 * Every preload of every level, so that each library is known, and proved
 * absent where it is not wanted.
 */
static bool
resolve_preloads(Worker *worker, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);

	for (guint f = 0; f < matrix->factors->len; f++) {
		const Factor *factor = matrix->factors->pdata[f];
		for (guint l = 0; l < factor->levels->len; l++) {
			const Level *level = factor->levels->pdata[l];
			for (guint s = 0; s < level->settings->len; s++) {
				const Setting *setting =
				    level->settings->pdata[s];
				if (setting->kind == SETTING_PRELOAD &&
				    !resolve_preload(
					worker, setting, level, error))
					return false;
			}
		}
	}
	return true;
}

/* All that must be proved absent where it is not wanted, each library too. */
static void
list_subjects(Worker *worker)
{
	g_autoptr(GPtrArray) subjects = matrix_subjects(worker_matrix(worker));

	for (guint i = 0; i < subjects->len; i++) {
		const Setting *subject = subjects->pdata[i];
		if (subject->kind != SETTING_PRELOAD)
			g_ptr_array_add(worker->subjects, (gpointer)subject);
	}
	for (guint i = 0; i < worker->resolved->len; i++) {
		const ResolvedSetting *resolved = worker->resolved->pdata[i];
		g_ptr_array_add(worker->subjects, resolved->is);
	}
}

bool
libraries_resolve(Worker *worker, GError **error)
{
	if (!resolve_preloads(worker, error))
		return false;
	list_subjects(worker);
	return true;
}
