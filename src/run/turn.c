#include "run/turn.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/error.h"

/* How often one who waits looks whether it is to stop. */
enum { LOOK_MS = 100 };

typedef struct {
	char *who;
	GStrv machines;
} Turn;

struct Turns {
	pthread_mutex_t mutex; /* guards the rest */
	pthread_cond_t left;   /* somebody has gone */
	GPtrArray *turns;      /* Turn, in the order of coming */
};

static void
turn_free(Turn *turn)
{
	g_free(turn->who);
	g_strfreev(turn->machines);
	g_free(turn);
}

Turns *
turns_new(void)
{
	Turns *turns = g_new0(Turns, 1);
	pthread_condattr_t attributes;

	(void)pthread_mutex_init(&turns->mutex, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&turns->left, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	turns->turns =
	    g_ptr_array_new_with_free_func((GDestroyNotify)turn_free);
	return turns;
}

void
turns_free(Turns *turns)
{
	if (turns == NULL)
		return;
	g_ptr_array_unref(turns->turns);
	(void)pthread_cond_destroy(&turns->left);
	(void)pthread_mutex_destroy(&turns->mutex);
	g_free(turns);
}

static bool
meet(const Turn *a, const Turn *b)
{
	for (size_t i = 0; a->machines[i] != NULL; i++)
		if (g_strv_contains(
			(const char *const *)b->machines, a->machines[i]))
			return true;
	return false;
}

/* Who comes before this one and wants some of the same; NULL: nobody. */
static const Turn *
before(const Turns *turns, const Turn *turn)
{
	for (guint i = 0; turns->turns->pdata[i] != turn; i++)
		if (meet(turns->turns->pdata[i], turn))
			return turns->turns->pdata[i];
	return NULL;
}

/* Sleeps until somebody has gone, or LOOK_MS. */
static void
sleep_a_little(Turns *turns)
{
	const int64_t until_us = deadline_in(LOOK_MS).at_us;
	const struct timespec until = {
		.tv_sec = (time_t)(until_us / 1000000),
		.tv_nsec = (long)(until_us % 1000000) * 1000,
	};

	(void)pthread_cond_timedwait(&turns->left, &turns->mutex, &until);
}

static void
tell(Turns *turns, const Turn *holder, TurnWaits waits, void *data)
{
	g_autofree char *name = g_strdup(holder->who);

	(void)pthread_mutex_unlock(&turns->mutex);
	waits(data, name);
	(void)pthread_mutex_lock(&turns->mutex);
}

/* The mutex is held. */
static bool
wait_for(Turns *turns, const Turn *turn, Deadline deadline,
    const Cancel *cancel, TurnWaits waits, void *data, GError **error)
{
	const Turn *holder = before(turns, turn);

	if (holder != NULL && waits != NULL)
		tell(turns, holder, waits, data);
	while ((holder = before(turns, turn)) != NULL) {
		if (!cancel_check(cancel, error))
			return false;
		if (deadline_passed(deadline)) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_TIMEOUT,
			    "waited too long for the host of the load, which "
			    "%s has",
			    holder->who);
			return false;
		}
		sleep_a_little(turns);
	}
	return true;
}

bool
turns_take(Turns *turns, const char *who, const char *const *machines,
    Deadline deadline, const Cancel *cancel, TurnWaits waits, void *data,
    GError **error)
{
	Turn *turn = g_new0(Turn, 1);

	turn->who = g_strdup(who);
	turn->machines = g_strdupv((GStrv)machines);
	(void)pthread_mutex_lock(&turns->mutex);
	g_ptr_array_add(turns->turns, turn);
	const bool taken =
	    wait_for(turns, turn, deadline, cancel, waits, data, error);
	if (!taken) {
		(void)g_ptr_array_remove(turns->turns, turn);
		(void)pthread_cond_broadcast(&turns->left);
	}
	(void)pthread_mutex_unlock(&turns->mutex);
	return taken;
}

void
turns_leave(Turns *turns, const char *who)
{
	(void)pthread_mutex_lock(&turns->mutex);
	for (guint i = 0; i < turns->turns->len; i++) {
		const Turn *turn = turns->turns->pdata[i];
		if (strcmp(turn->who, who) == 0) {
			(void)g_ptr_array_remove_index(turns->turns, i);
			break;
		}
	}
	(void)pthread_cond_broadcast(&turns->left);
	(void)pthread_mutex_unlock(&turns->mutex);
}
