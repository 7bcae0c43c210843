/*
 * A thread that asks a Cancel after a while, for tools of shell tests.
 */
#ifndef TESTS_CANCELLER_H
#define TESTS_CANCELLER_H

#include <pthread.h>
#include <stdbool.h>

#include "base/cancel.h"

typedef struct {
	Cancel *cancel;
	int after_ms; /* 0: never, and no thread */
	pthread_t thread;
	bool running;
} Canceller;

static void *
canceller_thread(void *data)
{
	const Canceller *canceller = data;

	(void)cancel_sleep(NULL, deadline_in(canceller->after_ms), NULL);
	cancel_request(canceller->cancel);
	return NULL;
}

static void
canceller_start(Canceller *canceller)
{
	canceller->running = canceller->after_ms > 0 &&
	    pthread_create(
		&canceller->thread, NULL, canceller_thread, canceller) == 0;
}

static void
canceller_join(Canceller *canceller)
{
	if (canceller->running)
		(void)pthread_join(canceller->thread, NULL);
}

#endif
