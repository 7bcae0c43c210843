/* Targets that wait for each other: one looks for all, nobody waits in vain. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "run/meeting.h"

enum { MEMBERS = 4, TIMES = 50 };

typedef struct {
	Meeting *meeting;
	size_t member;
	const Cancel *cancel;
	pthread_t thread;
	size_t rounds;
	size_t looks; /* of its own */
	size_t last;  /* as many are decided in the end */
	bool counted[MEMBERS];
	bool ok;
	GError *error;
} Comer;

/* One round more, up to the last. */
static bool
look(void *data, const bool *counts, size_t *rounds, GError **error)
{
	Comer *comer = data;

	(void)error;
	comer->looks++;
	for (size_t i = 0; i < MEMBERS; i++)
		comer->counted[i] = counts[i];
	if (*rounds < comer->last)
		++*rounds;
	return true;
}

static bool
look_fails(void *data, const bool *counts, size_t *rounds, GError **error)
{
	(void)data;
	(void)counts;
	(void)rounds;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE, "no room");
	return false;
}

static bool
come(Comer *comer, MeetingLook by)
{
	return meeting_come(comer->meeting, comer->member, comer->cancel, by,
	    comer, &comer->rounds, &comer->error);
}

/* As a worker does: until no more rounds are decided. */
static void *
come_often(void *data)
{
	Comer *comer = data;

	for (size_t made = 0; made < comer->rounds;) {
		made = comer->rounds;
		comer->ok = come(comer, look);
	}
	meeting_leave(comer->meeting, comer->member, false);
	return NULL;
}

static void *
come_once(void *data)
{
	Comer *comer = data;

	comer->ok = come(comer, look);
	return NULL;
}

static void
begin(Comer *comers, size_t n, Meeting *meeting, void *(*work)(void *))
{
	for (size_t i = 0; i < n; i++) {
		comers[i] = (Comer){ .meeting = meeting,
			.member = i,
			.rounds = 5,
			.last = 5 + TIMES };
		assert_int_equal(
		    pthread_create(&comers[i].thread, NULL, work, &comers[i]),
		    0);
	}
}

static void
end(const Comer *comers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(pthread_join(comers[i].thread, NULL), 0);
}

static void
all_get_the_same_and_one_looks(void **state)
{
	g_autoptr(Meeting) meeting = meeting_new(MEMBERS);
	Comer comers[MEMBERS];
	size_t looks = 0;

	(void)state;
	begin(comers, MEMBERS, meeting, come_often);
	end(comers, MEMBERS);
	for (size_t i = 0; i < MEMBERS; i++) {
		assert_true(comers[i].ok);
		assert_int_equal(comers[i].rounds, 5 + TIMES);
		looks += comers[i].looks;
	}
	/* The last look decides that these are enough. */
	assert_int_equal(looks, TIMES + 1);
}

static void
who_was_given_up_is_not_waited_for(void **state)
{
	g_autoptr(Meeting) meeting = meeting_new(MEMBERS);
	Comer comers[MEMBERS];
	size_t looks = 0;

	(void)state;
	begin(comers, MEMBERS - 1, meeting, come_once);
	meeting_leave(meeting, MEMBERS - 1, true);
	end(comers, MEMBERS - 1);
	for (size_t i = 0; i < MEMBERS - 1; i++) {
		assert_int_equal(comers[i].rounds, 6);
		looks += comers[i].looks;
		if (comers[i].looks == 0)
			continue;
		assert_true(comers[i].counted[0]);
		assert_false(comers[i].counted[MEMBERS - 1]);
	}
	assert_int_equal(looks, 1);
}

/* Its rounds are made another night. */
static void
who_leaves_with_rounds_to_make_ends_the_meeting(void **state)
{
	g_autoptr(Meeting) meeting = meeting_new(2);
	Comer comer[1];

	(void)state;
	begin(comer, 1, meeting, come_once);
	meeting_leave(meeting, 1, false);
	end(comer, 1);
	assert_true(comer->ok);
	assert_int_equal(comer->rounds, 5);
	assert_int_equal(comer->looks, 0);
}

static void
who_waits_can_be_cancelled(void **state)
{
	g_autoptr(Meeting) meeting = meeting_new(2);
	g_autoptr(Cancel) cancel = cancel_new(NULL);
	Comer comer = { .meeting = meeting, .cancel = cancel, .rounds = 5 };

	(void)state;
	cancel_request(cancel);
	assert_false(come(&comer, look));
	assert_true(
	    g_error_matches(comer.error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED));
	assert_int_equal(comer.looks, 0);
	g_clear_error(&comer.error);
}

/* What cannot be stored: the others do not wait for it. */
static void
a_look_that_fails_ends_the_meeting(void **state)
{
	g_autoptr(Meeting) meeting = meeting_new(2);
	Comer comers[1];
	Comer second = { .meeting = meeting, .member = 1, .rounds = 5 };

	(void)state;
	meeting_leave(meeting, 0, true);
	assert_false(come(&second, look_fails));
	assert_string_equal(second.error->message, "no room");
	begin(comers, 1, meeting, come_once);
	end(comers, 1);
	assert_true(comers[0].ok);
	assert_int_equal(comers[0].rounds, 5);
	g_clear_error(&second.error);
	meeting_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_get_the_same_and_one_looks),
		cmocka_unit_test(who_was_given_up_is_not_waited_for),
		cmocka_unit_test(
		    who_leaves_with_rounds_to_make_ends_the_meeting),
		cmocka_unit_test(who_waits_can_be_cancelled),
		cmocka_unit_test(a_look_that_fails_ends_the_meeting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
