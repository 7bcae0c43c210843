#include "run/threadlib.h"

#include <string.h>

#include "base/failure.h"
#include "run/resolve.h"

/* The whole answer for a name that the target has, or NULL. */
static VerbAnswer *
ask(Worker *worker, const char *name, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	verb_call_add(call, "threadlib", name, NULL);
	if (!target_call(
		worker->target, call, worker_deadline(), &answers, error))
		return NULL;
	const VerbAnswer *answer = answers->pdata[0];
	const char *why = verb_answer_get(answer, "error");
	if (answer->status == VERB_ABSENT) {
		failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
		    "%s: threadlib \"%s\" cannot be had: %s",
		    worker_host(worker)->name, name,
		    why == NULL ? "there is no such library" : why);
		return NULL;
	}
	if (!verb_answer_check(answer, error))
		return NULL;
	if (verb_answer_get(answer, "library") == NULL) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "threadlib: the answer for %s is not whole", name);
		return NULL;
	}
	return g_ptr_array_steal_index(answers, 0);
}

/* A setting of ours beside the matrix's; for NULL it is nobody's. */
static void
add(Worker *worker, const Setting *of, SettingKind kind, const char *name,
    const char *value)
{
	ResolvedSetting *resolved = g_new0(ResolvedSetting, 1);

	resolved->of = of;
	resolved->is = g_new0(Setting, 1);
	resolved->is->kind = kind;
	resolved->is->name = g_strdup(name);
	resolved->is->value = g_strdup(value);
	g_ptr_array_add(worker->resolved, resolved);
}

bool
threadlib_resolve(
    Worker *worker, const Setting *setting, const Level *level, GError **error)
{
	g_autoptr(VerbAnswer) answer = ask(worker, setting->value, error);

	if (answer == NULL)
		return false;
	const char *file = verb_answer_get(answer, "library");
	const char *variable = verb_answer_get(answer, "env");
	const char *value = variable == NULL ? NULL : strchr(variable, '=');
	g_autoptr(GPtrArray) others = verb_answer_all(answer, "absent");

	if (!resolve_hash(worker, file, error))
		return false;
	add(worker, setting, SETTING_THREADLIB, "", file);
	if (value != NULL) {
		g_autofree char *name =
		    g_strndup(variable, (gsize)(value - variable));
		add(worker, setting, SETTING_ENV, name, value + 1);
	}
	for (guint i = 0; i < others->len; i++)
		add(worker, NULL, SETTING_THREADLIB, "", others->pdata[i]);
	return worker_fact(
		   worker, "threadlib", level->name, "path", file, error) &&
	    worker_fact(worker, "threadlib", level->name, "sha256",
		g_hash_table_lookup(worker->hashes, file), error);
}
