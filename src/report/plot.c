#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/lines.h"
#include "stats/stats.h"

enum {
	SETS = 2,    /* more cannot be told apart where they overlap */
	HEIGHT = 20, /* rows; taller stacks are drawn to scale */
	NAME_BYTES = 4096,
};

static const char symbols[] = " x+*";

/* What one set draws. */
typedef struct {
	Summary summary;
	size_t *stack; /* values in each column */
} PlotSet;

typedef struct {
	size_t width, n;
	PlotSet sets[SETS];
	double left, step; /* of the first column, of one column */
	size_t tallest;
} Plot;

/* Columns are centred on their values: the least one is in the first. */
static size_t
column_of(const Plot *plot, double value)
{
	const double column = (value - plot->left) / plot->step;

	return MIN((size_t)fmax(column, 0), plot->width - 1);
}

static bool
find_range(Plot *plot)
{
	double min = INFINITY, max = -INFINITY;

	for (size_t i = 0; i < plot->n; i++) {
		const Summary *s = &plot->sets[i].summary;
		if (s->n == 0)
			continue;
		if (isnan(s->mean))
			return false;
		const double sd = isnan(s->sd) ? 0 : s->sd;
		min = fmin(min, fmin(s->min, s->mean - sd));
		max = fmax(max, fmax(s->max, s->mean + sd));
	}
	if (!(max > min) || !isfinite(max - min))
		return false;
	plot->step = (max - min) / (double)(plot->width - 1);
	plot->left = min - plot->step / 2;
	return true;
}

static void
stack_values(Plot *plot, const double *const *sets, const size_t *lengths)
{
	for (size_t i = 0; i < plot->n; i++) {
		plot->sets[i].stack = g_new0(size_t, plot->width);
		for (size_t j = 0; j < lengths[i]; j++) {
			size_t *stack =
			    &plot->sets[i].stack[column_of(plot, sets[i][j])];
			++*stack;
			plot->tallest = MAX(plot->tallest, *stack);
		}
	}
}

static void
draw_frame(const Plot *plot, GString *out)
{
	g_string_append_c(out, '+');
	for (size_t i = 0; i < plot->width; i++)
		g_string_append_c(out, '-');
	g_string_append(out, "+\n");
}

static void
draw_stacks(const Plot *plot, GString *out, size_t scale)
{
	for (size_t row = (plot->tallest + scale - 1) / scale; row > 0; row--) {
		g_string_append_c(out, '|');
		for (size_t i = 0; i < plot->width; i++) {
			size_t symbol = 0;
			for (size_t j = 0; j < plot->n; j++)
				if (plot->sets[j].stack[i] > (row - 1) * scale)
					symbol |= (size_t)1 << j;
			g_string_append_c(out, symbols[symbol]);
		}
		g_string_append(out, "|\n");
	}
}

/* One line for all sets: |___M_A___| of each, the later over the earlier. */
static void
draw_bars(const Plot *plot, GString *out)
{
	g_autofree char *bar = g_strnfill(plot->width, ' ');

	for (size_t i = 0; i < plot->n; i++) {
		const Summary *s = &plot->sets[i].summary;
		if (s->n == 0)
			continue;
		if (!isnan(s->sd)) {
			const size_t low = column_of(plot, s->mean - s->sd);
			const size_t high = column_of(plot, s->mean + s->sd);
			bar[low] = bar[high] = '|';
			for (size_t j = low + 1; j < high; j++)
				if (bar[j] == ' ')
					bar[j] = '_';
		}
		bar[column_of(plot, s->median)] = 'M';
		bar[column_of(plot, s->mean)] = 'A';
	}
	g_string_append_printf(out, "|%s|\n", bar);
}

static void
draw_legend(const Plot *plot, GString *out, const char *const *names)
{
	for (size_t i = 0; i < plot->n; i++) {
		g_autofree char *name = text_printable(names[i], NAME_BYTES);
		const char first[] = { symbols[i + 1], ' ', '\0' };
		g_autofree char *lines =
		    lines_wrap(name, first, "  ", plot->width + 2);
		g_string_append(out, lines);
	}
}

char *
report_plot(const double *const *sets, const size_t *lengths,
    const char *const *names, size_t n_sets, size_t width)
{
	GString *out = g_string_new(NULL);
	Plot plot = { .width = MAX(width, 2), .n = MIN(n_sets, SETS) };

	for (size_t i = 0; i < plot.n; i++)
		plot.sets[i].summary = stats_summary(sets[i], lengths[i]);
	draw_legend(&plot, out, names);
	if (!find_range(&plot)) {
		g_string_append(
		    out, "[no picture: the values do not differ]\n");
		return g_string_free(out, FALSE);
	}
	stack_values(&plot, sets, lengths);
	const size_t scale = (plot.tallest + HEIGHT - 1) / HEIGHT;
	draw_frame(&plot, out);
	draw_stacks(&plot, out, scale);
	draw_bars(&plot, out);
	draw_frame(&plot, out);
	if (scale > 1)
		g_string_append_printf(
		    out, "(a mark stands for up to %zu values)\n", scale);
	for (size_t i = 0; i < plot.n; i++)
		g_free(plot.sets[i].stack);
	return g_string_free(out, FALSE);
}
