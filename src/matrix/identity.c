#include "matrix/matrix.h"

#include <string.h>

/*
 * One line a fact, "key value value...", each value quoted, so that no two
 * matrices give one text.
 */
static void
put_values(GString *text, const char *key, size_t n, const char *const *values)
{
	g_string_append(text, key);
	for (size_t i = 0; i < n; i++) {
		g_autofree char *escaped = g_strescape(values[i], NULL);
		g_string_append_printf(text, " \"%s\"", escaped);
	}
	g_string_append_c(text, '\n');
}

static void
put(GString *text, const char *key, const char *value)
{
	put_values(text, key, 1, &value);
}

static void
put2(GString *text, const char *key, const char *a, const char *b)
{
	put_values(text, key, 2, (const char *const[]){ a, b });
}

static void
put3(
    GString *text, const char *key, const char *a, const char *b, const char *c)
{
	put_values(text, key, 3, (const char *const[]){ a, b, c });
}

static void
put_optional(GString *text, const char *key, const char *value)
{
	if (value != NULL)
		put(text, key, value);
}

static void
put_number(GString *text, const char *key, int64_t value)
{
	g_string_append_printf(text, "%s %" G_GINT64_FORMAT "\n", key, value);
}

static void
put_double(GString *text, const char *key, double value)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(text, "%s %s\n", key,
	    g_ascii_dtostr(number, sizeof(number), value));
}

static void
put_strings(GString *text, const char *key, const GPtrArray *strings)
{
	for (guint i = 0; i < strings->len; i++)
		put(text, key, g_ptr_array_index(strings, i));
}

/* A path beside the matrix, whatever way the matrix was named. */
static const char *
without_directory(const Matrix *matrix, const char *path)
{
	g_autofree char *directory = g_path_get_dirname(matrix->path);
	const size_t length = strlen(directory);

	if (path != NULL && strncmp(path, directory, length) == 0 &&
	    path[length] == '/')
		return path + length + 1;
	return path;
}

/*
 * Not ssh, ssh_config, key, known_hosts, fingerprint, host_key and patience:
 * how to log in; not power.  An address that was not given follows from ssh.
 */
static void
put_host(GString *text, const char *what, const Host *host)
{
	put2(text, what, host->name, host->os);
	put_number(text, " sudo", host->sudo);
	put_optional(text, " path", host->path);
	put_optional(text, " console", host->console);
	put_optional(text, " boot", host->boot);
	put_optional(text, " client", host->client);
	if (host->address_given)
		put_optional(text, " address", host->address);
}

static void
put_level(GString *text, const Level *level)
{
	put(text, " level", level->name);
	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = g_ptr_array_index(level->settings, i);
		put3(text, "  set", setting_kind_name(setting->kind),
		    setting->name, setting->value);
		put_optional(text, "   apply", setting->apply);
		put_optional(text, "   undo", setting->undo);
		put_optional(text, "   verify", setting->verify);
	}
	put_strings(text, "  expect", level->expect);
	put_number(text, "  same", level->same);
}

static void
put_factor(GString *text, const Factor *factor)
{
	put2(text, "factor", factor->name, factor_class_name(factor->class));
	for (guint i = 0; i < factor->levels->len; i++)
		put_level(text, g_ptr_array_index(factor->levels, i));
}

static void
put_server(GString *text, const Matrix *matrix)
{
	const Server *server = &matrix->server;

	put_number(text, "server", server->kind);
	put_optional(text, " service", server->service);
	put_optional(text, " command", server->command);
	put_optional(text, " start", server->start);
	put_optional(text, " stop", server->stop);
	put_optional(text, " ready", server->ready);
	put_number(text, " mysqld", server->mysqld);
	put_optional(text, " run_as", server->run_as);
	put_optional(text, " datadir", server->datadir);
	put_optional(text, " datadir_from", server->datadir_from);
	put_optional(text, " socket", server->socket);
	put_number(text, " port", server->port);
	put_optional(text, " user", server->user);
	put_optional(text, " db", server->db);
	put_optional(text, " option_file",
	    without_directory(matrix, server->option_file));
	put_optional(text, " password_env", server->password_env);
	put_number(text, " start_timeout", server->start_timeout_ms);
	put_number(text, " stop_timeout", server->stop_timeout_ms);
}

static void
put_metrics(GString *text, const Load *load)
{
	for (guint i = 0; i < load->metrics->len; i++) {
		const Metric *metric = g_ptr_array_index(load->metrics, i);
		put2(text, " metric", metric->name, metric->unit);
		put_optional(text, "  regex", metric->regex);
		put_optional(text, "  formula", metric->formula);
		put_number(text, "  choice", metric->choice);
		put_number(
		    text, "  higher_is_better", metric->higher_is_better);
		put_number(text, "  optional", metric->optional);
		put_double(text, "  min", metric->min);
		put_double(text, "  max", metric->max);
	}
}

