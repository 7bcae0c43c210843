/*
 * target/power_judge.h: whatever a BMC answers, in which order, and when.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>

#include "target/power_judge.h"

enum { LIMIT_MS = 60000 };

/* One answer, a second after the last. */
typedef struct {
	bool done;
	PowerState state;
} Answer;

static const Answer on = { true, POWER_IS_ON };
static const Answer off = { true, POWER_IS_OFF };
static const Answer accepted = { true, POWER_UNKNOWN };
static const Answer unclear = { true, POWER_UNKNOWN };
static const Answer refused = { false, POWER_UNKNOWN };
static const Answer passed = { true, POWER_UNKNOWN };

/* What is asked for after each of the answers, as one word a step. */
static char *
asked(PowerCourse *course, const Answer *answers, size_t n)
{
	static const char *const words[] = { "status", "off", "on", "pause",
		"rest", "DONE", "FAILED" };
	GString *text = g_string_new(words[course->next]);

	for (size_t i = 0; i < n; i++) {
		const PowerSeen seen = {
			.at_ms = (int64_t)i * 1000,
			.limit_ms = LIMIT_MS,
			.done = answers[i].done,
			.state = answers[i].state,
			.said = answers[i].done ? NULL : "not supported",
		};
		g_string_append_printf(
		    text, " %s", words[power_course_take(course, &seen)]);
	}
	return g_string_free(text, FALSE);
}

static void
expect(const Answer *answers, size_t n, const char *steps, const char *reason)
{
	g_auto(PowerCourse) course = { 0 };
	g_autofree char *seen = asked(&course, answers, n);

	assert_string_equal(seen, steps);
	if (reason == NULL)
		assert_null(course.reason);
	else
		assert_string_equal(course.reason, reason);
}

#define EXPECT(steps, reason, ...)                                             \
	do {                                                                   \
		const Answer answers[] = { __VA_ARGS__ };                      \
		expect(answers, G_N_ELEMENTS(answers), steps, reason);         \
	} while (0)

static void
off_then_on_and_each_is_seen(void **state)
{
	(void)state;
	EXPECT("status off status rest on status DONE", NULL, on, accepted, off,
	    passed, accepted, on);
}

static void
a_host_that_is_off_is_turned_on(void **state)
{
	(void)state;
	EXPECT("status rest on status DONE", NULL, off, passed, accepted, on);
}

static void
an_accepted_order_is_waited_for(void **state)
{
	(void)state;
	EXPECT("status off status pause status pause status rest on status "
	       "pause status DONE",
	    NULL, on, accepted, on, passed, on, passed, off, passed, accepted,
	    off, passed, on);
}

static void
a_refused_order_may_have_been_done(void **state)
{
	(void)state;
	EXPECT("status off pause status rest on status DONE", NULL, on, refused,
	    passed, off, passed, accepted, on);
}

static void
what_is_refused_three_times_is_given_up(void **state)
{
	(void)state;
	EXPECT("status off pause status off pause status off FAILED",
	    "off failed 3 times, last: not supported", on, refused, passed, on,
	    refused, passed, on, refused);
	EXPECT("status rest on pause status on pause status on FAILED",
	    "on failed 3 times, last: not supported", off, passed, refused,
	    passed, off, refused, passed, off, refused);
}

static void
a_status_that_tells_nothing_is_no_status(void **state)
{
	(void)state;
	EXPECT("status pause status pause status FAILED",
	    "status failed 3 times, last: not supported", unclear, passed,
	    refused, passed, refused);
	EXPECT("status pause status off status rest on status DONE", NULL,
	    refused, passed, on, accepted, off, passed, accepted, on);
}

/* It accepts all, and does nothing: told again, and then given up. */
static void
a_liar_is_given_up_at_the_limit(void **state)
{
	g_auto(PowerCourse) course = { 0 };
	unsigned orders = 0;
	int64_t at_ms = 0;

	(void)state;
	while (course.next != POWER_FAILED) {
		orders += course.next == POWER_ASK_OFF;
		assert_true(at_ms <= LIMIT_MS);
		const PowerSeen seen = { .at_ms = at_ms,
			.limit_ms = LIMIT_MS,
			.done = true,
			.state = POWER_IS_ON };
		assert_int_not_equal(
		    power_course_take(&course, &seen), POWER_DONE);
		at_ms += 1000;
	}
	assert_string_equal(course.reason, "the host is not off after 60 s");
	assert_int_equal(orders, 3);
}

