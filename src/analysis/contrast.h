/*
 * The contrasts of one load: which cells are weighed against which, over
 * which units, with what result.  Verdicts come later, when all loads'
 * contrasts are known (verdict.h).
 */
#ifndef ANALYSIS_CONTRAST_H
#define ANALYSIS_CONTRAST_H

#include <glib.h>

#include "analysis/analysis.h"
#include "analysis/asked.h"
#include "analysis/grid.h"

enum {
	CONTRAST_ROUNDS = 3, /* complete ones for per-round differences */
	CONTRAST_BOOTS = 3,  /* of each level, for a verdict on it */
	CONTRAST_INTERACTIONS = 16, /* of two factors: more are not read */
};

/*
 * AnalysisContrast: each factor's levels, then interactions of two, then what
 * the matrix asks for, or that alone.  What it asks for is not told twice.
 * *untold counts interactions left out because two factors have too many;
 * unasked gets the names (char *) of contrasts that this load cannot answer.
 */
GPtrArray *contrasts_new(
    const Grid *grid, const Asked *asked, size_t *untold, GPtrArray *unasked);
/* The baseline's row against the row that is it again; NAN without one. */
Interval contrast_noise(const Grid *grid, size_t *n_rounds);

#endif
