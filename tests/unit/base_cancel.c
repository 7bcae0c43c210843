#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <poll.h>

#include "base/cancel.h"
#include "base/error.h"

static void
each_request_counts(void **state)
{
	g_autoptr(Cancel) cancel = cancel_new(NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_int_equal(cancel_level(cancel), 0);
	assert_true(cancel_check(cancel, NULL));
	cancel_request(cancel);
	cancel_request(cancel);
	assert_int_equal(cancel_level(cancel), 2);
	assert_false(cancel_check(cancel, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED));
}

static void
its_descriptor_wakes_whoever_waits(void **state)
{
	g_autoptr(Cancel) cancel = cancel_new(NULL);
	struct pollfd wake = { .fd = cancel_fd(cancel), .events = POLLIN };

	(void)state;
	assert_int_equal(poll(&wake, 1, 0), 0);
	/* More than a pipe holds must not block. */
	for (int i = 0; i < 100000; i++)
		cancel_request(cancel);
	assert_int_equal(poll(&wake, 1, 0), 1);
	assert_int_equal(cancel_level(cancel), 100000);
}

static void
a_sleep_ends_by_its_deadline_or_by_cancel(void **state)
{
	g_autoptr(Cancel) cancel = cancel_new(NULL);
	const Deadline soon = deadline_in(20);

	(void)state;
	assert_true(cancel_sleep(cancel, soon, NULL));
	assert_true(deadline_passed(soon));
	cancel_request(cancel);
	assert_false(cancel_sleep(cancel, deadline_in(INT64_C(3600000)), NULL));
}

static void
no_cancel_is_never_asked(void **state)
{
	(void)state;
	assert_int_equal(cancel_level(NULL), 0);
	assert_int_equal(cancel_fd(NULL), -1);
	assert_true(cancel_check(NULL, NULL));
	assert_true(cancel_sleep(NULL, deadline_in(1), NULL));
	cancel_free(NULL);
}

static void
a_deadline_tells_what_is_left(void **state)
{
	const Deadline past = deadline_in(-5);
	const Deadline later = deadline_in(60000);
	const Deadline never = deadline_in(INT64_C(1000) * INT_MAX);

	(void)state;
	assert_true(deadline_passed(past));
	assert_int_equal(deadline_left_ms(past), 0);
	assert_false(deadline_passed(later));
	assert_in_range(deadline_left_ms(later), 1, 60000);
	assert_int_equal(deadline_left_ms(never), INT_MAX);
	assert_true(deadline_min(past, later).at_us == past.at_us);
	assert_true(deadline_min(later, past).at_us == past.at_us);
	/* Rounded up: poll(2) must not return before it. */
	const Deadline part = { .at_us = deadline_now_us() + 500000500 };
	assert_true(deadline_left_ms(part) >= 499000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_request_counts),
		cmocka_unit_test(its_descriptor_wakes_whoever_waits),
		cmocka_unit_test(a_sleep_ends_by_its_deadline_or_by_cancel),
		cmocka_unit_test(no_cancel_is_never_asked),
		cmocka_unit_test(a_deadline_tells_what_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
