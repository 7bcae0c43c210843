/*
 * One client: a connection that sends the queries of its barrel one after the
 * other, and counts.  A Client is for its own thread; others may read its
 * tallies at any time (see histogram.h) and shut its socket down.
 */
#ifndef ABLOAD_CLIENT_H
#define ABLOAD_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "abload/bench.h"
#include "abload/connection.h"
#include "abload/histogram.h"
#include "abload/wire.h"

/* One entry of the barrel, made ready. */
typedef struct {
	const Query *query; /* NULL: a pause */
	uint64_t count;
	int64_t pause_us;
	size_t type;      /* index of its row in the report */
	size_t statement; /* index, where it is prepared */
	bool prepared;
} Shot;

/* What came of the queries of one type. */
typedef struct {
	Histogram *latency;
	uint64_t queries, rows, misses; /* atomic, written by the client */
	double sum_ns, squares;         /* of latencies */
	uint64_t min_ns, max_ns;
} Tally;

/* An error of the server, by number. */
typedef struct {
	unsigned number;
	uint64_t times;
	char *message; /* of the first */
} ClientError;

typedef struct {
	Bench *bench;
	const Login *login;
	const char *kind; /* name of the client block */
	size_t index, clients;
	const Shot *shots;
	size_t n_shots, n_types, n_statements;
	uint64_t rounds;

	Connection *connection; /* NULL: not connected */
	Wire wire;
	int fd; /* atomic: the socket, or -1; crew_break() shuts it down */
	WireStatement *statements;
	char *server; /* version */
	int64_t peer; /* pid of a server on this host, else 0 */
	int64_t connect_us;

	WordDraw *draws; /* by dictionary */
	WordSource source;
	Tally *tallies; /* by type */
	uint64_t retries;
	GArray *errors; /* ClientError */
	uint64_t digest, digested;
	uint64_t last_ns;   /* when its last counted query ended */
	uint64_t due_ns;    /* and when it should have begun */
	double service_ns;  /* of all queries, without waiting for their turn */
	uint64_t behind_ns; /* the most a query began too late */
} __attribute__((aligned(128))) Client;

void client_init(Client *client);
void client_clear(Client *client);

/* Each tells the bench when it cannot go on, and is false then. */
bool client_connect(Client *client);
/* Queries that do not count: so many rounds, or for so long. */
bool client_warm_up(Client *client);
/* The barrel, rounds times or up to the end of the duration. */
bool client_run(Client *client, uint64_t began_ns);
/* One statement that is not measured; it must go well. */
bool client_say(Client *client, const char *sql);
void client_disconnect(Client *client);

#endif
