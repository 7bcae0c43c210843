/*
 * Whose the CPU time was that a run's host had while it ran.  Pure.
 */
#ifndef RUN_CPU_H
#define RUN_CPU_H

#include <stdbool.h>

#include "store/store.h"
#include "target/verbs.h"

/*
 * Reads it from the answer of load_run into run: -1 is what is not known.
 * That of others is not known where there is a server and its own is not.
 */
void cpu_read(const VerbAnswer *answer, bool has_server, StoreRun *run);

#endif
