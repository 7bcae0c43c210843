/*
 * What turning a host off and on comes to, by what one means to do so (a BMC, a
 * switched outlet) has answered: the next thing to ask of it, and the end.
 * Pure.
 *
 * The host is told off, seen to be off, left so for a while, told on, and seen
 * to be on.  That an order was accepted proves nothing, and one that was
 * refused may have been done; a "cycle", of which neither can be seen, is never
 * asked for.  Off and on have their time each: a host that was turned off is
 * told on, however long that took.
 */
#ifndef TARGET_POWER_JUDGE_H
#define TARGET_POWER_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

typedef enum {
	POWER_ASK_STATUS,
	POWER_ASK_OFF,
	POWER_ASK_ON,
	POWER_PAUSE, /* before the status is asked for again */
	POWER_REST,  /* the host is off, and stays so for a while */
	POWER_DONE,
	POWER_FAILED, /* see reason */
} PowerStep;

/* What a status says. */
typedef enum { POWER_UNKNOWN, POWER_IS_ON, POWER_IS_OFF } PowerState;

/* What the last step came to. */
typedef struct {
	int64_t at_ms;    /* since this means was begun with */
	int64_t limit_ms; /* for off, and again for on */
	bool done;        /* it ended well */
	PowerState state; /* of POWER_ASK_STATUS */
	const char *said; /* why it did not end well; borrowed */
} PowerSeen;

/* How far it is; init with { 0 }, free with power_course_clear(). */
typedef struct {
	PowerStep next;
	bool was_off;       /* it was seen to be off since this began */
	bool sent;          /* the order that is due was accepted... */
	int64_t sent_at_ms; /* ...then */
	int64_t half_at_ms; /* its half began: off, or on after the rest */
	/* One after the other: of orders, and of statuses. */
	unsigned refused, mute;
	char *reason; /* of POWER_FAILED */
} PowerCourse;

void power_course_clear(PowerCourse *course);

/* The outcome of course->next; nothing is to be taken in after the end. */
PowerStep power_course_take(PowerCourse *course, const PowerSeen *seen);

/* What is left to off, or to on, of its limit. */
int64_t power_course_left_ms(
    const PowerCourse *course, int64_t at_ms, int64_t limit_ms);

/* "on" or "off" in what a means printed for a status, and nothing else. */
PowerState power_state_of(const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PowerCourse, power_course_clear)

#endif
