#include "target/power_judge.h"

#include <string.h>

enum {
	/* What fails so often one after the other is not asked for again. */
	FAILURES_MAX = 3,
	/* Some accept an order while they are busy, and forget it. */
	SEND_AGAIN_MS = 20000,
};

void
power_course_clear(PowerCourse *course)
{
	g_clear_pointer(&course->reason, g_free);
}

PowerState
power_state_of(const char *text)
{
	g_autofree char *word = g_strstrip(g_strdup(text));

	if (strcmp(word, "on") == 0)
		return POWER_IS_ON;
	return strcmp(word, "off") == 0 ? POWER_IS_OFF : POWER_UNKNOWN;
}

static PowerStep G_GNUC_PRINTF(2, 3)
    fail(PowerCourse *course, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_free(course->reason);
	course->reason = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	return POWER_FAILED;
}

static const char *
wanted(const PowerCourse *course)
{
	return course->was_off ? "on" : "off";
}

/* The same once more, unless it is hopeless. */
static PowerStep
count_failure(PowerCourse *course, unsigned *failures, const PowerSeen *seen,
    const char *what)
{
	++*failures;
	if (*failures < FAILURES_MAX)
		return POWER_PAUSE;
	return fail(course, "%s failed %u times, last: %s", what, *failures,
	    seen->said == NULL ? "no reason given" : seen->said);
}

static PowerStep
order(const PowerCourse *course, const PowerSeen *seen)
{
	if (course->sent && seen->at_ms - course->sent_at_ms < SEND_AGAIN_MS)
		return POWER_PAUSE;
	return course->was_off ? POWER_ASK_ON : POWER_ASK_OFF;
}

static PowerStep
take_status(PowerCourse *course, const PowerSeen *seen)
{
	if (!seen->done || seen->state == POWER_UNKNOWN)
		return count_failure(course, &course->mute, seen, "status");
	course->mute = 0;
	if (course->was_off)
		return seen->state == POWER_IS_ON ? POWER_DONE
						  : order(course, seen);
	if (seen->state == POWER_IS_ON)
		return order(course, seen);
	course->was_off = true;
	course->sent = false;
	course->refused = 0;
	return POWER_REST;
}

static PowerStep
take_order(PowerCourse *course, const PowerSeen *seen)
{
	if (!seen->done)
		return count_failure(
		    course, &course->refused, seen, wanted(course));
	course->sent = true;
	course->sent_at_ms = seen->at_ms;
	course->refused = 0;
	return POWER_ASK_STATUS;
}

static PowerStep
take(PowerCourse *course, const PowerSeen *seen)
{
	switch (course->next) {
	case POWER_ASK_STATUS:
		return take_status(course, seen);
	case POWER_ASK_OFF:
	case POWER_ASK_ON:
		return take_order(course, seen);
	case POWER_PAUSE:
		return POWER_ASK_STATUS;
	case POWER_REST:
		course->half_at_ms = seen->at_ms;
		return POWER_ASK_ON;
	case POWER_DONE:
	case POWER_FAILED:
		break;
	}
	return course->next;
}

int64_t
power_course_left_ms(const PowerCourse *course, int64_t at_ms, int64_t limit_ms)
{
	return course->half_at_ms + limit_ms - at_ms;
}

/* A host that is off is not left so for want of time. */
static bool
is_late(const PowerCourse *course, const PowerSeen *seen)
{
	return course->next != POWER_DONE && course->next != POWER_FAILED &&
	    course->next != POWER_REST &&
	    power_course_left_ms(course, seen->at_ms, seen->limit_ms) <= 0;
}

PowerStep
power_course_take(PowerCourse *course, const PowerSeen *seen)
{
	course->next = take(course, seen);
	if (is_late(course, seen))
		course->next = fail(course,
		    "the host is not %s after %" G_GINT64_FORMAT " s%s%s",
		    wanted(course), (seen->at_ms - course->half_at_ms) / 1000,
		    seen->said == NULL ? "" : ", last: ",
		    seen->said == NULL ? "" : seen->said);
	return course->next;
}
