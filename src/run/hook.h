/*
 * A lab's own programs, run here on the controller: hooks/notify and
 * hooks/visit.  Each gets a clean environment (PATH, HOME, LANG and the facts
 * as ABRUN_*), no standard input, a process group of its own and a deadline
 * after which all of it is killed.  Safe from several threads.
 */
#ifndef RUN_HOOK_H
#define RUN_HOOK_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/cancel.h"

/* "TARGET", "lab1": ABRUN_TARGET=lab1.  A NULL value is left out. */
typedef struct {
	const char *name, *value;
} HookFact;

/*
 * Their clean environment, for others that are run here: NAME=VALUE, ends with
 * NULL; free it with g_strfreev().
 */
char **hook_environment(const HookFact *facts, size_t n);

/*
 * Where the program of "mail root" in a folder such as "notify" is; free it.
 * ABRUN_ERROR_USAGE when there is none that can be executed.
 */
char *hook_path(const char *matrix_path, const char *folder, const char *words,
    GError **error);

/*
 * Runs it with its other words as arguments.  False when it cannot be
 * started, does not end in time, or not with status 0; the error holds its
 * last words and is called FAILURE_HOOK_FAILED.
 */
bool hook_run(const char *matrix_path, const char *folder, const char *words,
    const HookFact *facts, size_t n, int64_t limit_ms, const Cancel *cancel,
    GError **error);
/* The same; what it printed is in *said, which is to be freed. */
bool hook_ask(const char *matrix_path, const char *folder, const char *words,
    const HookFact *facts, size_t n, int64_t limit_ms, const Cancel *cancel,
    char **said, GError **error);

#endif
