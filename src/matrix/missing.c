#include "matrix/parse.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"

static void G_GNUC_PRINTF(2, 3) tell(GString *lines, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *line = g_strdup_printf("missing: %s\n", what);
	if (strstr(lines->str, line) == NULL)
		g_string_append(lines, line);
}

/* words: "mail root", a program of hooks/FOLDER and its arguments; or NULL. */
static void
tell_program(
    GString *lines, const Matrix *matrix, const char *folder, const char *words)
{
	if (words == NULL)
		return;
	g_autofree char *name = g_strndup(words, strcspn(words, " "));
	g_autofree char *relative =
	    g_strdup_printf("hooks/%s/%s", folder, name);
	g_autofree char *found = text_is_safe_name(name)
	    ? matrix_find_file(matrix->path, relative)
	    : NULL;

	if (found != NULL && access(found, X_OK) != 0)
		tell(lines, "%s = \"%s\": %s cannot be executed", folder, words,
		    found);
	if (found != NULL)
		return;
	g_autofree char *places = matrix_places(matrix->path, relative);
	tell(lines, "%s = \"%s\": no such program, looked for %s", folder,
	    words, places);
}

static void
tell_programs(GString *lines, const Matrix *matrix, const char *folder,
    const GPtrArray *list)
{
	for (guint i = 0; list != NULL && i < list->len; i++)
		tell_program(lines, matrix, folder, list->pdata[i]);
}

/* Absolute ones are the host's, and templates are not known yet. */
static void
tell_script(GString *lines, const Matrix *matrix, const char *load,
    const char *key, const char *name)
{
	if (name == NULL || *name == '\0' || g_path_is_absolute(name) ||
	    strchr(name, '{') != NULL)
		return;
	g_autofree char *found = matrix_find_file(matrix->path, name);
	if (found != NULL)
		return;
	g_autofree char *places = matrix_places(matrix->path, name);
	tell(lines, "load %s, %s = \"%s\": no such script, looked for %s", load,
	    key, name, places);
}

static void
tell_scripts(GString *lines, const Matrix *matrix, const Load *load)
{
	for (guint i = 0; i < load->def->keys->len; i++) {
		const LoadDefKey *key = load->def->keys->pdata[i];
		const Factor *factor = matrix_factor(matrix, key->name);
		const char *given = load_key(load, key->name);
		if (!key->script)
			continue;
		for (guint j = 0; factor != NULL && j < factor->levels->len;
		     j++)
			tell_script(lines, matrix, load->name, key->name,
			    ((Level *)factor->levels->pdata[j])->name);
		if (given != NULL || factor == NULL)
			tell_script(lines, matrix, load->name, key->name,
			    given != NULL ? given : key->fallback);
	}
}

char *
matrix_missing(const Matrix *matrix)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	const GPtrArray *const hosts[] = { matrix->targets, matrix->hosts };

	for (size_t i = 0; i < G_N_ELEMENTS(hosts); i++)
		for (guint j = 0; j < hosts[i]->len; j++) {
			const Host *host = hosts[i]->pdata[j];
			tell_programs(lines, matrix, "power", host->power);
			tell_program(lines, matrix, "boot", host->boot);
		}
	tell_programs(lines, matrix, "visit", matrix->visit);
	tell_programs(lines, matrix, "notify", matrix->notify);
	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = matrix->loads->pdata[i];
		if (load->def != NULL)
			tell_scripts(lines, matrix, load);
	}
	return lines->len == 0 ? NULL
			       : g_string_free(g_steal_pointer(&lines), FALSE);
}
