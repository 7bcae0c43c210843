/*
 * Points on the monotonic clock.  A deadline is made once, at the top of an
 * operation, and handed down; what is left shrinks on its own.
 */
#ifndef BASE_DEADLINE_H
#define BASE_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
	int64_t at_us; /* CLOCK_MONOTONIC, microseconds */
} Deadline;

Deadline deadline_in(int64_t ms);
/* The earlier of the two. */
Deadline deadline_min(Deadline a, Deadline b);
bool deadline_passed(Deadline deadline);
/* Milliseconds left, rounded up, 0 when passed, capped for poll(2). */
int deadline_left_ms(Deadline deadline);
/* Monotonic microseconds now. */
int64_t deadline_now_us(void);

#endif
