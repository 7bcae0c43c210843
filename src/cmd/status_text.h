/*
 * The status of a run, in words and as JSON.
 */
#ifndef CMD_STATUS_TEXT_H
#define CMD_STATUS_TEXT_H

#include "run/status.h"

/* Both end with a newline; free them.  now: seconds since 1970. */
char *status_text(const Status *status, double now);
/* The keys are those of abrun(1). */
char *status_json(const Status *status);

#endif
