#include "report/plot.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 20 /* rows; taller stacks are drawn to scale */ };

/* M and A stand in the bars, "*" and "&" for overlaps. */
static const char symbols[PLOT_SETS + 1] = "x+*%#@Oabcdefghijklmnopqrstuvwyz";

typedef struct {
	const PlotSet *sets;
	size_t n, width;
	const PlotStyle *style;
	double left, step; /* of the first column, of one column */
	size_t *stacks;    /* values of each set in each column */
	size_t *highest;   /* of each set's stacks: what is drawn of them */
} Plot;

char
plot_symbol(size_t set)
{
	return symbols[set % PLOT_SETS];
}

/* Columns are centred on their values: the least one is in the first. */
static size_t
column_of(const Plot *plot, double value)
{
	const double column = (value - plot->left) / plot->step;

	if (!(column > 0))
		return 0;
	return column < (double)plot->width ? (size_t)column : plot->width - 1;
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
	plot->step = (max - min) / ((double)plot->width - 1);
	plot->left = min - plot->step / 2;
	return plot->step > 0 && isfinite(plot->left);
}

static void
stack_values(Plot *plot)
{
	for (size_t i = 0; i < plot->n; i++) {
		const PlotSet *set = &plot->sets[i];
		size_t *stacks = plot->stacks + i * plot->width;
		for (size_t j = 0; j < set->n; j++)
			stacks[column_of(plot, set->values[j])]++;
		for (size_t j = 0; j < plot->width; j++)
			plot->highest[i] = MAX(plot->highest[i], stacks[j]);
	}
	/* A set that is less high took the top off those before it. */
	for (size_t i = plot->n - 1; plot->style->old && i > 0; i--)
		plot->highest[i - 1] =
		    MIN(plot->highest[i - 1], plot->highest[i]);
}

static size_t
height_of(const Plot *plot)
{
	size_t height = 0;

	if (plot->style->old)
		return plot->highest[plot->n - 1];
	for (size_t i = 0; i < plot->n; i++)
		height = MAX(height, plot->highest[i]);
	return height;
}

static void
draw_frame(const Plot *plot, GString *out)
{
	g_string_append_c(out, '+');
	for (size_t i = 0; i < plot->width; i++)
		g_string_append_c(out, '-');
	g_string_append(out, "+\n");
}

/* What stands in a column at a height of so many values. */
static char
mark_at(const Plot *plot, size_t column, size_t height)
{
	size_t count = 0, last = 0, sum = 0;

	for (size_t i = 0; i < plot->n; i++)
		if (MIN(plot->stacks[i * plot->width + column],
			plot->highest[i]) >= height) {
			count++;
			last = i;
			sum |= i + 1;
		}
	if (count == 0)
		return ' ';
	if (plot->style->old)
		return symbols[sum - 1];
	if (count == 1)
		return symbols[last];
	return plot->n == 2 ? '*' : '&';
}

/* The next height below this one at which something changes. */
static size_t
next_change(const Plot *plot, size_t height)
{
	size_t next = 0;

	for (size_t i = 0; i < plot->n * plot->width; i++) {
		const size_t top =
		    MIN(plot->stacks[i], plot->highest[i / plot->width]);
		if (top < height)
			next = MAX(next, top);
	}
	return next;
}

/* Rows from the top down; those that are alike are made once. */
static void
draw_stacks(const Plot *plot, GString *out, size_t height, size_t scale)
{
	g_autofree char *row = g_strnfill(plot->width + 3, '|');

	row[plot->width + 2] = '\n';
	for (size_t at = (height + scale - 1) / scale; at > 0;) {
		const size_t lowest = (at - 1) * scale + 1;
		for (size_t i = 0; i < plot->width; i++)
			row[i + 1] = mark_at(plot, i, lowest);
		const size_t change =
		    (next_change(plot, lowest) + scale - 1) / scale;
		for (; at > change; at--)
			g_string_append_len(out, row, (gssize)plot->width + 3);
	}
}

/* |___M_A___|: ends and letters of the later over those of the earlier. */
static void
draw_bar(const Plot *plot, const Summary *s, char *bar)
{
	if (s->n == 0)
		return;
	if (!isnan(s->sd)) {
		const size_t low = column_of(plot, s->mean - s->sd);
		const size_t high = column_of(plot, s->mean + s->sd);
		bar[low] = bar[high] = '|';
		for (size_t i = low + 1; i < high; i++)
			if (bar[i] == ' ')
				bar[i] = '_';
	}
	bar[column_of(plot, s->median)] = 'M';
	bar[column_of(plot, s->mean)] = 'A';
}

static void
draw_bars(const Plot *plot, GString *out)
{
	g_autofree char *bar = g_strnfill(plot->width, ' ');

	for (size_t i = 0; i < plot->n; i++) {
		draw_bar(plot, &plot->sets[i].summary, bar);
		if (!plot->style->separate && i + 1 < plot->n)
			continue;
		g_string_append_printf(out, "|%s|\n", bar);
		memset(bar, ' ', plot->width);
	}
}

bool
plot_draw(GString *out, const PlotSet *sets, size_t n, const PlotStyle *style)
{
	Plot plot = { .sets = sets,
		.n = MIN(n, PLOT_SETS),
		.width = CLAMP(style->width, PLOT_LEAST_WIDTH, PLOT_MOST_WIDTH),
		.style = style };

	if (n == 0 || !find_range(&plot))
		return false;
	g_autofree size_t *stacks = g_new0(size_t, plot.n * plot.width);
	g_autofree size_t *highest = g_new0(size_t, plot.n);
	plot.stacks = stacks;
	plot.highest = highest;
	stack_values(&plot);
	const size_t height = height_of(&plot);
	const size_t scale =
	    style->old ? 1 : MAX((height + HEIGHT - 1) / HEIGHT, 1);
	draw_frame(&plot, out);
	draw_stacks(&plot, out, height, scale);
	draw_bars(&plot, out);
	draw_frame(&plot, out);
	if (scale > 1)
		g_string_append_printf(
		    out, "(a mark stands for up to %zu values)\n", scale);
	return true;
}
