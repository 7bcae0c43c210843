/*
 * Without a server the settings act on the load: each measured run is proved
 * in the very process that it was.
 */
#ifndef RUN_SUBJECT_H
#define RUN_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "run/visit.h"

/*
 * Asks what was seen of a good run that load_prove has answered, judges and
 * stores it; number and run are its number and row.  ABRUN_ERROR_VERIFY if a
 * proof does not hold.
 */
bool subject_prove(Worker *worker, const Visit *visit, const Load *load,
    int number, int64_t run, const char *command, const VerbAnswer *answer,
    GError **error);

#endif
