/*
 * What was found, in sentences: the first thing a reader reads.
 */
#ifndef ANALYSIS_ANSWER_H
#define ANALYSIS_ANSWER_H

#include "analysis/analysis.h"

/* A line for each load; free it. */
char *answer_text(const Analysis *analysis);
/* The largest difference shown, or what else there is to say; free it. */
char *answer_headline(const Analysis *analysis);

#endif
