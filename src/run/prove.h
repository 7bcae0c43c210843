/*
 * One side of a visit: every proof in one verb call and one SQL exchange,
 * stored whether it holds or not.
 */
#ifndef RUN_PROVE_H
#define RUN_PROVE_H

#include <stdbool.h>

#include "run/visit.h"

/*
 * False with ABRUN_ERROR_VERIFY and "wanted ..., seen ..." when some proof
 * does not hold or could not be had.
 */
bool prove_side(Worker *worker, const Visit *visit, bool after, GError **error);

#endif
