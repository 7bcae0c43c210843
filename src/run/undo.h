/*
 * Changes of a target, journalled: nothing is changed before a row with the
 * old value is on disk, and every row is undone in the end, after an
 * interruption too.  Knobs (sysctl, sysfs, thp) are read and written by the
 * verbs get and set; the user's own commands by load_run.
 *
 * A value that is neither what was there nor what abrun wrote was changed by
 * someone else: it is left alone, its rows are marked foreign.
 */
#ifndef RUN_UNDO_H
#define RUN_UNDO_H

#include <stdbool.h>

#include <glib.h>

#include "store/store.h"
#include "target/target.h"

/*
 * Brings the host to exactly the state of one cell: settings are the cell's,
 * subjects all that any cell sets (Setting *).  What the cell does not set is
 * put back to what it was.  One round trip to look, one more if something
 * must be changed; commands of the user's own need one to undo and one to
 * apply.  They run in work_dir, a private directory on the target; with NULL
 * each time in one of their own, which takes one round trip more.
 *
 * ABRUN_ERROR_VERIFY "changed by someone else", _FAILED (refused; a command
 * that failed), _STORE, _HOST, _TIMEOUT, _CANCELLED.
 */
bool undo_apply(Store *store, Target *target, size_t target_index,
    const GPtrArray *settings, const GPtrArray *subjects, const char *boot_id,
    const char *work_dir, GError **error);

/*
 * Before a server is started by the user's own command: a row that stops it
 * by the other one, should this run be interrupted.  There is no such row.
 */
bool undo_server_intend(Store *store, size_t target_index, const char *boot_id,
    const Server *server, GError **error);
/*
 * Before a service of the host is touched for the first time: a row that takes
 * abrun's settings away and has it run, or not, as it is now.
 */
bool undo_service_intend(Store *store, Target *target, size_t target_index,
    const char *boot_id, const char *service, GError **error);
/* After it was stopped: there is nothing to undo. */
bool undo_server_stopped(Store *store, size_t target_index, GError **error);

/*
 * Undoes every open row of the target, newest first.  Idempotent.  What could
 * not be undone is added to left, in words, and the rest is undone all the
 * same; false only when the host could not be asked or the store not written.
 */
bool undo_all(Store *store, Target *target, size_t target_index,
    const char *boot_id, const char *work_dir, GPtrArray *left, GError **error);

/*
 * Judges the proofs (Proof *) of knobs that the cell does not set, which the
 * floor below leaves unknown: what is seen must be what it was on this boot
 * before abrun changed it.
 */
bool undo_prove(Store *store, size_t target_index, const char *boot_id,
    GPtrArray *proofs, GError **error);

#endif
