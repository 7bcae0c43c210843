/*
 * Who listens: one process, or one whose children hold the same socket, as
 * many servers have them.  Pure.
 */
#ifndef TARGET_OWNER_H
#define TARGET_OWNER_H

#include <stdbool.h>

#include "target/verbs.h"

/* A process of an answer of the verb owner; texts belong to the answer. */
typedef struct {
	const char *pid, *start;
	const char *comm; /* "?" where it is not told */
} Owner;

/*
 * The one that all the others come from, or the only one.  False where the
 * answer is not whole, or no process is before all others.
 */
bool owner_main(const VerbAnswer *answer, Owner *owner);

/*
 * The same, unless that is the process of this pid and start; then false.
 * Where no process is before all others it is the first that is another.
 */
bool owner_other(
    const VerbAnswer *answer, const char *pid, const char *start, Owner *owner);

#endif
