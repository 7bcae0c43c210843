#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/stat_options.h"
#include "cmd/stat_read.h"

enum { USUAL_WIDTH = 74, OLD_LEAST_VALUES = 3 };

/* ministat's: on a terminal what COLUMNS says, or all but the frame. */
static size_t
find_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int64_t width = 0;

	if (isatty(STDOUT_FILENO) == 0)
		return USUAL_WIDTH;
	if (columns != NULL &&
	    text_parse_int(
		columns, PLOT_LEAST_WIDTH, PLOT_MOST_WIDTH, &width, NULL))
		return (size_t)width;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col >= PLOT_LEAST_WIDTH + 2 &&
	    size.ws_col <= PLOT_MOST_WIDTH)
		return (size_t)size.ws_col - 2;
	return USUAL_WIDTH;
}

static bool
read_set(const StatOptions *options, const char *path, Numbers *numbers,
    NumberSet *set, GError **error)
{
	const size_t least = options->numbers.old ? OLD_LEAST_VALUES : 1;

	numbers_init(numbers, options->delimiters, options->column);
	if (!stat_read(path, numbers, error))
		return false;
	set->name = strcmp(path, "-") == 0 ? STAT_STDIN : path;
	set->values = numbers->values;
	set->n = numbers->n;
	if (set->n >= least)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    options->numbers.old
		? "%s: ministat of 2015 wants at least 3 data points, here "
		  "are %zu"
		: "%s: no numbers in %zu lines",
	    set->name, options->numbers.old ? set->n : numbers->lines);
	return false;
}

static GString *
render(const Sets *sets, const StatOptions *options)
{
	switch (options->format) {
	case STAT_TEXT:
		return sets_text(sets, &options->look);
	case STAT_JSON:
		return sets_json(sets, options->look.better);
	case STAT_CSV:
		return sets_csv(sets, options->look.better);
	}
	g_assert_not_reached();
}

static int
compare_files(const StatOptions *options, char **files, size_t n)
{
	Numbers numbers[PLOT_SETS] = { 0 };
	NumberSet read[PLOT_SETS] = { 0 };
	g_autoptr(GError) failure = NULL;
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++)
		ok = read_set(
		    options, files[i], &numbers[i], &read[i], &failure);
	if (ok) {
		g_autoptr(Sets) sets = sets_new(read, n, &options->numbers);
		g_autoptr(GString) text = render(sets, options);
		(void)fwrite(text->str, 1, text->len, stdout);
	}
	for (size_t i = 0; i < n; i++)
		numbers_clear(&numbers[i]);
	return ok ? EXIT_OK : cmd_fail(failure);
}

static int
run(int argc, char **argv)
{
	static char standard[] = "-";
	char *alone[] = { standard };
	StatOptions options;
	g_autoptr(GError) failure = NULL;

	if (!stat_options(&options, argc, argv, &failure))
		return cmd_fail(failure);
	if (options.help) {
		(void)fputs(stat_help, stdout);
		return EXIT_OK;
	}
	if (options.look.plot.width == 0)
		options.look.plot.width = find_width();
	return options.n_files == 0
	    ? compare_files(&options, alone, 1)
	    : compare_files(&options, options.files, options.n_files);
}

const Command cmd_stat = {
	.name = "stat",
	.arguments = "[FILE...]",
	.help = "Compare files of numbers, as ministat does",
	.run = run,
};
