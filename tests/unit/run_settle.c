/* The rounds of a night of several targets that had no time for more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "analysis/stop.h"
#include "run/settle.h"

/* Three rounds of two targets are planned; *events: told as shortened. */
static int
rounds_after(Store *store, size_t first, size_t second, size_t *events)
{
	const size_t stopped[] = { first, second };
	GError *error = NULL;

	assert_true(settle_rounds(store, stopped, 2, &error));
	assert_null(error);
	g_autoptr(StoreData) data = store_read(store, NULL);
	*events = 0;
	for (guint i = 0; i < data->events->len; i++) {
		const DataEvent *event = data->events->pdata[i];
		if (strcmp(event->kind, STOP_EVENT_SHORTENED) != 0)
			continue;
		++*events;
		assert_string_equal(event->text,
		    "from 3 to 2 rounds: no host had the time to begin round "
		    "3");
	}
	return data->rounds;
}

static void
a_round_that_nobody_began_is_taken_away(void **state)
{
	g_autoptr(Store) store = create_store(state);
	size_t events = 0;

	assert_int_equal(rounds_after(store, 3, 3, &events), 2);
	assert_int_equal(events, 1);
}

static void
a_round_that_one_makes_is_not(void **state)
{
	g_autoptr(Store) store = create_store(state);
	size_t events = 0;

	assert_int_equal(rounds_after(store, 3, 0, &events), 3);
	assert_int_equal(rounds_after(store, 0, 3, &events), 3);
	assert_int_equal(rounds_after(store, 2, 3, &events), 3);
	assert_int_equal(rounds_after(store, 0, 0, &events), 3);
	/* A night without a single round is no night. */
	assert_int_equal(rounds_after(store, 1, 1, &events), 3);
	assert_int_equal(events, 0);
}

/* In the night before. */
static void
a_round_that_was_begun_earlier_stays(void **state)
{
	g_autoptr(Store) store = create_store(state);
	size_t events = 0;

	assert_int_not_equal(
	    store_visit_begin(store, 1, 3, 0, 1, 0, 1, NULL), 0);
	assert_int_equal(rounds_after(store, 3, 3, &events), 3);
	assert_int_equal(events, 0);
}

/* What one target has made of its night is stored when it stops. */
static void
a_single_target_is_settled_before(void **state)
{
	g_autoptr(Store) store = create_store(state);
	const size_t stopped[] = { 3 };

	assert_true(settle_rounds(store, stopped, 1, NULL));
	g_autoptr(StoreData) data = store_read(store, NULL);
	assert_int_equal(data->rounds, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(a_round_that_nobody_began_is_taken_away),
		with_parent(a_round_that_one_makes_is_not),
		with_parent(a_round_that_was_begun_earlier_stays),
		with_parent(a_single_target_is_settled_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
