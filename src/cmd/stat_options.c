#include "cmd/stat_options.h"

#include <getopt.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Long ones without a letter. */
enum { MINISTAT = 256, JSON, CSV, MARGIN, BETTER, TESTS, SEED, LOOK, HELP };

#define LEAST_LEVEL 60
#define MOST_LEVEL 99.999

const char stat_help[] =
    "usage: abrun stat [-Anqs] [-C column] [-c confidence] [-d delimiters]\n"
    "                  [-w width] [--better higher|lower] [--margin percent]\n"
    "                  [--tests] [--seed number] [--look number/planned]\n"
    "                  [--ministat=2015] [--json | --csv] [file ...]\n\n"
    "Compares sets of numbers, one a line, with the first of them, as\n"
    "ministat(1) does, and says what follows.\n\n"
    "  -A            no picture\n"
    "  -n            the table alone, no comparisons\n"
    "  -s            a bar of its own for each set\n"
    "  -q            no legend, no head of the table\n"
    "  -C column     which column has the numbers; default 1\n"
    "  -c confidence in per cent; default 95\n"
    "  -d delimiters characters between columns; default space and tab\n"
    "  -w width      of the picture; default 74, or the terminal's\n"
    "  --better DIR  higher (of rates) or lower (of times): say faster,\n"
    "                slower\n"
    "  --margin PCT  what is no difference worth a word; default 1\n"
    "  --tests       other intervals and tests of each comparison, too\n"
    "  --seed NUMBER of what these draw at random; default 1\n"
    "  --look K/N    these are the values at the Kth of N planned looks, at\n"
    "                each of which a difference shown ends the comparison\n"
    "  --ministat=2015\n"
    "                what ministat printed in 2015, with its mistakes\n"
    "  --json, --csv every number, in one of these forms\n"
    "  --help        this\n";

static bool
wrong(GError **error, const char *format, const char *value)
{
	/* A literal of this file each time. */
	g_autofree char *shown = text_printable(value, 80);
	g_auto(GStrv) parts = g_strsplit(format, "@", 2);

	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE, "%s%s%s", parts[0],
	    shown, parts[1] == NULL ? "" : parts[1]);
	return false;
}

static bool
read_number(const char *text, double least, double most, double *value)
{
	double read = 0;

	if (!text_parse_double(text, &read, NULL) || !(read >= least) ||
	    !(read <= most))
		return false;
	*value = read;
	return true;
}

static bool
read_count(const char *text, size_t least, size_t most, size_t *value)
{
	int64_t read = 0;

	if (!text_parse_int(text, (int64_t)least, (int64_t)most, &read, NULL))
		return false;
	*value = (size_t)read;
	return true;
}

static bool
read_better(const char *text, Better *better)
{
	if (strcmp(text, "higher") == 0)
		*better = BETTER_HIGHER;
	else if (strcmp(text, "lower") == 0)
		*better = BETTER_LOWER;
	else
		return false;
	return true;
}

/* "2/5" */
static bool
read_look(const char *text, SetsOptions *numbers)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", 2);
	size_t look = 0, looks = 0;

	if (g_strv_length(parts) != 2 ||
	    !read_count(parts[1], 1, STATS_MOST_LOOKS, &looks) ||
	    !read_count(parts[0], 1, looks, &look))
		return false;
	numbers->look = look;
	numbers->looks = looks;
	return true;
}

static bool
read_seed(const char *text, uint64_t *seed)
{
	int64_t read = 0;

	if (!text_parse_int(text, 0, INT64_MAX, &read, NULL))
		return false;
	*seed = (uint64_t)read;
	return true;
}

