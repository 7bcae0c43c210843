/*
 * The values of templates: what {socket}, {seed} or {clients} stand for on a
 * target and in a run.
 */
#ifndef RUN_VALUES_H
#define RUN_VALUES_H

#include "load/load.h"
#include "run/worker.h"

/* host, port, socket, user, db, target: the same all night. */
LoadValues *values_host(const Worker *worker);
/*
 * All values of one run of a load: those of the host, round, run, seed, cell,
 * outdir, the cell's variables, the load's keys with scripts where they were
 * copied to.  cell may be NULL: then variables take their first level, as in
 * setup and cleanup, which serve all cells.  Every cell of a round gets the
 * same seed for its first run, and so on: cells differ by their levels alone.
 */
LoadValues *values_run(const Worker *worker, size_t load, const Cell *cell,
    size_t round, int number, GError **error);
/*
 * The load's command for a reader: what varies from run to run stands there
 * as {seed}, {clients}, and words that need no quotes have none.  Free it.
 */
char *values_shown_command(const Worker *worker, size_t load, GError **error);

#endif
