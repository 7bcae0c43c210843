/*
 * How the numbers of the contrasts came about, told once below their table.
 */
#ifndef REPORT_METHOD_H
#define REPORT_METHOD_H

#include "report/document.h"

/* What all contrasts have in common is not told in every row. */
typedef struct {
	const GArray *rounds; /* left out, or NULL if they differ */
	size_t n_rounds;      /* used, if they do not differ */
	const char *reason;   /* why all data are not enough, or NULL */
	gboolean welch;       /* none goes by differences within rounds */
} MethodCommon;

MethodCommon method_common(const Analysis *analysis);
void method_tell(
    Document *document, const Analysis *analysis, const MethodCommon *common);
/* design.aa: how far equal cells differ; nothing without it. */
void method_tell_noise(Document *document, const Analysis *analysis);

/* How many runs of a unit would have been best for the time. */
void method_advise(Document *document, const Analysis *analysis);

#endif
