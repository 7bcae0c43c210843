/*
 * A local process: argument vector, clean environment, standard input from a
 * string, its own process group, outputs drained and capped, and a deadline
 * after which the whole group is killed.  Safe from several threads.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/deadline.h"

typedef struct {
	GString *out;   /* at most max_output bytes; the rest is dropped */
	GString *err;   /* likewise */
	int status;     /* exit status, or -1 */
	int signal;     /* signal that ended it, or 0 */
	bool truncated; /* some output was dropped */
} ProcessResult;

void process_result_clear(ProcessResult *result);

/*
 * Runs argv (ends with NULL) with environment env (ends with NULL; NULL means
 * ours) and waits for its end.  True when it ended by itself, whatever its
 * status; false with ABRUN_ERROR_FAILED (cannot start), _TIMEOUT or
 * _CANCELLED, and the group killed.
 */
bool process_run(const char *const *argv, const char *const *env,
    const char *input, size_t max_output, Deadline deadline,
    const Cancel *cancel, ProcessResult *result, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ProcessResult, process_result_clear)

#endif
