/*
 * Turns at machines: two targets whose loads run on one machine must not
 * measure at once.  Who came first goes first.  Safe from several threads.
 */
#ifndef RUN_TURN_H
#define RUN_TURN_H

#include <stdbool.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/deadline.h"

typedef struct Turns Turns;

Turns *turns_new(void);
void turns_free(Turns *turns);

/* Told once, without the lock, by who has to wait: whom it waits for. */
typedef void (*TurnWaits)(void *data, const char *holder);

/*
 * Waits until nobody has, and nobody who came before wants, any of the
 * machines (names, ended by NULL), and takes them.  One who has a turn must
 * not take another.  ABRUN_ERROR_TIMEOUT, which names the holder, or
 * _CANCELLED.
 */
bool turns_take(Turns *turns, const char *who, const char *const *machines,
    Deadline deadline, const Cancel *cancel, TurnWaits waits, void *data,
    GError **error);
void turns_leave(Turns *turns, const char *who);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Turns, turns_free)

#endif
