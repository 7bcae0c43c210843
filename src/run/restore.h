/*
 * Undoes on one host what a run left there when it died: by the undo rows of
 * its run directory, or by the journal that the host itself keeps.  Ends loads
 * and servers that were left, removes copies of data directories, puts every
 * change back, removes work directories.  Idempotent.
 */
#ifndef RUN_RESTORE_H
#define RUN_RESTORE_H

#include <stdbool.h>

#include <glib.h>

#include "matrix/matrix.h"
#include "store/store.h"

typedef struct {
	const Host *host;
	const char *matrix_path; /* where hooks are looked for, too */
	bool dry_run;            /* tell what would be done */
	bool take_over;          /* the lock, too, of whoever has it */
} RestoreWay;

/* What came of it, as lines for a person. */
typedef struct {
	GPtrArray *done; /* char *: what was, or would be, undone */
	GPtrArray *left; /* what was not, and why */
} RestoreResult;

void restore_result_init(RestoreResult *result);
void restore_result_clear(RestoreResult *result);

/*
 * By the rows of a store, which was opened for writing; a dry run does not
 * touch the host.  False when the host could not be asked, is used by another
 * abrun (ABRUN_ERROR_HOST), or the store not written.
 */
bool restore_by_store(const RestoreWay *way, Store *store, size_t index,
    RestoreResult *result, GError **error);
/* By what the host keeps, of all runs.  A dry run changes nothing there. */
bool restore_by_host(
    const RestoreWay *way, RestoreResult *result, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RestoreResult, restore_result_clear)

#endif
