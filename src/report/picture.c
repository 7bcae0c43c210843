#include <math.h>

#include "base/text.h"
#include "report/lines.h"
#include "report/plot.h"
#include "report/report.h"

enum { SETS = 2 /* of a report's picture */, NAME_BYTES = 4096 };

static void
draw_legend(GString *out, const char *const *names, size_t n_sets, size_t width)
{
	for (size_t i = 0; i < n_sets; i++) {
		g_autofree char *name = text_printable(names[i], NAME_BYTES);
		const char first[] = { plot_symbol(i), ' ', '\0' };
		g_autofree char *lines =
		    lines_wrap(name, first, "  ", width + 2);
		g_string_append(out, lines);
	}
}

char *
report_plot(
    const PlotSet *sets, const char *const *names, size_t n_sets, size_t width)
{
	const PlotStyle style = { .width = MAX(width, PLOT_LEAST_WIDTH) };
	const size_t n = MIN(n_sets, SETS);
	GString *out = g_string_new(NULL);

	draw_legend(out, names, n, style.width);
	if (!plot_draw(out, sets, n, &style))
		g_string_append(
		    out, "[no picture: the values do not differ]\n");
	return g_string_free(out, FALSE);
}
