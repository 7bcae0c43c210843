/*
 * The names of failures: what a visit, a run or a target failed of, in one
 * word of a set that abrun-troubleshooting(7) documents.  An error's code says
 * what the caller does next, its name says what happened; the name travels
 * with the error, whatever is put before its message on the way.
 */
#ifndef BASE_FAILURE_H
#define BASE_FAILURE_H

#include <glib.h>

#include "base/error.h"

/* A new one gets a row in failure.c and an item in the manual. */
typedef enum {
	FAILURE_NONE,

	/* the host */
	FAILURE_HOST_LOST,
	FAILURE_LOGIN_REFUSED,
	FAILURE_HOST_KEY,
	FAILURE_NO_ANSWER,
	FAILURE_NOT_SUPPORTED,
	FAILURE_UNEXPECTED_REBOOT,
	FAILURE_LOCKED,
	FAILURE_LEFT_CHANGED,
	FAILURE_GIVEN_UP,
	FAILURE_POWER_FAILED,
	FAILURE_QUARANTINED,

	/* its kernel and settings */
	FAILURE_WRONG_KERNEL,
	FAILURE_BOOT_FAILED,
	FAILURE_HUNG_SHUTDOWN,
	FAILURE_BOOT_TIMEOUT,
	FAILURE_FELL_BACK,
	FAILURE_BOOT_LOOP,
	FAILURE_ONCE_STUCK,
	FAILURE_WRONG_HOST,
	FAILURE_SETTING_FAILED,
	FAILURE_TUNABLE_LOST,
	FAILURE_FOREIGN_CHANGE,
	FAILURE_UNDO_FAILED,
	FAILURE_DURING_DIED,
	FAILURE_EXPECT_FAILED,
	FAILURE_VERIFY_FAILED,

	/* the server */
	FAILURE_SERVER_EXITED,
	FAILURE_SERVER_SILENT,
	FAILURE_NO_TUNNEL,
	FAILURE_SERVER_REFUSED,
	FAILURE_STALE_SERVER,
	FAILURE_WRONG_LIBRARY,
	FAILURE_WRONG_ENVIRONMENT,
	FAILURE_WRONG_OPTION,
	FAILURE_WRONG_CPUS,
	FAILURE_SOFTWARE_CHANGED,
	FAILURE_PROOF_FAILED,
	FAILURE_PROOF_UNKNOWN,

	/* the loads and their data */
	FAILURE_MISSING_TOOL,
	FAILURE_MISSING_FILE,
	FAILURE_LOAD_FAILED,
	FAILURE_TIMEOUT,
	FAILURE_NO_RESULT,
	FAILURE_OUT_OF_RANGE,
	FAILURE_BAD_RESULT,
	FAILURE_SETUP_FAILED,
	FAILURE_DATA_CHANGED,

	/* abrun itself */
	FAILURE_STEP_FAILED,
	FAILURE_HOOK_FAILED,
	FAILURE_MATRIX_ERROR,
	FAILURE_STORE_FAILED,
	FAILURE_INTERRUPTED,

	FAILURES,
} Failure;

/* "WRONG_KERNEL"; NULL for FAILURE_NONE. */
const char *failure_name(Failure failure);
/* One line without capital and full stop: "another kernel runs than ..." */
const char *failure_meaning(Failure failure);
/* What to do, likewise. */
const char *failure_advice(Failure failure);
/* The failure of this name; FAILURE_NONE if there is none, or name is NULL. */
Failure failure_named(const char *name);

/* g_set_error() in abrun's domain, with a name. */
void failure_set(GError **error, Failure failure, AbrunError code,
    const char *format, ...) G_GNUC_PRINTF(4, 5);
/*
 * Names an error that a floor below made without one; does nothing to one
 * that has a name or is not abrun's.  error may be NULL, as may *error.
 */
void failure_mark(GError **error, Failure failure);
/*
 * The name of an error: as it was given, else the most general one of its
 * code; FAILURE_NONE for NULL.
 */
Failure failure_of(const GError *error);

#endif
