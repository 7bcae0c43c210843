#include <stdio.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/status_text.h"
#include "store/store.h"

/* The run directory that was asked for, or the newest; NULL with an error. */
static char *
choose(const char *given, const char *reports, GError **error)
{
	if (given != NULL)
		return g_strdup(given);
	char *newest = store_newest(reports, NULL);
	if (newest == NULL)
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "there is no run directory in %s", reports);
	return newest;
}

static int
tell(const char *directory, bool json, GError **error)
{
	/* First: who ends in between has stored all that is read then. */
	g_autofree char *holder = store_holder(directory);
	g_autoptr(Store) store = store_open(directory, true, error);
	g_autoptr(StoreData) data =
	    store == NULL ? NULL : store_read(store, error);
	if (data == NULL)
		return cmd_fail(*error);

	const double now = (double)g_get_real_time() / G_USEC_PER_SEC;
	g_autoptr(Status) status = status_new(data, holder, now);
	g_autofree char *text =
	    json ? status_json(status) : status_text(status, now);
	(void)fputs(text, stdout);
	return EXIT_OK;
}

static int
run(int argc, char **argv)
{
	int status = EXIT_OK;
	gboolean json = FALSE;
	g_autofree char *reports = NULL;
	g_autoptr(GError) failure = NULL;
	const GOptionEntry entries[] = {
		{ "json", 0, 0, G_OPTION_ARG_NONE, &json,
		    "Say it as JSON, with all events", NULL },
		{ "reports", 0, 0, G_OPTION_ARG_FILENAME, &reports,
		    "Where run directories are (default: reports)",
		    "DIRECTORY" },
		{ 0 },
	};

	if (!cmd_options(&cmd_status, entries, -1, &argc, &argv, &status))
		return status;
	g_autofree char *directory =
	    choose(argv[1], reports == NULL ? "reports" : reports, &failure);
	return directory == NULL ? cmd_fail(failure)
				 : tell(directory, json, &failure);
}

const Command cmd_status = {
	.name = "status",
	.arguments = "[DIR]",
	.help = "Tell what a running or ended run is doing",
	.run = run,
};
