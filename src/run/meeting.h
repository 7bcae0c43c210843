/*
 * Where the targets of a night wait for each other, until all have made the
 * planned rounds: then one of them looks at what all have measured, and what
 * it decides holds for all.  Safe from several threads.
 *
 * Nobody waits for ever: each member comes or leaves, since every wait of its
 * own has a deadline.
 */
#ifndef RUN_MEETING_H
#define RUN_MEETING_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "base/cancel.h"

typedef struct Meeting Meeting;

Meeting *meeting_new(size_t members);
void meeting_free(Meeting *meeting);

/*
 * Called without the lock by the one who came last, or who notices that the
 * rest has left; counts has false for members that were given up.  *rounds,
 * at first those that were made, are all that are to be made from now on.
 */
typedef bool (*MeetingLook)(
    void *data, const bool *counts, size_t *rounds, GError **error);

/*
 * Waits for all who have not left.  *rounds becomes what was decided; it stays
 * as it is where nobody can look, since one of them has left with rounds to
 * make.  False with the look's own error, or ABRUN_ERROR_CANCELLED.
 */
bool meeting_come(Meeting *meeting, size_t member, const Cancel *cancel,
    MeetingLook look, void *data, size_t *rounds, GError **error);
/*
 * A member's night is over.  Given up it counts no more; else its rounds may
 * be made another night, and until then nothing is decided.
 */
void meeting_leave(Meeting *meeting, size_t member, bool given_up);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Meeting, meeting_free)

#endif