/* Options with a value. */
static bool
take_value(StatOptions *options, int option, const char *value, GError **error)
{
	double percent = 0;

	switch (option) {
	case 'C':
		return read_count(value, 1, INT32_MAX, &options->column) ||
		    wrong(
			error, "-C wants the number of a column, not @", value);
	case 'c':
		if (!read_number(value, LEAST_LEVEL, MOST_LEVEL, &percent))
			return wrong(error,
			    "-c wants per cent from 60 to 99.999, not @",
			    value);
		options->numbers.level = percent / 100;
		return true;
	case 'd':
		options->delimiters = value;
		return *value != '\0' ||
		    wrong(error, "-d wants at least one character", "");
	case 'w':
		return read_count(value, PLOT_LEAST_WIDTH, PLOT_MOST_WIDTH,
			   &options->look.plot.width) ||
		    wrong(error, "-w wants a width from 2 to 10000, not @",
			value);
	case MARGIN:
		return (read_number(value, 0, 99, &options->numbers.margin) &&
			   options->numbers.margin > 0) ||
		    wrong(error,
			"--margin wants per cent above 0, to 99, not @", value);
	case BETTER:
		return read_better(value, &options->look.better) ||
		    wrong(
			error, "--better wants higher or lower, not @", value);
	case SEED:
		return read_seed(value, &options->numbers.seed) ||
		    wrong(error, "--seed wants a whole number, not @", value);
	case LOOK:
		return read_look(value, &options->numbers) ||
		    wrong(error,
			"--look wants this look and all of them, 2/5, of at "
			"most " G_STRINGIFY(STATS_MOST_LOOKS) ", not @",
			value);
	case MINISTAT:
		options->numbers.old = options->look.plot.old = true;
		return strcmp(value, "2015") == 0 ||
		    wrong(error, "--ministat knows 2015 only, not @", value);
	default:
		g_assert_not_reached();
	}
}

static bool
take(StatOptions *options, int option, GError **error)
{
	switch (option) {
	case 'A':
		options->look.no_plot = true;
		return true;
	case 'n':
		options->look.no_plot = true;
		options->numbers.compare = false;
		return true;
	case 's':
		options->look.plot.separate = true;
		return true;
	case 'q':
		options->look.quiet = true;
		return true;
	case JSON:
		options->format = STAT_JSON;
		return true;
	case CSV:
		options->format = STAT_CSV;
		return true;
	case TESTS:
		options->numbers.tests = true;
		return true;
	case HELP:
	case 'h':
		options->help = true;
		return true;
	default:
		return take_value(options, option, optarg, error);
	}
}

/* What of ministat's does not go with the rest. */
static bool
check(const StatOptions *options, GError **error)
{
	size_t known = 0;

	if (options->n_files > (options->numbers.old ? 7 : PLOT_SETS))
		return wrong(error, "too many files: at most @",
		    options->numbers.old ? "7" : G_STRINGIFY(PLOT_SETS));
	if (!options->numbers.old)
		return true;
	if (options->format != STAT_TEXT)
		return wrong(error,
		    "--ministat=2015 goes with neither --json nor --csv", "");
	if (options->numbers.tests || options->numbers.looks > 0)
		return wrong(error,
		    "--ministat=2015 goes with neither --tests nor --look", "");
	if (options->look.quiet)
		return wrong(error, "ministat of 2015 has no option -q", "");
	while (known < MINISTAT_LEVELS &&
	    ministat_levels[known] / 100 != options->numbers.level)
		known++;
	return known < MINISTAT_LEVELS ||
	    wrong(error,
		"ministat of 2015 has 80, 90, 95, 98, 99 and 99.5 per cent",
		"");
}

bool
stat_options(StatOptions *options, int argc, char **argv, GError **error)
{
	static const struct option words[] = {
		{ "ministat", required_argument, NULL, MINISTAT },
		{ "json", no_argument, NULL, JSON },
		{ "csv", no_argument, NULL, CSV },
		{ "margin", required_argument, NULL, MARGIN },
		{ "better", required_argument, NULL, BETTER },
		{ "tests", no_argument, NULL, TESTS },
		{ "seed", required_argument, NULL, SEED },
		{ "look", required_argument, NULL, LOOK },
		{ "help", no_argument, NULL, HELP },
		{ NULL, 0, NULL, 0 },
	};
	int option = 0;

	*options = (StatOptions){
		.numbers = { .compare = true,
		    .level = .95,
		    .margin = 1,
		    .seed = 1 },
		.column = 1,
		.delimiters = " \t",
	};
	opterr = 0;
	while ((option = getopt_long(
		    argc, argv, ":AnsqhC:c:d:w:", words, NULL)) != -1) {
		if (option == ':')
			return wrong(
			    error, "@ wants a value", argv[optind - 1]);
		if (option == '?')
			return wrong(error, "@: no such option (--help)",
			    argv[optind - 1]);
		if (!take(options, option, error))
			return false;
	}
	options->files = argv + optind;
	options->n_files = (size_t)(argc - optind);
	return check(options, error);
}
