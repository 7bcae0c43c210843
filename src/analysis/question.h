/*
 * The comparisons that the matrix asks for, on one load's grid.
 */
#ifndef ANALYSIS_QUESTION_H
#define ANALYSIS_QUESTION_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "analysis/analysis.h"
#include "analysis/asked.h"
#include "analysis/grid.h"

/* One of them; what was asked is borrowed. */
typedef struct {
	const AskedContrast *asked;
	double *weights;   /* one for each row */
	size_t test, base; /* rows to show, or SIZE_MAX */
} Question;

/*
 * Question: those that this load can answer; the names (char *) of others go
 * to unasked.  Free the array.
 */
GPtrArray *questions_on(
    const Grid *grid, const Asked *asked, GPtrArray *unasked);
/*
 * These weights are a question's, this way or the other way round: to tell it
 * twice would count it twice.
 */
bool question_is_asked(
    const GPtrArray *questions, const Grid *grid, const double *weights);
AnalysisContrast *question_answer(const Question *question, const Grid *grid);

#endif
