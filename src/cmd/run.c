#include <stdio.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/choose.h"
#include "cmd/cmd.h"
#include "cmd/reports.h"
#include "run/campaign.h"
#include "run/notify.h"
#include "run/power.h"
#include "run/steps.h"

typedef struct {
	gboolean dry_run;
	gboolean new;
	char *rounds;
	char *reports;
} Options;

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

static const char *
end_words(CampaignEnd end)
{
	switch (end) {
	case CAMPAIGN_DONE:
		return "all was measured";
	case CAMPAIGN_NOTHING:
		return "nothing was measured";
	case CAMPAIGN_SOME_FAILED:
		return "some cells or runs failed; the rest was measured";
	case CAMPAIGN_NOT_STORED:
		return "a result could not be stored";
	case CAMPAIGN_INTERRUPTED:
		return "it was interrupted";
	}
	g_assert_not_reached();
}

/* With the post, whatever it says. */
static void
tell_end(const Matrix *matrix, Store *store, CampaignEnd end)
{
	g_autofree char *status = g_strdup_printf("%d", (int)end);
	g_autofree char *post =
	    g_build_filename(store_directory(store), report_post.file, NULL);
	const Notice notice = {
		.event =
		    end == CAMPAIGN_INTERRUPTED ? "interrupted" : "finished",
		.text = end_words(end),
		.status = status,
		.post = post,
	};

	notify_tell(matrix, store, &notice);
}

/* 0 where the option is not given. */
static bool
read_rounds(const Options *options, int *rounds, GError **error)
{
	int64_t number = 0;

	if (options->rounds != NULL &&
	    !text_parse_int(
		options->rounds, 1, MATRIX_ROUNDS, &number, error)) {
		g_prefix_error(error, "--rounds: ");
		return false;
	}
	*rounds = (int)number;
	return true;
}

static int
run_matrix(const char *path, const Options *options)
{
	g_autoptr(GError) failure = NULL;
	bool finished;
	int rounds;

	if (!read_rounds(options, &rounds, &failure))
		return cmd_fail(failure);
	g_autoptr(Matrix) matrix = matrix_load(path, &failure);
	g_autoptr(Plan) plan =
	    matrix == NULL ? NULL : plan_new(matrix, &failure);

	if (plan == NULL)
		return cmd_fail(failure);
	if (options->dry_run) {
		if (rounds > 0)
			matrix->design.rounds = rounds;
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
	if (!notify_check(matrix, &failure) || !steps_check(matrix, &failure) ||
	    !power_check(matrix, &failure))
		return cmd_fail(failure);
	const RunWish wish = {
		.reports =
		    options->reports == NULL ? "reports" : options->reports,
		.rounds = rounds,
		.new = options->new,
	};
	g_autoptr(Store) store =
	    choose_store(matrix, plan, &wish, &finished, &failure);
	if (store == NULL)
		return cmd_fail(failure);

	if (!finished)
		notify_tell(matrix, store,
		    &(Notice){ .event = "begun", .text = "the run begins" });
	const CampaignEnd end =
	    finished ? campaign_judge(plan, store) : campaign_run(plan, store);
	if (end == CAMPAIGN_NOT_STORED)
		log_error("what was stored before is kept in %s: make room, "
			  "and the same matrix goes on there",
		    store_directory(store));
	const bool reported = report(store, &failure);
	if (!finished)
		tell_end(matrix, store, end);
	if (!reported)
		return cmd_fail(failure);
	if (finished)
		log_info("nothing was run: --rounds N, more than %d, extends "
			 "this run, --new starts another",
		    matrix->design.rounds);
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
		{ "rounds", 0, 0, G_OPTION_ARG_STRING, &options.rounds,
		    "Make it so many rounds; extends a run that has fewer",
		    "N" },
		{ "reports", 0, 0, G_OPTION_ARG_FILENAME, &options.reports,
		    "Keep run directories here (default: reports)",
		    "DIRECTORY" },
		{ 0 },
	};

	if (cmd_options(&cmd_run, entries, 1, &argc, &argv, &status))
		status = run_matrix(argv[1], &options);
	g_free(options.rounds);
	g_free(options.reports);
	return status;
}

const Command cmd_run = {
	.name = "run",
	.arguments = "MATRIX",
	.help = "Run what is missing of a matrix and report",
	.run = run,
};
