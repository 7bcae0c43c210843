#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "run/login.h"
#include "run/restore.h"

typedef struct {
	gboolean dry_run, take_over, sudo;
	char *reports, *matrix, *ssh_config, *key, *known_hosts, *os;
} Options;

/* How many hosts went how. */
typedef struct {
	size_t all, partly, not_reached;
} Count;

/* What came of one host; NULL result: it could not be reached. */
static void
tell(const char *name, bool dry_run, const RestoreResult *result, Count *count)
{
	const char *word = dry_run ? "would undo" : "undone";

	for (guint i = 0; i < result->done->len; i++)
		printf("%s: %s: %s\n", name, word,
		    (const char *)result->done->pdata[i]);
	for (guint i = 0; i < result->left->len; i++) {
		g_autofree char *line =
		    text_printable(result->left->pdata[i], 2000);
		printf("%s: left as it is: %s\n", name, line);
	}
	if (result->done->len == 0 && result->left->len == 0)
		printf("%s: nothing is changed\n", name);
	(void)fflush(stdout);
	count->all += result->left->len == 0;
	count->partly += result->left->len > 0;
}

/* What could not be stored ends it; another host's trouble does not. */
static bool
fail(const char *name, const GError *failure, Count *count)
{
	log_error("%s: %s", name, failure->message);
	count->not_reached++;
	return !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE);
}

static int
judge(const Count *count)
{
	if (count->not_reached > 0 && count->all + count->partly == 0)
		return EXIT_NOTHING;
	return count->not_reached + count->partly > 0 ? EXIT_SOME_FAILED
						      : EXIT_OK;
}

static RestoreWay
way_of(const Options *options, const Host *host, const char *matrix_path)
{
	return (RestoreWay){
		.host = host,
		.matrix_path = matrix_path,
		.dry_run = options->dry_run,
		.take_over = options->take_over,
	};
}

static int
restore_directory(const char *directory, const Options *options, GError **error)
{
	g_autoptr(Store) store = store_open(directory, options->dry_run, error);
	g_autoptr(GArray) hosts =
	    store == NULL ? NULL : store_undo_hosts(store, error);
	Count count = { 0 };

	if (hosts == NULL)
		return cmd_fail(*error);
	if (hosts->len == 0)
		log_info("%s: no host is left changed", directory);
	for (guint i = 0; i < hosts->len; i++) {
		const size_t index = g_array_index(hosts, size_t, i);
		g_autoptr(GError) failure = NULL;
		g_auto(RestoreResult) result;
		restore_result_init(&result);
		g_autoptr(Login) login = login_read(store, index, error);
		if (login == NULL)
			return cmd_fail(*error);
		const RestoreWay way =
		    way_of(options, &login->host, login->matrix_path);
		if (restore_by_store(&way, store, index, &result, &failure))
			tell(login->host.name, options->dry_run, &result,
			    &count);
		else if (!fail(login->host.name, failure, &count))
			return EXIT_NOT_STORED;
	}
	return judge(&count);
}

/* The matrix may have been edited since, or be no matrix any more. */
static int
restore_matrix(const char *path, const Options *options, GError **error)
{
	const char *parent =
	    options->reports == NULL ? "reports" : options->reports;
	g_autofree char *file = g_path_get_basename(path);
	if (g_str_has_suffix(file, ".cfg"))
		file[strlen(file) - strlen(".cfg")] = '\0';
	g_autofree char *name = text_safe_name(file);
	g_autofree char *newest = store_newest(parent, name);

	if (newest != NULL)
		return restore_directory(newest, options, error);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s holds no run directory of %s", parent, path);
	return cmd_fail(*error);
}

/* A host of the matrix by its name, or NULL. */
static const Host *
host_named(const Matrix *matrix, const char *name)
{
	const GPtrArray *const lists[] = { matrix->targets, matrix->hosts };

	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		for (guint j = 0; j < lists[i]->len; j++) {
			const Host *host = lists[i]->pdata[j];
			if (strcmp(host->name, name) == 0)
				return host;
		}
	return NULL;
}

