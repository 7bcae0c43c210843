/*
 * What else goes on on a host: asked with the facts of a boot and, as verbs
 * that are appended to calls made anyway, before and after the loads of a
 * visit.  Raw values are stored; analysis/hazards.h judges them.
 */
#ifndef RUN_WATCH_H
#define RUN_WATCH_H

#include <stdbool.h>

#include "run/visit.h"

/*
 * The answer of facts, which was done, in an array of its own; with_hazards,
 * which take as long as all else and are asked once for each boot: in the same
 * call those of hazards and space, too.  NULL with an error; unref it.
 */
GPtrArray *watch_ask_facts(Worker *worker, bool with_hazards, GError **error);
/*
 * Stores all of them as facts of the boot.  What an OS program does not know
 * is left out.
 */
bool watch_keep_boot(Worker *worker, const GPtrArray *answers, GError **error);

/* The same by key, as analysis/hazards.h takes them; unref it. */
GHashTable *watch_table(const GPtrArray *answers);

/* The next watch_ask() waits until the host is quiet, if the matrix says so. */
void watch_gate(Worker *worker);
/* The verbs that are asked before and after the loads; the last of a call. */
void watch_ask(Worker *worker, VerbCall *call);
/* A deadline for that call. */
Deadline watch_deadline(const Worker *worker);
/*
 * Remembers their answers, the last of a call's: the first one before and the
 * last one after.
 */
void watch_look(Worker *worker, const GPtrArray *answers, bool after);
/* Adds to flags (char *) what weakens a run whose CPU time was read. */
void watch_flag(const Worker *worker, const StoreRun *run, GPtrArray *flags);
/* A visit begins. */
void watch_begin(Worker *worker);
/* It has ended: what was remembered is stored with it. */
bool watch_keep(Worker *worker, const Visit *visit, GError **error);

#endif
