/* Turns at machines: one at a time, in the order of coming, never for ever. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "run/turn.h"

#define MACHINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

enum { LONG_MS = 20000, TIMES = 200, THREADS = 4 };

static bool
take(Turns *turns, const char *who, const char *const *machines, int64_t ms,
    GError **error)
{
	return turns_take(
	    turns, who, machines, deadline_in(ms), NULL, NULL, NULL, error);
}

static void
machines_of_others_are_free(void **state)
{
	g_autoptr(Turns) turns = turns_new();
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(take(turns, "a", MACHINES("gen1", "x"), 0, &error));
	assert_true(take(turns, "b", MACHINES("gen2", "y"), 0, &error));
	assert_false(take(turns, "c", MACHINES("z", "gen1"), 0, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_TIMEOUT));
	assert_string_equal(error->message,
	    "waited too long for the host of the load, which a has");
	turns_leave(turns, "a");
	assert_true(take(turns, "c", MACHINES("z", "gen1"), 0, NULL));
}

static void
who_waits_can_be_cancelled(void **state)
{
	g_autoptr(Turns) turns = turns_new();
	g_autoptr(Cancel) cancel = cancel_new(NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_true(take(turns, "a", MACHINES("gen1"), 0, NULL));
	cancel_request(cancel);
	assert_false(turns_take(turns, "b", MACHINES("gen1"),
	    deadline_in(LONG_MS), cancel, NULL, NULL, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED));
	/* It is in nobody's way then. */
	turns_leave(turns, "a");
	assert_true(take(turns, "c", MACHINES("gen1"), 0, NULL));
}

typedef struct {
	Turns *turns;
	const char *who;
	const char *const *machines;
	pthread_t thread;
	pthread_mutex_t *mutex;
	GString *order; /* of coming to its turn */
	int *inside;    /* at gen1 now */
	int most;
	const char *waited_for;
} Comer;

static void
note(void *data, const char *holder)
{
	Comer *comer = data;

	(void)pthread_mutex_lock(comer->mutex);
	comer->waited_for = g_intern_string(holder);
	(void)pthread_mutex_unlock(comer->mutex);
}

static void *
come(void *data)
{
	Comer *comer = data;

	if (!turns_take(comer->turns, comer->who, comer->machines,
		deadline_in(LONG_MS), NULL, note, comer, NULL))
		return NULL;
	(void)pthread_mutex_lock(comer->mutex);
	g_string_append(comer->order, comer->who);
	(void)pthread_mutex_unlock(comer->mutex);
	turns_leave(comer->turns, comer->who);
	return NULL;
}

static const char *
whom(Comer *comer)
{
	(void)pthread_mutex_lock(comer->mutex);
	const char *holder = comer->waited_for;
	(void)pthread_mutex_unlock(comer->mutex);
	return holder;
}

static void
who_came_first_goes_first(void **state)
{
	g_autoptr(Turns) turns = turns_new();
	g_autoptr(GString) order = g_string_new(NULL);
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static const char *const names[] = { "b", "c", "d" };
	static const char *const machines[] = { "gen1", NULL };
	Comer comers[3] = { 0 };
	const Deadline late = deadline_in(LONG_MS);

	(void)state;
	assert_true(take(turns, "a", MACHINES("gen1"), 0, NULL));
	for (int i = 0; i < 3; i++) {
		comers[i] = (Comer){ .turns = turns,
			.who = names[i],
			.machines = machines,
			.mutex = &mutex,
			.order = order };
		assert_int_equal(
		    pthread_create(&comers[i].thread, NULL, come, &comers[i]),
		    0);
		while (whom(&comers[i]) == NULL && !deadline_passed(late))
			assert_true(cancel_sleep(NULL, deadline_in(1), NULL));
		assert_string_equal(whom(&comers[i]), "a");
	}
	turns_leave(turns, "a");
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_join(comers[i].thread, NULL), 0);
	assert_string_equal(order->str, "bcd");
}

static void *
come_often(void *data)
{
	Comer *comer = data;

	for (int i = 0; i < TIMES; i++) {
		if (!take(comer->turns, comer->who, comer->machines, LONG_MS,
			NULL))
			return NULL;
		/* Without the turn this would be a race. */
		++*comer->inside;
		comer->most = MAX(comer->most, *comer->inside);
		--*comer->inside;
		turns_leave(comer->turns, comer->who);
	}
	return NULL;
}

static void
never_two_at_once(void **state)
{
	g_autoptr(Turns) turns = turns_new();
	static const char *const names[THREADS] = { "a", "b", "c", "d" };
	static const char *const machines[][3] = { { "gen1", "x", NULL },
		{ "y", "gen1", NULL } };
	Comer comers[THREADS] = { 0 };
	int inside = 0;

	(void)state;
	for (int i = 0; i < THREADS; i++) {
		comers[i] = (Comer){ .turns = turns,
			.who = names[i],
			.machines = machines[i % 2],
			.inside = &inside };
		assert_int_equal(pthread_create(&comers[i].thread, NULL,
				     come_often, &comers[i]),
		    0);
	}
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(comers[i].thread, NULL), 0);
		assert_int_equal(comers[i].most, 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_of_others_are_free),
		cmocka_unit_test(who_waits_can_be_cancelled),
		cmocka_unit_test(who_came_first_goes_first),
		cmocka_unit_test(never_two_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