static int
restore_target(const char *name, const Options *options, GError **error)
{
	g_autoptr(Matrix) matrix = NULL;
	const Host given = {
		.name = (char *)name,
		.ssh = (char *)name,
		.ssh_config = options->ssh_config,
		.key = options->key,
		.known_hosts = options->known_hosts,
		.sudo = options->sudo,
		.os = options->os == NULL ? (char *)"linux" : options->os,
	};
	const Host *host = &given;
	g_auto(RestoreResult) result;
	g_autoptr(GError) failure = NULL;
	Count count = { 0 };

	restore_result_init(&result);
	if (options->matrix != NULL) {
		matrix = matrix_load(options->matrix, error);
		host = matrix == NULL ? NULL : host_named(matrix, name);
		if (matrix != NULL && host == NULL)
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "%s has no host named %s", options->matrix, name);
		if (host == NULL)
			return cmd_fail(*error);
	}
	const RestoreWay way = way_of(options, host, options->matrix);
	if (restore_by_host(&way, &result, &failure))
		tell(name, options->dry_run, &result, &count);
	else
		return cmd_fail(failure);
	return judge(&count);
}

static int
restore(const char *what, const Options *options)
{
	g_autoptr(GError) failure = NULL;

	if (options->matrix != NULL)
		return restore_target(what, options, &failure);
	if (g_file_test(what, G_FILE_TEST_IS_DIR))
		return restore_directory(what, options, &failure);
	if (g_file_test(what, G_FILE_TEST_EXISTS))
		return restore_matrix(what, options, &failure);
	if (strchr(what, '/') == NULL && !g_str_has_suffix(what, ".cfg"))
		return restore_target(what, options, &failure);
	g_set_error(&failure, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "there is no matrix or run directory %s", what);
	return cmd_fail(failure);
}

static void
options_clear(Options *options)
{
	g_free(options->reports);
	g_free(options->matrix);
	g_free(options->ssh_config);
	g_free(options->key);
	g_free(options->known_hosts);
	g_free(options->os);
}

static int
run(int argc, char **argv)
{
	int status = EXIT_OK;
	Options options = { 0 };
	const GOptionEntry entries[] = {
		{ "dry-run", 'n', 0, G_OPTION_ARG_NONE, &options.dry_run,
		    "Say what would be undone and change nothing", NULL },
		{ "reports", 0, 0, G_OPTION_ARG_FILENAME, &options.reports,
		    "Where run directories are (default: reports)",
		    "DIRECTORY" },
		{ "matrix", 0, 0, G_OPTION_ARG_FILENAME, &options.matrix,
		    "TARGET is a host of this matrix", "FILE" },
		{ "ssh-config", 0, 0, G_OPTION_ARG_FILENAME,
		    &options.ssh_config, "TARGET is reached by this ssh_config",
		    "FILE" },
		{ "key", 0, 0, G_OPTION_ARG_FILENAME, &options.key,
		    "and this key", "FILE" },
		{ "known-hosts", 0, 0, G_OPTION_ARG_FILENAME,
		    &options.known_hosts, "and known by this file", "FILE" },
		{ "os", 0, 0, G_OPTION_ARG_STRING, &options.os,
		    "Its system (default: linux)", "NAME" },
		{ "sudo", 0, 0, G_OPTION_ARG_NONE, &options.sudo,
		    "Use sudo there", NULL },
		{ "take-over", 0, 0, G_OPTION_ARG_NONE, &options.take_over,
		    "Take the lock of an abrun that is known to be dead",
		    NULL },
		{ 0 },
	};

	if (cmd_options(&cmd_restore, entries, 1, &argc, &argv, &status))
		status = restore(argv[1], &options);
	options_clear(&options);
	return status;
}

const Command cmd_restore = {
	.name = "restore",
	.arguments = "MATRIX|DIR|TARGET",
	.help = "Undo what an interrupted run left changed",
	.run = run,
};
