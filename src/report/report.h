/*
 * An analysis as text.  Renderers are pure and compute nothing: same store,
 * same bytes.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <glib.h>

#include "analysis/analysis.h"
#include "report/plot.h"

typedef struct {
	const char *name;                          /* as in --format=NAME */
	const char *file;                          /* in the run directory */
	char *(*render)(const Analysis *analysis); /* free the text */
} ReportFormat;

extern const ReportFormat report_markdown; /* "md", report.md */
extern const ReportFormat report_post;     /* "post", post.txt */

/* All of them, ended by NULL. */
extern const ReportFormat *const report_formats[];
const ReportFormat *report_format(const char *name);

/*
 * ministat's picture of up to two sets, width columns of plot; free it.
 * Symbols x and + (overlap *), bars with M median and A mean.
 */
char *report_plot(
    const PlotSet *sets, const char *const *names, size_t n_sets, size_t width);

#endif
