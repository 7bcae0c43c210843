#include "abload/client_work.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Of each client's queries go into the digest where the time ends the run. */
enum { DIGESTED = 1000 };

static void
count(Client *client, const Shot *shot, const WireAnswer *answer, uint64_t ns)
{
	Tally *tally = &client->tallies[shot->type];
	const uint64_t matched =
	    answer->result_set ? answer->rows : answer->affected;

	histogram_add(tally->latency, ns);
	__atomic_store_n(&tally->queries, tally->queries + 1, __ATOMIC_RELAXED);
	tally->rows += answer->rows;
	if (matched == 0 && shot->query->must_match)
		tally->misses++;
	tally->sum_ns += (double)ns;
	tally->squares += (double)ns * (double)ns;
	tally->min_ns = MIN(tally->min_ns, ns);
	tally->max_ns = MAX(tally->max_ns, ns);
}

/* Sleeps to a point of the clock; false when everybody shall stop. */
static bool
sleep_until(const Client *client, uint64_t at_ns)
{
	/* A stop is seen within so long. */
	static const uint64_t longest_ns = 50000000;

	for (;;) {
		const uint64_t now = bench_now_ns();
		if (bench_is_stopped(client->bench))
			return false;
		if (now >= at_ns)
			return true;
		const uint64_t next = MIN(at_ns, now + longest_ns);
		const struct timespec until = {
			.tv_sec = (time_t)(next / 1000000000),
			.tv_nsec = (long)(next % 1000000000),
		};
		(void)clock_nanosleep(
		    CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	}
}

/* When queries of an open loop are due. */
typedef struct {
	Random random;
	double next_ns, step_ns; /* of this client */
	bool poisson;
} Arrivals;

static void
begin_arrivals(Client *client, Arrivals *arrivals, uint64_t began_ns)
{
	const Options *options = client->bench->options;

	arrivals->step_ns = 1e9 / options->rate * (double)client->clients;
	arrivals->poisson = options->poisson;
	arrivals->random =
	    random_stream(options->seed, "arrivals", client->index);
	arrivals->next_ns =
	    (double)began_ns + 1e9 / options->rate * (double)client->index;
}

static uint64_t
next_arrival(Arrivals *arrivals)
{
	const double due = arrivals->next_ns;
	double step = arrivals->step_ns;

	if (arrivals->poisson) {
		const double uniform =
		    ((double)(random_next(&arrivals->random) >> 11) + .5) *
		    0x1p-53;
		step *= -log(uniform);
	}
	arrivals->next_ns += step;
	return (uint64_t)due;
}

/* Up to where a run or a warm-up goes. */
typedef struct {
	uint64_t rounds;   /* 0: no end */
	uint64_t until_ns; /* 0: no end */
	bool counted;
	uint64_t digested;  /* queries that go into the digest */
	Arrivals *arrivals; /* NULL: as fast as can be */
} Course;

/* One query of a course; *last_ns is when the one before ended. */
static bool
fire(Client *client, const Shot *shot, Course *course, uint64_t *last_ns)
{
	WireAnswer answer;
	uint64_t due = *last_ns;

	if (course->arrivals != NULL) {
		due = next_arrival(course->arrivals);
		if (course->until_ns != 0 && due >= course->until_ns) {
			*last_ns = course->until_ns;
			return true;
		}
		if (!sleep_until(client, due))
			return false;
	}
	const uint64_t sent = course->arrivals == NULL ? due : bench_now_ns();
	const bool digested = client->digested < course->digested;
	if (!client_exchange(client, shot, digested, &answer))
		return false;
	const uint64_t now = bench_now_ns();
	*last_ns = now;
	if (!course->counted)
		return true;
	client->digested += digested ? 1 : 0;
	count(client, shot, &answer, now - due);
	client->service_ns += (double)(now - sent);
	client->behind_ns = MAX(client->behind_ns, sent - due);
	client->last_ns = now;
	client->due_ns = due;
	return true;
}

static bool
run_course(Client *client, Course *course, uint64_t last_ns)
{
	for (uint64_t round = 0; course->rounds == 0 || round < course->rounds;
	     round++)
		for (size_t i = 0; i < client->n_shots; i++) {
			const Shot *shot = &client->shots[i];
			if (course->until_ns != 0 &&
			    last_ns >= course->until_ns)
				return true;
			if (shot->query == NULL) {
				last_ns += (uint64_t)shot->pause_us * 1000;
				if (!sleep_until(client, last_ns))
					return false;
				continue;
			}
			for (uint64_t k = 0; k < shot->count; k++) {
				if (course->until_ns != 0 &&
				    last_ns >= course->until_ns)
					return true;
				if (bench_is_stopped(client->bench) ||
				    !fire(client, shot, course, &last_ns))
					return false;
			}
		}
	return true;
}

bool
client_warm_up(Client *client)
{
	const Options *options = client->bench->options;
	const uint64_t now = bench_now_ns();
	Course course = { .rounds = options->warmup_rounds };

	if (options->warmup_ms > 0) {
		course.rounds = 0;
		course.until_ns = now + (uint64_t)options->warmup_ms * 1000000;
	}
	/* What is drawn here moves nothing that is measured. */
	client->source.random =
	    random_stream(options->seed, "warm-up", client->index);
	if ((options->warmup_ms > 0 || options->warmup_rounds > 0) &&
	    !run_course(client, &course, now))
		return false;
	memset(client->draws, 0,
	    sizeof *client->draws * client->bench->smack->dictionaries->len);
	g_autofree char *purpose = g_strdup_printf("client %s", client->kind);
	client->source.random =
	    random_stream(options->seed, purpose, client->index);
	return true;
}

bool
client_run(Client *client, uint64_t began_ns)
{
	const Options *options = client->bench->options;
	Arrivals arrivals;
	Course course = { .rounds = client->rounds,
		.counted = true,
		.digested = UINT64_MAX };

	if (options->duration_ms > 0) {
		course.rounds = 0;
		course.until_ns =
		    began_ns + (uint64_t)options->duration_ms * 1000000;
		course.digested = DIGESTED;
	}
	if (options->rate > 0) {
		begin_arrivals(client, &arrivals, began_ns);
		course.arrivals = &arrivals;
	}
	return run_course(client, &course, began_ns);
}
