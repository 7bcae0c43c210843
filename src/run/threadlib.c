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

/* What stands for the program until it is known. */
static const char unknown_program[] = "?";

/* By a variable, or for one program by a file whatever its variables. */
static bool
add_choice(Worker *worker, const Setting *setting, const char *variable,
    GError **error)
{
	const char *name = setting_threadlib_name(setting->value);
	const char *value = variable == NULL ? NULL : strchr(variable, '=');

	/* Where there is no other library nothing chooses. */
	if (value == NULL)
		return true;
	if (name == setting->value) {
		g_autofree char *word =
		    g_strndup(variable, (gsize)(value - variable));
		add(worker, setting, SETTING_ENV, word, value + 1);
		return true;
	}
	if (worker_matrix(worker)->server.kind == SERVER_NONE) {
		failure_set(error, FAILURE_MATRIX_ERROR, ABRUN_ERROR_USAGE,
		    "threadlib \"%s\" needs a server, whose program the file "
		    "is for: give \"%s\" to loads",
		    setting->value, name);
		return false;
	}
	add(worker, setting, SETTING_THREADLIB, unknown_program, name);
	return true;
}

void
threadlib_learn_program(Worker *worker)
{
	if (worker->life.exe == NULL)
		return;
	g_autofree char *program = g_path_get_basename(worker->life.exe);
	for (guint i = 0; i < worker->resolved->len; i++) {
		const ResolvedSetting *one = worker->resolved->pdata[i];
		if (one->is->kind != SETTING_THREADLIB ||
		    *one->is->name == '\0')
			continue;
		g_free(one->is->name);
		one->is->name = g_strdup(program);
	}
}

bool
threadlib_resolve(
    Worker *worker, const Setting *setting, const Level *level, GError **error)
{
	g_autoptr(VerbAnswer) answer =
	    ask(worker, setting_threadlib_name(setting->value), error);

	if (answer == NULL)
		return false;
	const char *file = verb_answer_get(answer, "library");
	g_autoptr(GPtrArray) others = verb_answer_all(answer, "absent");

	if (!resolve_hash(worker, file, error))
		return false;
	add(worker, setting, SETTING_THREADLIB, "", file);
	if (!add_choice(worker, setting, verb_answer_get(answer, "env"), error))
		return false;
	for (guint i = 0; i < others->len; i++)
		add(worker, NULL, SETTING_THREADLIB, "", others->pdata[i]);
	return worker_fact(
		   worker, "threadlib", level->name, "path", file, error) &&
	    worker_fact(worker, "threadlib", level->name, "sha256",
		g_hash_table_lookup(worker->hashes, file), error);
}