static void
put_load(GString *text, const Load *load)
{
	put2(text, "load", load->name, load->use);
	for (guint i = 0; i < load->keys->len; i++) {
		const LoadKey *key = g_ptr_array_index(load->keys, i);
		put2(text, " key", key->name, key->value);
	}
	put_strings(text, " variable", load->variables);
	put_optional(text, " command", load->command);
	put_optional(text, " setup", load->setup);
	put_optional(text, " prepare", load->prepare);
	put_optional(text, " restore", load->restore);
	put_optional(text, " cleanup", load->cleanup);
	put_strings(text, " table", load->tables);
	put(text, " reset", reset_name(load->reset));
	put_number(text, " writes", load->writes);
	put_number(text, " timeout", load->timeout_ms);
	put_metrics(text, load);
	put(text, " primary", load->primary);
}

static void
put_pattern(GString *text, const char *what, const CellPattern *pattern)
{
	g_string_append_printf(text, "%s\n", what);
	for (guint i = 0; i < pattern->factors->len; i++) {
		put(text, " factor", g_ptr_array_index(pattern->factors, i));
		put_strings(
		    text, "  level", g_ptr_array_index(pattern->levels, i));
	}
}

/* The index of a factor in a pattern, or -1. */
static int
pattern_index(const CellPattern *pattern, const char *factor)
{
	for (guint i = 0; pattern != NULL && i < pattern->factors->len; i++)
		if (strcmp(g_ptr_array_index(pattern->factors, i), factor) == 0)
			return (int)i;
	return -1;
}

static const char *
baseline_level(const Matrix *matrix, const Factor *factor)
{
	const CellPattern *baseline = matrix->design.baseline;
	const int index = pattern_index(baseline, factor->name);

	if (index >= 0)
		return g_ptr_array_index(
		    (GPtrArray *)g_ptr_array_index(baseline->levels, index), 0);
	const Level *first = g_ptr_array_index(factor->levels, 0);
	return first->name;
}

/*
 * A pattern that stands for cells: factors it does not name take the
 * baseline's level.  NULL is the baseline itself.
 */
static void
put_cells(GString *text, const char *what, const Matrix *matrix,
    const CellPattern *pattern)
{
	g_string_append_printf(text, "%s\n", what);
	for (guint i = 0; i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		const int index = pattern_index(pattern, factor->name);
		put(text, " factor", factor->name);
		if (index < 0)
			put(text, "  level", baseline_level(matrix, factor));
		else
			put_strings(text, "  level",
			    g_ptr_array_index(pattern->levels, index));
	}
}

/*
 * Not rounds, quiet, stop, margin, contrasts and baseline: they choose no
 * cells.
 */
static void
put_design(GString *text, const Matrix *matrix)
{
	const Design *design = &matrix->design;

	put_number(text, "runs", design->runs);
	put_number(text, "warmup_runs", design->warmup_runs);
	put_number(text, "warmup_ms", design->warmup_ms);
	put_number(text, "random", design->random);
	put(text, "boot", boot_policy_name(design->boot));
	put(text, "restart", restart_policy_name(design->restart));
	if (design->seed_given)
		g_string_append_printf(
		    text, "seed %" G_GUINT64_FORMAT "\n", design->seed);
	for (guint i = 0; i < design->exclude->len; i++)
		put_pattern(
		    text, "exclude", g_ptr_array_index(design->exclude, i));
	for (guint i = 0; i < design->include->len; i++)
		put_cells(text, "include", matrix,
		    g_ptr_array_index(design->include, i));
	if (design->aa)
		put_cells(text, "again", matrix, NULL);
	put_number(text, "share", design->share);
	put_double(text, "others", design->others_percent);
}

/* The matrix file itself is what stands above. */
static void
put_files(GString *text, const Matrix *matrix)
{
	for (guint i = 0; i < matrix->files->len; i++) {
		const MatrixFile *file = g_ptr_array_index(matrix->files, i);
		g_autofree char *name = g_path_get_basename(file->path);
		if (strcmp(file->role, "matrix") != 0)
			put3(text, "file", file->role, name, file->sha256);
	}
}

char *
matrix_identity_text(const Matrix *matrix)
{
	GString *text = g_string_new("abrun matrix 1\n");

	for (guint i = 0; i < matrix->hosts->len; i++)
		put_host(text, "host", g_ptr_array_index(matrix->hosts, i));
	for (guint i = 0; i < matrix->targets->len; i++)
		put_host(text, "target", g_ptr_array_index(matrix->targets, i));
	for (guint i = 0; i < matrix->factors->len; i++)
		put_factor(text, g_ptr_array_index(matrix->factors, i));
	put_server(text, matrix);
	for (guint i = 0; i < matrix->loads->len; i++)
		put_load(text, g_ptr_array_index(matrix->loads, i));
	for (guint i = 0; i < matrix->monitors->len; i++) {
		const Monitor *monitor = g_ptr_array_index(matrix->monitors, i);
		put3(text, "monitor", monitor->name, monitor->on,
		    monitor->command);
	}
	for (guint i = 0; i < matrix->visit->len; i++)
		put(text, "visit", g_ptr_array_index(matrix->visit, i));
	put_design(text, matrix);
	put_files(text, matrix);
	return g_string_free(text, FALSE);
}
