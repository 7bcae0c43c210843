#include "matrix/matrix.h"

#include <string.h>

static void G_GNUC_PRINTF(2, 3) tell(GString *lines, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *line = g_strdup_printf("not yet: %s", what);
	if (strstr(lines->str, line) != NULL)
		return;
	if (lines->len > 0)
		g_string_append_c(lines, '\n');
	g_string_append(lines, line);
}

/* Kinds that nothing carries out now. */
static bool
is_later(SettingKind kind)
{
	switch (kind) {
	case SETTING_SMT:
	case SETTING_GOVERNOR:
	case SETTING_TURBO:
	case SETTING_FILE:
		return true;
	case SETTING_KERNEL:
	case SETTING_CMDLINE:
	case SETTING_LOADER:
	case SETTING_SYSCTL:
	case SETTING_SYSFS:
	case SETTING_THREADLIB:
	case SETTING_PRELOAD:
	case SETTING_ENV:
	case SETTING_MYSQLD:
	case SETTING_CPUSET:
	case SETTING_THP:
	case SETTING_DURING:
	case SETTING_COMMAND:
	case SETTING_KINDS:
		break;
	}
	return false;
}

static void
tell_settings(const Matrix *matrix, GString *lines)
{
	g_autoptr(GPtrArray) subjects = matrix_subjects(matrix);

	for (size_t kind = 0; kind < SETTING_KINDS; kind++)
		for (guint i = 0; i < subjects->len; i++) {
			const Setting *setting = g_ptr_array_index(subjects, i);
			if (setting->kind == kind && is_later(setting->kind))
				tell(lines, "setting %s (line %d)",
				    setting_kind_name(setting->kind),
				    setting->line);
			if (setting->kind == kind && is_later(setting->kind))
				break;
		}
}

static bool
is_known_system(const Host *host)
{
	return strcmp(host->os, "linux") == 0 ||
	    strcmp(host->os, "freebsd") == 0;
}

static void
tell_hosts(const Matrix *matrix, GString *lines)
{
	for (guint i = 0; i < matrix->targets->len; i++) {
		const Host *host = g_ptr_array_index(matrix->targets, i);
		if (!is_known_system(host))
			tell(lines, "target %s: os = \"%s\"", host->name,
			    host->os);
	}
	for (guint i = 0; i < matrix->hosts->len; i++) {
		const Host *host = g_ptr_array_index(matrix->hosts, i);
		if (!is_known_system(host))
			tell(lines, "host %s: os = \"%s\"", host->name,
			    host->os);
	}
}

static void
tell_design(const Matrix *matrix, GString *lines)
{
	const Design *design = &matrix->design;

	if (design->share)
		tell(lines, "design.share");
}

char *
matrix_not_yet(const Matrix *matrix)
{
	g_autoptr(GString) lines = g_string_new(NULL);

	tell_settings(matrix, lines);
	tell_hosts(matrix, lines);
	tell_design(matrix, lines);
	return lines->len == 0 ? NULL
			       : g_string_free(g_steal_pointer(&lines), FALSE);
}
