/*
 * What the matrix asks to have compared: design.contrasts, as a store keeps
 * it and as it is weighed on a load's grid.  Pure.
 *
 * A factor that both sides name alike, or not at all, is held: the comparison
 * is made within each combination of such factors that has cells of both
 * sides, mean of the one's less mean of the other's, and these are averaged.
 */
#ifndef ANALYSIS_ASKED_H
#define ANALYSIS_ASKED_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "analysis/grid.h"
#include "matrix/matrix.h"

/* Fact of an experiment, and the event that tells of its change. */
#define ASKED_FACT "contrasts"
#define ASKED_EVENT "contrasts"

typedef enum { ASKED_OF, ASKED_AGAINST, ASKED_SIDES } AskedSide;

typedef struct {
	char *name; /* as given; NULL */
	size_t n_factors;
	/* By factor and level, whether a side takes it; NULL: not named. */
	bool **takes[ASKED_SIDES];
} AskedContrast;

typedef struct {
	bool only;            /* nothing else is compared */
	GPtrArray *contrasts; /* AskedContrast */
} Asked;

/* A design's contrasts as JSON, to be kept; also of one that asks for none. */
char *asked_text(const Design *design);
/* Their names, "A / B; C on D"; free it. */
char *asked_names(const Design *design);

/* What was kept; what no longer can be read is left out. */
Asked *asked_read(const StoreData *data);
void asked_free(Asked *asked);

/* The load uses every factor that is named. */
bool asked_applies(const AskedContrast *asked, const Grid *grid);
/* The factor is what the sides differ in. */
bool asked_differs(const AskedContrast *asked, const Grid *grid, size_t factor);
/*
 * One weight for each row, or NULL where no combination has cells of both
 * sides.  *test and *base are two rows alone on their sides, the baseline's if
 * it is among them, or SIZE_MAX.  Free it.
 */
double *asked_weigh(
    const AskedContrast *asked, const Grid *grid, size_t *test, size_t *base);
/* As it was given, or "ULE / 4BSD" of its labels; free it. */
char *asked_name(const AskedContrast *asked, const StoreData *data);
/* "ULE with libthr", "clients 1 or 4"; free it. */
char *asked_label(
    const AskedContrast *asked, const StoreData *data, AskedSide side);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Asked, asked_free)

#endif
