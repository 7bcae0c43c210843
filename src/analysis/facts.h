/*
 * Facts about hosts, as the boots of a night saw them.
 */
#ifndef ANALYSIS_FACTS_H
#define ANALYSIS_FACTS_H

#include <glib.h>

#include "store/data.h"

/*
 * The distinct values of a fact on a target, in order of its boots (scope
 * "boot"), else of scope "host"; borrowed strings, free the array.
 */
GPtrArray *facts_of_target(
    const StoreData *data, size_t target, const char *key);
/*
 * The distinct values of a fact about the whole: scope "experiment", or
 * "host" of any target.  Borrowed strings, free the array.
 */
GPtrArray *facts_of_all(const StoreData *data, const char *key);

#endif
