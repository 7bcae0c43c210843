#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/reports.h"

static bool
known_formats(char **names, GError **error)
{
	for (size_t i = 0; names[i] != NULL; i++)
		if (report_format(names[i]) == NULL) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "there is no report format \"%s\" (md, post)",
			    names[i]);
			return false;
		}
	return true;
}

static int
run_report(int argc, char **argv)
{
	int status = EXIT_OK;
	g_autofree char *formats = NULL;
	g_autoptr(GError) failure = NULL;
	const GOptionEntry entries[] = {
		{ "format", 'f', 0, G_OPTION_ARG_STRING, &formats,
		    "Only these formats: md,post", "LIST" },
		{ 0 },
	};

	if (!cmd_options(&cmd_report, entries, 1, &argc, &argv, &status))
		return status;
	g_auto(GStrv) names =
	    formats == NULL ? NULL : g_strsplit(formats, ",", -1);
	if (names != NULL && !known_formats(names, &failure))
		return cmd_fail(failure);
	g_autoptr(Store) store = store_open(argv[1], true, &failure);
	if (store == NULL ||
	    !reports_write(store, (const char *const *)names, &failure))
		return cmd_fail(failure);
	for (size_t i = 0; report_formats[i] != NULL; i++)
		if (names == NULL ||
		    g_strv_contains(
			(const char *const *)names, report_formats[i]->name))
			(void)printf("%s/%s\n", store_directory(store),
			    report_formats[i]->file);
	return EXIT_OK;
}

static int
run_post(int argc, char **argv)
{
	int status = EXIT_OK;
	g_autoptr(GError) failure = NULL;

	if (!cmd_options(&cmd_post, NULL, 1, &argc, &argv, &status))
		return status;
	g_autoptr(Store) store = store_open(argv[1], true, &failure);
	g_autofree char *text =
	    store == NULL ? NULL : reports_text(store, &report_post, &failure);
	if (text == NULL)
		return cmd_fail(failure);
	(void)fputs(text, stdout);
	return EXIT_OK;
}

const Command cmd_report = {
	.name = "report",
	.arguments = "DIRECTORY",
	.help = "Write the reports of a run directory again",
	.run = run_report,
};

const Command cmd_post = {
	.name = "post",
	.arguments = "DIRECTORY",
	.help = "Print a run directory's mail message",
	.run = run_post,
};