/* A status that fails between good ones is none of a row. */
static void
failures_of_a_row_are_counted_alone(void **state)
{
	(void)state;
	EXPECT("status off status pause status pause status pause status pause "
	       "status pause status pause status rest on status DONE",
	    NULL, on, accepted, refused, passed, on, passed, refused, passed,
	    on, passed, unclear, passed, on, passed, off, passed, accepted, on);
	EXPECT("status pause status pause status off pause status off status "
	       "rest on status DONE",
	    NULL, refused, passed, refused, passed, on, refused, passed, on,
	    accepted, off, passed, accepted, on);
}

/* What a host that is slow to go off has used is not of on's time. */
static void
on_has_a_time_of_its_own(void **state)
{
	static const struct {
		PowerStep next;
		int64_t at_ms;
		PowerState state;
	} steps[] = {
		{ POWER_REST, LIMIT_MS + 1000, POWER_IS_OFF },
		{ POWER_ASK_ON, LIMIT_MS + 6000, POWER_UNKNOWN },
		{ POWER_ASK_STATUS, LIMIT_MS + 7000, POWER_UNKNOWN },
		{ POWER_PAUSE, 2 * LIMIT_MS + 5000, POWER_IS_OFF },
		{ POWER_FAILED, 2 * LIMIT_MS + 6000, POWER_UNKNOWN },
	};
	g_auto(PowerCourse) course = { 0 };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
		const PowerSeen seen = { .at_ms = steps[i].at_ms,
			.limit_ms = LIMIT_MS,
			.done = true,
			.state = steps[i].state };
		/* An order that was accepted is not repeated here. */
		course.sent_at_ms = MAX(course.sent_at_ms, seen.at_ms - 1000);
		assert_int_equal(
		    power_course_take(&course, &seen), steps[i].next);
	}
	assert_string_equal(course.reason, "the host is not on after 60 s");
	assert_int_equal(
	    power_course_left_ms(&course, LIMIT_MS + 7000, LIMIT_MS),
	    LIMIT_MS - 1000);
}

/* The last word counts, however late. */
static void
what_is_done_at_the_limit_is_done(void **state)
{
	g_auto(PowerCourse) course = { .was_off = true };
	const PowerSeen seen = { .at_ms = 2 * LIMIT_MS,
		.limit_ms = LIMIT_MS,
		.done = true,
		.state = POWER_IS_ON };

	(void)state;
	assert_int_equal(power_course_take(&course, &seen), POWER_DONE);
}

static void
a_status_is_one_word(void **state)
{
	(void)state;
	assert_int_equal(power_state_of("on\n"), POWER_IS_ON);
	assert_int_equal(power_state_of(" off \r\n"), POWER_IS_OFF);
	assert_int_equal(power_state_of(""), POWER_UNKNOWN);
	assert_int_equal(power_state_of("on\noff\n"), POWER_UNKNOWN);
	assert_int_equal(power_state_of("Chassis Power is on"), POWER_UNKNOWN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(off_then_on_and_each_is_seen),
		cmocka_unit_test(a_host_that_is_off_is_turned_on),
		cmocka_unit_test(an_accepted_order_is_waited_for),
		cmocka_unit_test(a_refused_order_may_have_been_done),
		cmocka_unit_test(what_is_refused_three_times_is_given_up),
		cmocka_unit_test(a_status_that_tells_nothing_is_no_status),
		cmocka_unit_test(a_liar_is_given_up_at_the_limit),
		cmocka_unit_test(failures_of_a_row_are_counted_alone),
		cmocka_unit_test(on_has_a_time_of_its_own),
		cmocka_unit_test(what_is_done_at_the_limit_is_done),
		cmocka_unit_test(a_status_is_one_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
