#include "report/sets.h"

#include <math.h>

#include "base/text.h"
#include "report/sets_tests.h"

enum { NAME_BYTES = 4096, NUMBER_BYTES = 64 };

/* As printf() does in the C locale, and "n/a" for what is not known. */
static void
append_number(GString *out, const char *format, int width, double value)
{
	char buffer[NUMBER_BYTES];

	if (isnan(value))
		g_string_append_printf(out, "%*s", width, "n/a");
	else
		g_string_append(
		    out, g_ascii_formatd(buffer, sizeof buffer, format, value));
}

static void
append_row(GString *out, char symbol, const Summary *s)
{
	const double columns[] = { s->min, s->max, s->median, s->mean, s->sd };

	g_string_append_printf(out, "%c %3zu", symbol, s->n);
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
		g_string_append_c(out, ' ');
		append_number(out, "%13.8g", 13, columns[i]);
	}
	g_string_append_c(out, '\n');
}

/* "95.0%", "99.99%" */
static void
append_level(GString *out, double level)
{
	const double percent = 100 * level;
	const bool tenths = fabs(percent * 10 - round(percent * 10)) < 1e-6;

	append_number(out, tenths ? "%.1f" : "%g", 0, percent);
	g_string_append_c(out, '%');
}

static void
append_change(GString *out, const char *unit, double change, double error)
{
	g_string_append_c(out, '\t');
	append_number(out, "%g", 0, change);
	g_string_append_printf(out, "%s +/- ", unit);
	append_number(out, "%g", 0, error);
	g_string_append_printf(out, "%s\n", unit);
}

/* What both forms of ministat say of a pair. */
static void
append_difference(
    GString *out, const Sets *sets, const MinistatTest *test, bool percent)
{
	if (!test->differs) {
		g_string_append(out, "No difference proven at ");
		append_level(out, sets->options.level);
		g_string_append(out, " confidence\n");
		return;
	}
	g_string_append(out, "Difference at ");
	append_level(out, sets->options.level);
	g_string_append(out, " confidence\n");
	append_change(out, "", test->difference, test->error);
	if (percent)
		append_change(out, "%", test->percent, test->percent_error);
	else
		g_string_append(
		    out, "\t(no per cent of an average that is 0)\n");
	g_string_append(out, "\t(Student's t, pooled s = ");
	append_number(out, "%g", 0, test->pooled_sd);
	g_string_append(out, ")\n");
}

static void
append_comparison(GString *out, const Sets *sets, const SetComparison *compared)
{
	if (sets->options.old) {
		append_difference(out, sets, &compared->ministat, true);
		return;
	}
	if (!compared->student.mean.valid) {
		g_string_append(out, "No test at ");
		append_level(out, sets->options.level);
		g_string_append(out,
		    compared->beyond
			? " confidence: the spread is beyond what can be "
			  "computed\n"
			: " confidence: too few values, or all equal\n");
		return;
	}
	append_difference(
	    out, sets, &compared->ministat, !isnan(compared->ministat.percent));
}

static void
append_plot(GString *out, const Sets *sets, const PlotStyle *style)
{
	g_autofree PlotSet *drawn = g_new(PlotSet, sets->n + 1);

	for (size_t i = 0; i < sets->n; i++)
		drawn[i] = (PlotSet){ sets->sets[i].values, sets->sets[i].n,
			sets->sets[i].summary };
	if (!plot_draw(out, drawn, sets->n, style))
		g_string_append(out, "[no plot, span is zero width]\n");
}

GString *
sets_text(const Sets *sets, const SetsLook *look)
{
	GString *out = g_string_new(NULL);

	for (size_t i = 0; i < sets->n && !look->quiet; i++) {
		g_autofree char *name =
		    text_printable(sets->sets[i].name, NAME_BYTES);
		g_string_append_printf(out, "%c %s\n", plot_symbol(i), name);
	}
	if (!look->no_plot)
		append_plot(out, sets, &look->plot);
	if (!look->quiet)
		g_string_append(out,
		    "    N           Min           Max"
		    "        Median           Avg"
		    "        Stddev\n");
	for (size_t i = 0; i < sets->n; i++) {
		append_row(out, plot_symbol(i), &sets->sets[i].summary);
		if (sets->options.compare && i > 0)
			append_comparison(out, sets, &sets->comparisons[i - 1]);
	}
	if (sets->options.compare && !sets->options.old)
		sets_verdicts(out, sets, look->better);
	if (sets->options.compare && sets->options.tests)
		sets_tests_text(out, sets);
	return out;
}
