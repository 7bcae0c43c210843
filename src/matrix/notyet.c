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
	case SETTING_KERNEL:
	case SETTING_CMDLINE:
	case SETTING_LOADER:
	case SETTING_THREADLIB:
	case SETTING_SMT:
	case SETTING_GOVERNOR:
	case SETTING_TURBO:
	case SETTING_FILE:
	case SETTING_DURING:
		return true;
	case SETTING_SYSCTL:
	case SETTING_SYSFS:
	case SETTING_PRELOAD:
	case SETTING_ENV:
	case SETTING_MYSQLD:
	case SETTING_CPUSET:
	case SETTING_THP:
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

static void
tell_hosts(const Matrix *matrix, GString *lines)
{
	for (guint i = 0; i < matrix->targets->len; i++) {
		const Host *host = g_ptr_array_index(matrix->targets, i);
		if (strcmp(host->os, "linux") != 0)
			tell(lines, "target %s: os = \"%s\"", host->name,
			    host->os);
		if (strcmp(host->client, "target") != 0)
			tell(lines, "target %s: client = \"%s\"", host->name,
			    host->client);
	}
}

static void
tell_server(const Server *server, GString *lines)
{
	switch (server->kind) {
	case SERVER_NONE:
		tell(lines, "a matrix without server");
		break;
	case SERVER_SERVICE:
		tell(lines, "server.service");
		break;
	case SERVER_OTHER:
		tell(lines, "server.start, stop and ready");
		break;
	case SERVER_COMMAND:
		if (!server->mysqld)
			tell(lines, "server.command that is no mysqld");
		break;
	}
}

static void
tell_design(const Matrix *matrix, GString *lines)
{
	const Design *design = &matrix->design;
	const StopRule *stop = &design->stop;

	/* lazy reboots for boot-class settings only, told as such. */
	if (design->boot == BOOT_ROUND || design->boot == BOOT_VISIT)
		tell(lines, "design.boot = \"%s\"",
		    boot_policy_name(design->boot));
	if (design->share)
		tell(lines, "design.share");
	if (design->contrasts->len > 0)
		tell(lines, "design.contrasts");
	if (stop->halfwidth_percent > 0 || stop->looks > 0 ||
	    stop->max_rounds > 0 || stop->until != NULL)
		tell(lines, "design.stop");
}

char *
matrix_not_yet(const Matrix *matrix)
{
	g_autoptr(GString) lines = g_string_new(NULL);

	tell_settings(matrix, lines);
	tell_hosts(matrix, lines);
	tell_server(&matrix->server, lines);
	if (matrix->monitors->len > 0)
		tell(lines, "monitors");
	if (matrix->notify->len > 0)
		tell(lines, "notify");
	tell_design(matrix, lines);
	return lines->len == 0 ? NULL
			       : g_string_free(g_steal_pointer(&lines), FALSE);
}
