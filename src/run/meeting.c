#include "run/meeting.h"

#include <pthread.h>
#include <time.h>

#include "base/deadline.h"

/* How often one who waits looks whether it is to stop. */
enum { WAKE_MS = 100 };

typedef enum { MEMBER_AWAY, MEMBER_HERE, MEMBER_GIVEN_UP } Member;

struct Meeting {
	pthread_mutex_t mutex;  /* guards the rest */
	pthread_cond_t changed; /* somebody came or left, or it is decided */
	size_t n;
	Member *members;
	bool looking;   /* one of them does */
	bool adjourned; /* one has left with rounds to make */
	size_t decided; /* how often */
	size_t rounds;  /* as decided last */
};

Meeting *
meeting_new(size_t members)
{
	Meeting *meeting = g_new0(Meeting, 1);
	pthread_condattr_t attributes;

	(void)pthread_mutex_init(&meeting->mutex, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&meeting->changed, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	meeting->n = members;
	meeting->members = g_new0(Member, members + 1);
	return meeting;
}

void
meeting_free(Meeting *meeting)
{
	if (meeting == NULL)
		return;
	(void)pthread_cond_destroy(&meeting->changed);
	(void)pthread_mutex_destroy(&meeting->mutex);
	g_free(meeting->members);
	g_free(meeting);
}

static bool
all_are_here(const Meeting *meeting)
{
	for (size_t i = 0; i < meeting->n; i++)
		if (meeting->members[i] == MEMBER_AWAY)
			return false;
	return true;
}

/* Sleeps until something changes, or WAKE_MS. */
static void
sleep_a_little(Meeting *meeting)
{
	const int64_t until_us = deadline_in(WAKE_MS).at_us;
	const struct timespec until = {
		.tv_sec = (time_t)(until_us / 1000000),
		.tv_nsec = (long)(until_us % 1000000) * 1000,
	};

	(void)pthread_cond_timedwait(
	    &meeting->changed, &meeting->mutex, &until);
}

/* Lets go of the mutex meanwhile; the others wait for the decision. */
static bool
look_for_all(Meeting *meeting, MeetingLook look, void *data, size_t *rounds,
    GError **error)
{
	g_autofree bool *counts = g_new0(bool, meeting->n + 1);

	for (size_t i = 0; i < meeting->n; i++)
		counts[i] = meeting->members[i] != MEMBER_GIVEN_UP;
	meeting->looking = true;
	(void)pthread_mutex_unlock(&meeting->mutex);
	const bool ok = look(data, counts, rounds, error);
	(void)pthread_mutex_lock(&meeting->mutex);
	meeting->looking = false;
	meeting->adjourned = meeting->adjourned || !ok;
	for (size_t i = 0; i < meeting->n && ok; i++)
		if (meeting->members[i] == MEMBER_HERE)
			meeting->members[i] = MEMBER_AWAY;
	meeting->rounds = *rounds;
	meeting->decided += ok;
	(void)pthread_cond_broadcast(&meeting->changed);
	return ok;
}

/* The mutex is held. */
static bool
wait_for_all(Meeting *meeting, const Cancel *cancel, MeetingLook look,
    void *data, size_t *rounds, GError **error)
{
	const size_t before = meeting->decided;

	while (meeting->decided == before && !meeting->adjourned) {
		if (!cancel_check(cancel, error))
			return false;
		if (!meeting->looking && all_are_here(meeting))
			return look_for_all(meeting, look, data, rounds, error);
		sleep_a_little(meeting);
	}
	if (meeting->decided != before)
		*rounds = meeting->rounds;
	return true;
}

bool
meeting_come(Meeting *meeting, size_t member, const Cancel *cancel,
    MeetingLook look, void *data, size_t *rounds, GError **error)
{
	(void)pthread_mutex_lock(&meeting->mutex);
	meeting->members[member] = MEMBER_HERE;
	(void)pthread_cond_broadcast(&meeting->changed);
	const bool ok =
	    wait_for_all(meeting, cancel, look, data, rounds, error);
	(void)pthread_mutex_unlock(&meeting->mutex);
	return ok;
}

void
meeting_leave(Meeting *meeting, size_t member, bool given_up)
{
	(void)pthread_mutex_lock(&meeting->mutex);
	if (given_up)
		meeting->members[member] = MEMBER_GIVEN_UP;
	else
		meeting->adjourned = true;
	(void)pthread_cond_broadcast(&meeting->changed);
	(void)pthread_mutex_unlock(&meeting->mutex);
}
