#include "base/deadline.h"

#include <limits.h>
#include <time.h>

int64_t
deadline_now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

Deadline
deadline_in(int64_t ms)
{
	return (Deadline){ .at_us = deadline_now_us() + ms * 1000 };
}

Deadline
deadline_min(Deadline a, Deadline b)
{
	return a.at_us < b.at_us ? a : b;
}

bool
deadline_passed(Deadline deadline)
{
	return deadline_now_us() >= deadline.at_us;
}

int
deadline_left_ms(Deadline deadline)
{
	const int64_t left_us = deadline.at_us - deadline_now_us();

	if (left_us <= 0)
		return 0;
	const int64_t left_ms = (left_us + 999) / 1000;
	return left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}
