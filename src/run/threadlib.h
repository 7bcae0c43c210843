/*
 * The thread libraries of a matrix on one target: what makes a program use
 * one, which file then proves that it does, and which files prove that it uses
 * no other.  The OS program knows all three.
 */
#ifndef RUN_THREADLIB_H
#define RUN_THREADLIB_H

#include <stdbool.h>

#include "run/worker.h"

/* Once the server has run: which program a file of the host is for. */
void threadlib_learn_program(Worker *worker);

/*
 * What a level's threadlib is on this target: LD_LIBMAP as a variable of the
 * cell or a file of the host, its file as what must be mapped, the files of all
 * others as what must not.  Where a system has but one, and for one that it
 * does not have, ABRUN_ERROR_USAGE.
 */
bool threadlib_resolve(
    Worker *worker, const Setting *setting, const Level *level, GError **error);

#endif
