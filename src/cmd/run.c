#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/process.h"
#include "cmd/cmd.h"
#include "cmd/reports.h"
#include "run/campaign.h"

enum { DIFF_MS = 10000, DIFF_BYTES = 65536 };

typedef struct {
	gboolean dry_run;
	gboolean new;
	char *reports;
} Options;

/* What the run was begun with, to be told apart from what it becomes. */
static bool
keep_files(Store *store, const Matrix *matrix, GError **error)
{
	for (guint i = 0; i < matrix->files->len; i++) {
		const MatrixFile *file = matrix->files->pdata[i];
		g_autofree char *key = g_strdup_printf("file.%s", file->path);
		if (!store_fact(
			store, "experiment", 0, key, file->sha256, error))
			return false;
	}
	return true;
}

static Store *
create(const char *parent, const Plan *plan, GError **error)
{
	g_autoptr(Store) store = store_create(parent, plan, VERSION, error);

	if (store == NULL || !keep_files(store, plan->matrix, error))
		return NULL;
	return g_steal_pointer(&store);
}

/* The files that the matrix uses and that are not what they were. */
static char *
changed_files(Store *store, const Matrix *matrix)
{
	g_autoptr(StoreData) data = store_read(store, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < matrix->files->len && data != NULL; i++) {
		const MatrixFile *file = matrix->files->pdata[i];
		g_autofree char *key = g_strdup_printf("file.%s", file->path);
		bool same = false;
		for (guint j = 0; j < data->facts->len && !same; j++) {
			const DataFact *fact = data->facts->pdata[j];
			same = strcmp(fact->key, key) == 0 &&
			    strcmp(fact->value, file->sha256) == 0;
		}
		if (!same)
			g_string_append_printf(text, "%s%s",
			    text->len == 0 ? "" : ", ", file->path);
	}
	return g_strdup_printf("the text of the matrix is the same; %s%s",
	    text->len == 0 ? "what it says is understood in another way by "
			     "this version of abrun"
			   : "what has changed is a file that it uses: ",
	    text->str);
}

/* What changed in the matrix since the run began; free it. */
static char *
difference(Store *store, const Matrix *matrix)
{
	g_autofree char *old =
	    g_build_filename(store_directory(store), "matrix.cfg", NULL);
	const char *const argv[] = { "diff", "-u", "--label", old, "--label",
		matrix->path, old, "-", NULL };
	g_auto(ProcessResult) result = { 0 };

	if (!process_run(argv, NULL, matrix->source, DIFF_BYTES,
		deadline_in(DIFF_MS), NULL, &result, NULL) ||
	    result.out->len == 0)
		return changed_files(store, matrix);
	return g_strdup(result.out->str);
}

/* The matrix may have been given more rounds since. */
static bool
extend(Store *store, const Plan *plan, GError **error)
{
	g_autoptr(StoreData) data = store_read(store, error);
	const int rounds = plan->matrix->design.rounds;

	if (data == NULL)
		return false;
	if (rounds <= data->rounds)
		return true;
	g_autofree char *text = g_strdup_printf("from %d to %d rounds%s",
	    data->rounds, rounds, store_ended(store) ? ", after looking" : "");
	return store_extend(store, rounds, error) &&
	    store_event(store, SIZE_MAX, "extended", text, error);
}

/*
 * The run directory to work in: an unfinished one of the same plan, or a new
 * one.  NULL with an error; *finished when there is nothing left to do.
 */
static Store *
choose_store(
    const Plan *plan, const Options *options, bool *finished, GError **error)
{
	const char *parent =
	    options->reports == NULL ? "reports" : options->reports;
	g_autofree char *newest =
	    options->new ? NULL : store_newest(parent, plan->matrix->name);

	*finished = false;
	if (newest == NULL)
		return create(parent, plan, error);
	g_autoptr(Store) store = store_open(newest, false, error);
	if (store == NULL)
		return NULL;
	if (strcmp(store_identity(store), plan->identity) == 0) {
		if (!extend(store, plan, error))
			return NULL;
		*finished =
		    store_finished(store, plan) && !store_undo_due(store);
		log_info(
		    *finished ? "%s is finished" : "going on with %s", newest);
		return g_steal_pointer(&store);
	}
	if (store_ended(store))
		return create(parent, plan, error);
	g_autofree char *changes = difference(store, plan->matrix);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s is unfinished and was begun with another matrix; put the "
	    "matrix back to go on with it, or use --new to start another "
	    "run:\n%s",
	    newest, changes);
	return NULL;
}

/* Prints the post, whatever there is, also where it cannot be kept. */
static bool
report(Store *store, GError **error)
{
	g_autofree char *post = reports_text(store, &report_post, error);

	if (post == NULL)
		return false;
	if (log_level() > LOG_QUIET)
		(void)fputs(post, stdout);
	(void)fflush(stdout);
	if (!reports_write(store, NULL, error))
		return false;
	log_info("run directory: %s", store_directory(store));
	return true;
}

static int
run_matrix(const char *path, const Options *options)
{
	g_autoptr(GError) failure = NULL;
	bool finished;
	g_autoptr(Matrix) matrix = matrix_load(path, &failure);
	g_autoptr(Plan) plan =
	    matrix == NULL ? NULL : plan_new(matrix, &failure);

	if (plan == NULL)
		return cmd_fail(failure);
	if (options->dry_run) {
		g_autofree char *text = plan_text(plan);
		if (log_level() > LOG_QUIET)
			(void)fputs(text, stdout);
		return EXIT_OK;
	}
	g_autofree char *not_yet = matrix_not_yet(matrix);
	if (not_yet != NULL) {
		(void)fprintf(stderr, "%s\n", not_yet);
		return EXIT_USAGE;
	}
	g_autoptr(Store) store =
	    choose_store(plan, options, &finished, &failure);
	if (store == NULL)
		return cmd_fail(failure);

	const CampaignEnd end =
	    finished ? campaign_judge(plan, store) : campaign_run(plan, store);
	if (end == CAMPAIGN_NOT_STORED)
		log_error("what was stored before is kept in %s: make room, "
			  "and the same matrix goes on there",
		    store_directory(store));
	if (!report(store, &failure))
		return cmd_fail(failure);
	if (finished)
		log_info("nothing was run: --new starts another run");
	return (int)end;
}

static int
run(int argc, char **argv)
{
	int status = EXIT_OK;
	Options options = { 0 };
	const GOptionEntry entries[] = {
		{ "dry-run", 'n', 0, G_OPTION_ARG_NONE, &options.dry_run,
		    "Show the plan and touch no host", NULL },
		{ "new", 0, 0, G_OPTION_ARG_NONE, &options.new,
		    "Start a new run even if one is unfinished", NULL },
		{ "reports", 0, 0, G_OPTION_ARG_FILENAME, &options.reports,
		    "Keep run directories here (default: reports)",
		    "DIRECTORY" },
		{ 0 },
	};

	if (cmd_options(&cmd_run, entries, 1, &argc, &argv, &status))
		status = run_matrix(argv[1], &options);
	g_free(options.reports);
	return status;
}

const Command cmd_run = {
	.name = "run",
	.arguments = "MATRIX",
	.help = "Run what is missing of a matrix and report",
	.run = run,
};
