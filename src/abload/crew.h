/*
 * The clients of one client block, a thread each: made, connected, let loose
 * and gathered as main says.  All functions but crew_break() and the reading
 * of tallies are for the thread that made the crew.
 */
#ifndef ABLOAD_CREW_H
#define ABLOAD_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "abload/bench.h"
#include "abload/client.h"

typedef struct {
	Bench *bench;
	const SmackClient *of;
	Login login;
	GArray *shots;     /* Shot */
	GPtrArray *types;  /* char *, sorted; borrowed from the queries */
	size_t statements; /* to be prepared by each client */
	uint64_t rounds;

	Client *clients; /* n of them; NULL: not made */
	pthread_t *threads;
	size_t n;

	pthread_mutex_t lock;
	pthread_cond_t changed; /* with lock */
	int order;              /* under lock: what is to be done now */
	size_t turn;            /* under lock: which order this is */
	const char *text;       /* what all are to say */
	size_t busy;            /* under lock: clients that still do it */

	bool unloading;   /* between unload and collect */
	bool measured;    /* a barrel was unloaded */
	uint64_t unloads; /* rounds of all unloadings together */
	Cpu ended_cpu;
	uint64_t created_ns, began_ns, ended_ns, joined_ns;
} Crew;

Crew *crew_new(Bench *bench, const SmackClient *client);
void crew_free(Crew *crew);

/* Each is false when the bench was stopped. */
bool crew_create(Crew *crew, size_t clients);
bool crew_connect(Crew *crew);
/*
 * Warms up, waits at the gate for all other kinds, and lets the clients loose;
 * does not wait for their end.
 */
bool crew_unload(Crew *crew);
bool crew_collect(Crew *crew);
/* Each client sends this statement, which is not measured. */
bool crew_say(Crew *crew, const char *sql);
bool crew_disconnect(Crew *crew);

/* Ends what the clients wait for; from any thread, once the bench stopped. */
void crew_break(Crew *crew);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Crew, crew_free)

#endif
