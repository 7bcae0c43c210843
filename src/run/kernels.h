/*
 * The kernels of a matrix on one target: what each name stands for there, that
 * it is the same one all night, and the proof that it runs.
 */
#ifndef RUN_KERNELS_H
#define RUN_KERNELS_H

#include <stdbool.h>

#include "run/visit.h"

/* What is booted when nothing is chosen, by the verbs' name. */
#define KERNELS_DEFAULT "default"

/* Whether a night of this plan boots its hosts at all. */
bool kernels_are_booted(const Plan *plan);

/*
 * Asks what a name is on this target; the same name must be the same file all
 * night.  ABRUN_ERROR_USAGE if there is none.
 */
bool kernels_resolve(Worker *worker, const char *kernel, GError **error);
/*
 * ABRUN_ERROR_USAGE for words of a command line where kernels have none, and
 * for tunables of a loader where they have one.
 */
bool kernels_take(Worker *worker, const Setting *setting, GError **error);
/* The default, where a host is ever booted. */
bool kernels_prepare(Worker *worker, GError **error);
/*
 * False with ABRUN_ERROR_USAGE when two levels of a factor that differ in
 * their kernels alone have one kernel, by id or by file; once all of them are
 * resolved.
 */
bool kernels_differ(const Worker *worker, GError **error);
/* The id of a name that was resolved; the worker's. */
const char *kernels_id(const Worker *worker, const char *kernel);

/* What told its build when it first ran in this run, or NULL; by its id. */
const char *kernels_build(const Worker *worker, const char *kernel);
/* Keeps that, the first time; build may be NULL: not told. */
bool kernels_keep_build(
    Worker *worker, const char *kernel, const char *build, GError **error);

/*
 * Adds the verbs that tell what runs, and makes proofs of their answers, of
 * which the first is given.  Nothing where no boot was made.
 */
void kernels_ask(const Worker *worker, const Visit *visit, VerbCall *call);
void kernels_judge(const Worker *worker, const Visit *visit,
    const GPtrArray *answers, guint first, GPtrArray *proofs);

#endif
