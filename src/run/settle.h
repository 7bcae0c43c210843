/*
 * How many rounds a night of several targets was, once it is over.
 */
#ifndef RUN_SETTLE_H
#define RUN_SETTLE_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "store/store.h"

/*
 * Where all of n targets have stopped before the same round, and nobody ever
 * began it, the night is what was made, as that of a single target is: that
 * is told and stored.  stopped: the round that each stopped before for want of
 * time, 0 of one that ended otherwise.
 */
bool settle_rounds(
    Store *store, const size_t *stopped, size_t n, GError **error);

#endif
