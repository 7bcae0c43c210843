#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "abload/bench.h"
#include "abload/check.h"
#include "abload/options.h"
#include "abload/outcome.h"
#include "abload/script.h"
#include "abload/series.h"
#include "abload/table.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

/* For the signal handler alone. */
static Cancel *wish;

static void
on_signal(int number)
{
	(void)number;
	cancel_request(wish);
}

static void
watch_signals(Cancel *cancel)
{
	struct sigaction action = { .sa_handler = on_signal };

	wish = cancel;
	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
}

static BenchEnd
end_of(const GError *error)
{
	switch ((AbrunError)error->code) {
	case ABRUN_ERROR_USAGE:
		return BENCH_USAGE;
	case ABRUN_ERROR_VERIFY:
		return BENCH_MISSED;
	case ABRUN_ERROR_TIMEOUT:
		return BENCH_TIMEOUT;
	case ABRUN_ERROR_HOST:
	case ABRUN_ERROR_FAILED:
		return BENCH_NO_SERVER;
	case ABRUN_ERROR_CANCELLED:
	case ABRUN_ERROR_STORE:
		return BENCH_ABORTED;
	}
	return BENCH_ABORTED;
}

static int
complain(const GError *error)
{
	/* Whoever failed has said why; what has not is a failure, too. */
	if (error == NULL)
		return BENCH_ABORTED;
	g_autofree char *text = text_printable_lines(error->message);

	(void)fprintf(stderr, "abload: %s\n", text);
	return (int)end_of(error);
}

static char *
read_standard_input(size_t *length, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	char block[4096];
	size_t n;

	while ((n = fread(block, 1, sizeof block, stdin)) > 0 &&
	    text->len <= SMACK_MAX_BYTES)
		g_string_append_len(text, block, (gssize)n);
	if (ferror(stdin) != 0) {
		g_set_error_literal(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "cannot read the script from standard input");
		return NULL;
	}
	*length = text->len;
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void
print_notes(const GPtrArray *notes, const char *kind)
{
	for (guint i = 0; i < notes->len; i++) {
		g_autofree char *text =
		    text_printable_lines(g_ptr_array_index(notes, i));
		(void)fprintf(stderr, "%s%s\n", kind, text);
	}
}

static Smack *
read_script(
    const Options *options, char **sha256, GPtrArray *warnings, GError **error)
{
	g_autoptr(SmackNotes) notes = smack_notes_new();
	size_t length = 0;
	g_autofree char *text = strcmp(options->file, "-") == 0
	    ? read_standard_input(&length, error)
	    : file_read(options->file, SMACK_MAX_BYTES, &length, error);

	if (text == NULL)
		return NULL;
	Smack *smack =
	    smack_read(options->file, text, length, options->level, notes);
	if (smack == NULL) {
		print_notes(notes->mistakes, "");
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s is no script that can be run", options->file);
		return NULL;
	}
	for (guint i = 0; i < notes->warnings->len; i++)
		g_ptr_array_add(
		    warnings, g_strdup(g_ptr_array_index(notes->warnings, i)));
	*sha256 = text_sha256(text, length);
	return smack;
}

static bool
print_outcome(const Outcome *outcome, GError **error)
{
	const Options *options = outcome->bench->options;
	g_autofree char *json = outcome_json(outcome);
	g_autofree char *line = g_strconcat(json, "\n", NULL);

	if (options->table) {
		g_autofree char *table = outcome_table(outcome);
		(void)fputs(table, stdout);
	}
	if (options->json)
		(void)fputs(line, stdout);
	return options->out == NULL ||
	    file_write(options->out, line, strlen(line), 0644, error);
}

/* The script's own work, with a bench that has all it needs. */
static int
run_main(Bench *bench, const char *sha256, const GPtrArray *warnings)
{
	g_autoptr(Series) series = series_new(bench->options->interval_ms);
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) crews = script_run(bench, series);
	const Outcome outcome = { .bench = bench,
		.crews = crews,
		.series = series,
		.script_sha256 = sha256,
		.warnings = warnings };

	outcome_judge(bench, crews);
	if (bench->reason != NULL)
		(void)fprintf(stderr, "abload: %s\n", bench->reason);
	if (!print_outcome(&outcome, &error))
		return complain(error);
	return (int)bench->end;
}

static int
check(Bench *bench)
{
	g_autoptr(GError) error = NULL;

	if (table_check_all(bench->smack, bench->options, &error) &&
	    check_words(bench, &error))
		return BENCH_GOOD;
	return complain(error);
}

static int
run(const Options *options, const Smack *smack, const char *sha256,
    GPtrArray *warnings, const Cancel *cancel)
{
	g_autoptr(GError) error = NULL;
	Bench bench;
	int status;

	if (options->action == ACTION_RUN &&
	    (!script_check(smack, options, &error) ||
		!table_ensure_all(smack, options, &error)))
		return complain(error);
	bench_init(&bench, options, smack, cancel);
	if (!bench_make_ready(&bench, warnings, &error))
		status = complain(error);
	else if (options->action == ACTION_CHECK)
		status = check(&bench);
	else
		status = run_main(&bench, sha256, warnings);
	if (!options->quiet)
		print_notes(warnings, "abload: warning: ");
	bench_clear(&bench);
	return status;
}

static int
act(const Options *options, const Cancel *cancel)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *sha256 = NULL;
	g_autoptr(Smack) smack =
	    read_script(options, &sha256, warnings, &error);

	if (smack == NULL)
		return complain(error);
	switch (options->action) {
	case ACTION_PREPARE:
		return table_prepare_all(smack, options, &error)
		    ? BENCH_GOOD
		    : complain(error);
	case ACTION_CLEANUP:
		return table_drop_all(smack, options, &error) ? BENCH_GOOD
							      : complain(error);
	case ACTION_CHECK:
	case ACTION_RUN:
		break;
	}
	return run(options, smack, sha256, warnings, cancel);
}

int
main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Options) options = options_read(argc, argv, &error);

	if (options == NULL && error == NULL)
		return BENCH_GOOD;
	if (options == NULL)
		return complain(error);
	g_autoptr(Cancel) cancel = cancel_new(&error);
	if (cancel == NULL || !connection_library_init(&error))
		return complain(error);
	watch_signals(cancel);
	const int status = act(options, cancel);
	connection_library_end();
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		(void)fputs(
		    "abload: cannot write to standard output\n", stderr);
		return status == BENCH_GOOD ? BENCH_ABORTED : status;
	}
	return status;
}
