/*
 * Sets of numbers as abrun stat shows them: ministat's look and a verdict, or
 * JSON, or CSV.  Pure; all results are to be freed.
 */
#ifndef REPORT_SETS_H
#define REPORT_SETS_H

#include "analysis/sets.h"
#include "report/plot.h"

typedef enum {
	BETTER_UNKNOWN, /* "higher", "lower" */
	BETTER_HIGHER,  /* a rate: the higher is "faster" */
	BETTER_LOWER,   /* a time */
} Better;

typedef struct {
	PlotStyle plot;
	bool no_plot;
	bool quiet; /* neither legend nor the table's head */
	Better better;
} SetsLook;

GString *sets_text(const Sets *sets, const SetsLook *look);
/* "lower" or "slower", else as verdict_name() */
const char *sets_verdict(SetVerdict verdict, Better better);
/* Appends the lines under the table: verdicts, how they were found, notes. */
void sets_verdicts(GString *out, const Sets *sets, Better better);
GString *sets_json(const Sets *sets, Better better);
/* A head, then a row a set; of comparisons in the row of the later set. */
GString *sets_csv(const Sets *sets, Better better);

#endif
