/*
 * One live host: its session, its OS program, what it said about itself.
 * For one thread.  Used for targets and for client hosts alike; the controller
 * as a client host (host->local) is spoken to without SSH.
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "matrix/matrix.h"
#include "target/ssh.h"
#include "target/verbs.h"

typedef struct Target Target;

/*
 * The program for a system: hooks/os/common.sh, behind it hooks/os/OS.sh, and
 * where there is one hooks/os/OS-boot.sh, each from the first place where
 * matrix_find_file() finds one.  Free it; NULL with ABRUN_ERROR_USAGE when one
 * is not there or cannot be read.
 */
char *target_program(const char *matrix_path, const char *os, GError **error);

/*
 * program: text of target_program().  noise: file that receives what hosts say
 * outside frames (raw/noise-NAME.txt), or NULL.  Does not connect yet.
 */
Target *target_new(const Host *host, const char *program,
    const char *noise_path, const Cancel *cancel);
void target_free(Target *target);
const Host *target_host(const Target *target);
const Cancel *target_cancel(const Target *target);
/* The command that runs the program, and what it is fed before the verbs. */
const char *target_shell(const Target *target);
const char *target_program_text(const Target *target);
/*
 * What later calls obey; NULL lets undo and clean-up go on after the user has
 * asked to stop.
 */
void target_set_cancel(Target *target, const Cancel *cancel);
/* "SHA256:..." of the host key last seen, or NULL before the first call. */
const char *target_fingerprint(const Target *target);
/* That key was unknown, and accepted as a new one, since the last call. */
bool target_accepted_key(Target *target);
/* Warnings since the last call, as strings; free the array. */
GPtrArray *target_warnings(Target *target);

/*
 * From now on another session is used only in this boot, which it is asked
 * for before anything else; NULL: in any.
 */
void target_set_boot(Target *target, const char *boot_id);

/* Ends the session: the next call opens another. */
void target_drop(Target *target);

/*
 * Connects where needed (one retry with a fresh session if the old one proves
 * dead before the call was sent) and runs the call.  False when the host
 * could not be asked; true with one VerbAnswer a verb, which may be
 * VERB_UNKNOWN.  Counts one round trip.
 *
 * Errors name the host: ABRUN_ERROR_HOST (unreachable, refused, sudo refused,
 * its login shell does not run the program, no login in time, it is in another
 * boot than that of target_set_boot(), or the link broke before all was
 * answered: then what was done is not known), _TIMEOUT (the call was begun),
 * _CANCELLED, _USAGE.
 */
bool target_call(Target *target, const VerbCall *call, Deadline deadline,
    GPtrArray **answers, GError **error);
/*
 * A call of one verb that must be VERB_DONE; free the answer.  Errors as of
 * target_call() and verb_answer_check().
 */
VerbAnswer *target_ask(Target *target, Deadline deadline, GError **error,
    const char *verb, ...) G_GNUC_NULL_TERMINATED;
/*
 * The last call was begun, but its link broke, or its program was killed,
 * before all was answered: what it has begun may go on there.
 */
bool target_broke(const Target *target);
/* Calls made so far. */
size_t target_round_trips(const Target *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Target, target_free)

#endif
