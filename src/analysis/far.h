/* Rounds far from the others: what they turn is told both ways. */
#ifndef ANALYSIS_FAR_H
#define ANALYSIS_FAR_H

#include "analysis/estimate.h"

/*
 * Without these rounds the interval says something else of 0 than with them:
 * what, in words; free it.  Else NULL.
 */
char *far_words(const Estimate *estimate, double alpha);

#endif
