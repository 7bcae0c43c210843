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

/* What changed in the matrix since the run began; free it. */
static char *
difference(const char *directory, const Matrix *matrix)
{
	g_autofree char *old = g_build_filename(directory, "matrix.cfg", NULL);
	const char *const argv[] = { "diff", "-u", "--label", old, "--label",
		matrix->path, old, "-", NULL };
	g_auto(ProcessResult) result = { 0 };

	if (!process_run(argv, NULL, matrix->source, DIFF_BYTES,
		deadline_in(DIFF_MS), NULL, &result, NULL) ||
	    result.out->len == 0)
		return g_strdup("the text of the matrix is the same: a file "
				"that it uses has changed");
	return g_strdup(result.out->str);
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
		return store_create(parent, plan, VERSION, error);
	g_autoptr(Store) store = store_open(newest, false, error);
	if (store == NULL)
		return NULL;
	const bool done = store_finished(store, plan);
	if (strcmp(store_identity(store), plan->identity) == 0) {
		*finished = done;
		log_info(done ? "%s is finished" : "going on with %s", newest);
		return g_steal_pointer(&store);
	}
	if (done)
		return store_create(parent, plan, VERSION, error);
	g_autofree char *changes = difference(newest, plan->matrix);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s is unfinished and was begun with another matrix; put the "
	    "matrix back to go on with it, or use --new to start another "
	    "run:\n%s",
	    newest, changes);
	return NULL;
}

/* Reports, whatever there is; prints the post. */
static bool
report(Store *store, GError **error)
{
	if (!reports_write(store, NULL, error))
		return false;
	g_autofree char *post = reports_text(store, &report_post, error);
	if (post == NULL)
		return false;
	if (log_level() > LOG_QUIET)
		(void)fputs(post, stdout);
	(void)fflush(stdout);
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
		(void)fputs(text, stdout);
		return EXIT_OK;
	}
	g_autofree char *not_yet = matrix_not_yet(matrix);
	if (not_yet != NULL) {
		(void)fprintf(stderr, "%s", not_yet);
		return EXIT_USAGE;
	}
	g_autoptr(Store) store =
	    choose_store(plan, options, &finished, &failure);
	if (store == NULL)
		return cmd_fail(failure);

	const CampaignEnd end =
	    finished ? CAMPAIGN_DONE : campaign_run(plan, store);
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
