#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "run/check.h"
#include "run/notify.h"
#include "run/power.h"
#include "run/steps.h"

/* "1 load", "2 loads"; free it. */
static char *
count(guint n, const char *word)
{
	return g_strdup_printf("%u %s%s", n, word, n == 1 ? "" : "s");
}

static void
tell_plan(Findings *findings, const Plan *plan)
{
	const Matrix *matrix = plan->matrix;
	const int64_t ms = plan_night_ms(plan, (size_t)matrix->design.rounds);
	g_autofree char *time = text_duration(ms);
	g_autofree char *cells = count(plan->cells->len, "cell");
	g_autofree char *loads = count(matrix->loads->len, "load");
	g_autofree char *rounds = count((guint)matrix->design.rounds, "round");

	findings_tell(findings, FINDING_OK, "matrix", "%s, %s, %s%s%s", cells,
	    loads, rounds, ms == 0 ? "" : ", about ", ms == 0 ? "" : time);
}

static void
tell_hooks(Findings *findings, const Matrix *matrix)
{
	g_autoptr(GError) notify = NULL;
	g_autoptr(GError) power = NULL;
	g_autoptr(GError) visit = NULL;

	if (!notify_check(matrix, &notify))
		findings_fail(
		    findings, "notify", notify->message, notify, false);
	else if (matrix->notify->len > 0)
		findings_tell(findings, FINDING_OK, "notify",
		    "all %u programs are there", matrix->notify->len);
	if (!power_check(matrix, &power))
		findings_fail(findings, "power", power->message, power, false);
	if (!steps_check(matrix, &visit))
		findings_fail(findings, "visit", visit->message, visit, false);
	else if (matrix->visit->len > 0)
		findings_tell(findings, FINDING_OK, "visit",
		    "all %u programs are there", matrix->visit->len);
}

/* Where the night would go on, and that it can: as choose_store() will. */
static void
tell_newest(
    Findings *findings, const Plan *plan, const char *newest, Store *store)
{
	const bool same = strcmp(store_identity(store), plan->identity) == 0;

	/* Of the rounds of both, as an extended run keeps its own. */
	if (same && store_ended(store) && store_finished(store, plan) &&
	    !store_undo_due(store))
		findings_tell(findings, FINDING_WARN, "run",
		    "%s is finished, and nothing would be run: --rounds N "
		    "extends it, --new starts another",
		    newest);
	else if (same)
		findings_tell(findings, FINDING_NOTE, "run",
		    "the night goes on with %s", newest);
	else if (!store_ended(store))
		findings_tell(findings, FINDING_FAIL, "run",
		    "%s is unfinished and was begun with another matrix: put "
		    "the matrix back to go on with it, or use --new",
		    newest);
	else if (store_undo_due(store))
		findings_tell(findings, FINDING_FAIL, "run",
		    "%s, of another matrix, has left changes on its hosts: "
		    "abrun restore %s undoes them",
		    newest, newest);
}

/* As the newest run has learnt it, whatever its matrix was. */
static void
tell_reboots(
    Findings *findings, const Plan *plan, const char *newest, Store *store)
{
	const GPtrArray *targets = plan->matrix->targets;
	const PlanTotals totals =
	    plan_totals(plan, (size_t)plan->matrix->design.rounds);

	for (guint i = 0; totals.reboots > 0 && i < targets->len; i++) {
		const Host *host = targets->pdata[i];
		StoreReboots known;
		if (!store_reboots(store, i, 0, 0, 0, "", &known, NULL) ||
		    known.longest_ms == 0)
			continue;
		g_autofree char *took = text_duration(known.longest_ms);
		g_autofree char *all =
		    text_duration(known.longest_ms * (int64_t)totals.reboots);
		findings_tell(findings, FINDING_NOTE, "reboots",
		    "target %u, here %s, took up to %s for one in %s; %zu of "
		    "that length take %s",
		    i + 1, host->name, took, newest, totals.reboots, all);
	}
}

static void
tell_run(Findings *findings, const Plan *plan, const char *reports)
{
	g_autoptr(GError) failure = NULL;
	g_autofree char *newest = store_newest(reports, plan->matrix->name);
	g_autofree char *holder = newest == NULL ? NULL : store_holder(newest);

	if (newest == NULL)
		return;
	if (holder != NULL) {
		findings_tell(findings, FINDING_FAIL, "run",
		    "%s still goes on: %s", newest, holder);
		return;
	}
	g_autoptr(Store) store = store_open(newest, true, &failure);
	if (store != NULL) {
		tell_newest(findings, plan, newest, store);
		tell_reboots(findings, plan, newest, store);
	} else
		findings_fail(
		    findings, "run", failure->message, failure, false);
}

/* Where run directories are, or will be made. */
static void
tell_reports(Findings *findings, const char *reports)
{
	g_autoptr(GError) failure = NULL;
	g_autofree char *place = g_strdup(reports);

	while (!g_file_test(place, G_FILE_TEST_EXISTS)) {
		char *parent = g_path_get_dirname(place);
		g_free(place);
		place = parent;
	}
	if (!g_file_test(place, G_FILE_TEST_IS_DIR))
		findings_tell(findings, FINDING_FAIL, "reports",
		    "%s is no directory", place);
	else if (access(place, W_OK | X_OK) != 0)
		findings_tell(findings, FINDING_FAIL, "reports",
		    "nothing can be made in %s: %s", place, g_strerror(errno));
	else if (!store_place_has_room(place, &failure))
		findings_fail(
		    findings, "reports", failure->message, failure, true);
}

static int
check_matrix(const char *path, const char *reports)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(Matrix) matrix = matrix_load(path, &failure);
	g_autoptr(Plan) plan =
	    matrix == NULL ? NULL : plan_new(matrix, &failure);
	const bool quiet = log_level() == LOG_QUIET;
	g_auto(Findings) findings = { .quiet = quiet };

	if (plan == NULL)
		return cmd_fail(failure);
	g_autofree char *not_yet = matrix_not_yet(matrix);
	if (not_yet != NULL) {
		(void)fprintf(stderr, "%s\n", not_yet);
		return EXIT_USAGE;
	}
	/* What the night's means would say is told as findings. */
	if (log_level() == LOG_NORMAL)
		log_set_level(LOG_PROGRESS);
	g_autofree char *head = g_strdup_printf("%s: %s", path, matrix->title);
	findings_group(&findings, FINDINGS_MATRIX, head);
	tell_plan(&findings, plan);
	tell_hooks(&findings, matrix);
	tell_reports(&findings, reports == NULL ? "reports" : reports);
	tell_run(&findings, plan, reports == NULL ? "reports" : reports);
	const int status = check_run(plan, &findings);
	g_autofree char *words = findings_words(&findings);
	if (status == EXIT_INTERRUPTED)
		(void)puts("interrupted");
	else if (!quiet)
		(void)printf("\n%s\n", words);
	return status;
}

static int
run(int argc, char **argv)
{
	int status = EXIT_OK;
	char *reports = NULL;
	const GOptionEntry entries[] = {
		{ "reports", 0, 0, G_OPTION_ARG_FILENAME, &reports,
		    "Where run directories are (default: reports)",
		    "DIRECTORY" },
		{ 0 },
	};

	if (cmd_options(&cmd_check, entries, 1, &argc, &argv, &status))
		status = check_matrix(argv[1], reports);
	g_free(reports);
	return status;
}

const Command cmd_check = {
	.name = "check",
	.arguments = "MATRIX",
	.help = "Look in the evening at what would fail in the night",
	.run = run,
};
