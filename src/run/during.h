/*
 * Processes that must live through a visit, setting `during` of a level: they
 * are started when a cell is configured, proved to be the same before and
 * after its loads, and ended when a cell does not have them.
 */
#ifndef RUN_DURING_H
#define RUN_DURING_H

#include <stdbool.h>

#include "run/visit.h"

/* Kind of their undo rows; name is the command, new_value the directory. */
#define DURING_KIND "during"

/* Ends what this cell does not have, starts what it has; one call or none. */
bool during_apply(Worker *worker, const Visit *visit, GError **error);

/* Adds a look at each that was ever started to a call. */
void during_ask(const Worker *worker, VerbCall *call);
/*
 * Adds a proof for each, from the answers to that, from this one on.  One that
 * has died will be started anew in the next cell that has it.
 */
bool during_judge(Worker *worker, const Visit *visit, const GPtrArray *answers,
    guint first, GPtrArray *proofs, GError **error);

/* All are gone, with the loads of their work directory or with their boot. */
bool during_forget(Worker *worker, GError **error);

void during_free(gpointer during);

#endif
