/*
 * main of a script, carried out: a thread for each kind of client, which does
 * the lines of its own kind in order while the others do theirs.
 */
#ifndef ABLOAD_SCRIPT_H
#define ABLOAD_SCRIPT_H

#include <stdbool.h>

#include <glib.h>

#include "abload/bench.h"
#include "abload/crew.h"
#include "abload/series.h"

/*
 * Every $n that will be needed was given; ABRUN_ERROR_USAGE.  What the command
 * line overrides is not needed.
 */
bool script_check(const Smack *smack, const Options *options, GError **error);

/*
 * Runs main; the crews (Crew *), in the order in which main begins them, with
 * all that they counted.  The bench knows whether it went well.  Returns when
 * all has ended, soon after bench_stop().  series gets its rows meanwhile.
 */
GPtrArray *script_run(Bench *bench, Series *series);

#endif
