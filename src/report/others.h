/*
 * What else ran on the hosts while it was measured, for the part HOW.
 */
#ifndef REPORT_OTHERS_H
#define REPORT_OTHERS_H

#include "analysis/analysis.h"

/* Sentences, each after a blank; "" where nothing was measured.  Free it. */
char *others_report(const Analysis *analysis);

#endif
