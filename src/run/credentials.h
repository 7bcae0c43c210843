/*
 * The database password on its way to the loads: from the client option file
 * or the variable that the server section names, through standard input into
 * a file of the work directory that only the login can read, and from there
 * into MYSQL_PWD of the load's own environment.  Never in an argument.
 */
#ifndef RUN_CREDENTIALS_H
#define RUN_CREDENTIALS_H

#include <stdbool.h>

#include "run/worker.h"

/*
 * Puts the file into the work directory, where the matrix names a password.
 * ABRUN_ERROR_USAGE when it cannot be read.
 */
bool credentials_put(Worker *worker, GError **error);
/* The command, with the password in its environment; free it. */
char *credentials_command(const Worker *worker, const char *command);

#endif
