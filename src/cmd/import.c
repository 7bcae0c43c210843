#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/reports.h"
#include "store/imported.h"

typedef struct {
	char *title, *margin, *reports;
	char **lower;
} ImportOptions;

static void
options_clear(ImportOptions *options)
{
	g_free(options->title);
	g_free(options->margin);
	g_free(options->reports);
	g_strfreev(options->lower);
}

static bool
read_margin(const char *text, double *margin, GError **error)
{
	if (text == NULL)
		return true;
	if (text_parse_double(text, margin, NULL) && *margin >= 0 &&
	    *margin < 100)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "--margin %s: wanted are per cent from 0 to less than 100", text);
	return false;
}

/* A run directory with reports, finished at once; NULL with an error. */
static Store *
import_table(const char *path, const ImportOptions *options, GError **error)
{
	size_t length = 0;
	ImportWish wish = { .path = path,
		.title = options->title,
		.version = VERSION,
		.lower = (const char *const *)options->lower,
		.margin_percent = 1,
		.now = (double)g_get_real_time() / G_USEC_PER_SEC };

	if (!read_margin(options->margin, &wish.margin_percent, error))
		return NULL;
	g_autofree char *text = file_read(path, IMPORTED_BYTES, &length, error);
	g_autoptr(StoreData) data =
	    text == NULL ? NULL : imported_read(text, length, &wish, error);
	if (data == NULL)
		return NULL;
	g_autoptr(Store) store = store_import(
	    options->reports == NULL ? "reports" : options->reports, data, text,
	    error);
	return store != NULL && reports_write(store, NULL, error)
	    ? g_steal_pointer(&store)
	    : NULL;
}

static int
run(int argc, char **argv)
{
	int status = EXIT_OK;
	ImportOptions options = { 0 };
	g_autoptr(GError) failure = NULL;
	const GOptionEntry entries[] = {
		{ "title", 't', 0, G_OPTION_ARG_STRING, &options.title,
		    "What the post is called (default: the file's name)",
		    "TEXT" },
		{ "lower", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.lower,
		    "Less of this metric is better", "METRIC" },
		{ "margin", 0, 0, G_OPTION_ARG_STRING, &options.margin,
		    "What is no difference worth a word (default: 1)", "PCT" },
		{ "reports", 0, 0, G_OPTION_ARG_FILENAME, &options.reports,
		    "Keep run directories here (default: reports)", "DIR" },
		{ 0 },
	};

	if (cmd_options(&cmd_import, entries, 1, &argc, &argv, &status)) {
		g_autoptr(Store) store =
		    import_table(argv[1], &options, &failure);
		if (store == NULL)
			status = cmd_fail(failure);
		else
			(void)printf("%s\n", store_directory(store));
	}
	options_clear(&options);
	return status;
}

const Command cmd_import = {
	.name = "import",
	.arguments = "FILE.csv",
	.help = "Take samples of another tool into a run directory",
	.run = run,
};
