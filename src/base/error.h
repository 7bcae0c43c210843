/*
 * The error domain of abrun.  A code says what the caller should do next,
 * not which floor failed; the message says what was wanted and what happened,
 * without capital, newline or full stop.  What happened also has a name, see
 * base/failure.h.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <glib.h>

#define ABRUN_ERROR (abrun_error_quark())

typedef enum {
	ABRUN_ERROR_USAGE, /* the user must change matrix or command: exit 2 */
	ABRUN_ERROR_HOST,  /* the host cannot be used now: try again later */
	ABRUN_ERROR_TIMEOUT, /* a deadline passed; the state is not known */
	ABRUN_ERROR_FAILED,  /* a step failed and said so: this visit is over */
	ABRUN_ERROR_VERIFY,  /* something is not what its label says */
	ABRUN_ERROR_CANCELLED, /* the user asked to stop: undo and report */
	ABRUN_ERROR_STORE,     /* a result cannot be kept: stop everything */
} AbrunError;

GQuark abrun_error_quark(void);

#endif
