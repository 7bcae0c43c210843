#include "run/hook.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/process.h"
#include "base/text.h"
#include "matrix/matrix.h"

/* What a hook says is kept for a message only. */
enum { OUTPUT_BYTES = 8192, SAID_BYTES = 300 };

/* A failure to run is a hook's, whatever it was. */
static void
set_failed(GError **error, const char *words, const char *why)
{
	failure_set(error, FAILURE_HOOK_FAILED, ABRUN_ERROR_FAILED,
	    "the hook \"%s\" %s", words, why);
}

char *
hook_path(const char *matrix_path, const char *folder, const char *words,
    GError **error)
{
	g_auto(GStrv) argv = g_strsplit(words, " ", -1);
	g_autofree char *relative = g_strdup_printf(
	    "hooks/%s/%s", folder, argv[0] == NULL ? "" : argv[0]);
	g_autofree char *found = argv[0] != NULL && text_is_safe_name(argv[0])
	    ? matrix_find_file(matrix_path, relative)
	    : NULL;

	if (found != NULL && access(found, X_OK) == 0)
		return g_steal_pointer(&found);
	g_autofree char *places = matrix_places(matrix_path, relative);
	failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
	    "%s = \"%s\": %s%s%s", folder, words,
	    found != NULL ? found : "no such program, looked for ",
	    found != NULL ? " cannot be executed" : "",
	    found != NULL ? "" : places);
	return NULL;
}

char **
hook_environment(const HookFact *facts, size_t n)
{
	static const char *const passed[] = { "PATH", "HOME", "LANG" };
	GPtrArray *env = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(passed); i++) {
		const char *value = getenv(passed[i]);
		if (value != NULL)
			g_ptr_array_add(
			    env, g_strdup_printf("%s=%s", passed[i], value));
	}
	for (size_t i = 0; i < n; i++)
		if (facts[i].value != NULL)
			g_ptr_array_add(env,
			    g_strdup_printf(
				"ABRUN_%s=%s", facts[i].name, facts[i].value));
	g_ptr_array_add(env, NULL);
	return (char **)g_ptr_array_free(env, FALSE);
}

/* The program's path, then its words, none of them empty. */
static char **
arguments(char *path, const char *words)
{
	g_auto(GStrv) parts = g_strsplit(words, " ", -1);
	GPtrArray *argv = g_ptr_array_new();

	g_ptr_array_add(argv, path);
	for (size_t i = 1; parts[i] != NULL; i++)
		if (*parts[i] != '\0')
			g_ptr_array_add(argv, g_strdup(parts[i]));
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

static bool
ended_well(const char *words, const ProcessResult *result, GError **error)
{
	if (result->status == 0)
		return true;
	g_autofree char *said = text_one_line(
	    result->err->len > 0 ? result->err->str : result->out->str,
	    SAID_BYTES);
	g_autofree char *why = g_strdup_printf("ended with %s %d%s%s",
	    result->signal != 0 ? "signal" : "status",
	    result->signal != 0 ? result->signal : result->status,
	    *said == '\0' ? "" : ": ", said);
	set_failed(error, words, why);
	return false;
}

bool
hook_ask(const char *matrix_path, const char *folder, const char *words,
    const HookFact *facts, size_t n, int64_t limit_ms, const Cancel *cancel,
    char **said, GError **error)
{
	g_autoptr(GError) failure = NULL;
	g_auto(ProcessResult) result = { 0 };
	char *path = hook_path(matrix_path, folder, words, &failure);

	if (path == NULL) {
		set_failed(error, words, failure->message);
		return false;
	}
	g_auto(GStrv) argv = arguments(path, words);
	g_auto(GStrv) env = hook_environment(facts, n);
	if (process_run((const char *const *)argv, (const char *const *)env,
		NULL, OUTPUT_BYTES, deadline_in(limit_ms), cancel, &result,
		&failure)) {
		if (!ended_well(words, &result, error))
			return false;
		*said = g_strdup(result.out->str);
		return true;
	}
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED))
		g_propagate_error(error, g_steal_pointer(&failure));
	else
		set_failed(error, words, failure->message);
	return false;
}

bool
hook_run(const char *matrix_path, const char *folder, const char *words,
    const HookFact *facts, size_t n, int64_t limit_ms, const Cancel *cancel,
    GError **error)
{
	g_autofree char *said = NULL;

	return hook_ask(matrix_path, folder, words, facts, n, limit_ms, cancel,
	    &said, error);
}
