/*
 * What all clients of one execution share: the script made ready, and the
 * means to stop everybody.  Read by all threads; the parts that change say
 * how.
 */
#ifndef ABLOAD_BENCH_H
#define ABLOAD_BENCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "abload/cpu.h"
#include "abload/options.h"
#include "abload/query.h"
#include "abload/smack.h"
#include "base/cancel.h"

/* Why a run is not what was asked for, worst last: exit statuses of abload. */
typedef enum {
	BENCH_GOOD = 0,
	BENCH_USAGE = 1,
	BENCH_NO_SERVER = 2,
	BENCH_ABORTED = 3,
	BENCH_TIMEOUT = 4,
	BENCH_MISSED = 5, /* rows that should be there are not */
} BenchEnd;

typedef struct {
	const Options *options;
	const Smack *smack;
	const Cancel *cancel;
	GPtrArray *words;   /* Words *, by dictionary; NULL: none draws there */
	GPtrArray *queries; /* Query *, by query */

	/* Set once, by the first who has a reason. */
	int stopped; /* atomic: what clients look at between queries */
	pthread_mutex_t lock;
	BenchEnd end; /* under lock */
	char *reason; /* under lock; one printable line, NULL: none */

	/* All clients of all kinds begin to count at once. */
	pthread_cond_t opened; /* with lock */
	size_t awaited;        /* kinds that have yet to come to the gate */
	int64_t peer;          /* under lock: pid of a server on this host */
	Cpu began_cpu;         /* when the gate opened */
	uint64_t began_ns;     /* 0: the gate is shut */
} Bench;

/* CLOCK_MONOTONIC. */
uint64_t bench_now_ns(void);

void bench_init(Bench *bench, const Options *options, const Smack *smack,
    const Cancel *cancel);
void bench_clear(Bench *bench);
/* Reads dictionaries and queries of the clients that run; notes warnings. */
bool bench_make_ready(Bench *bench, GPtrArray *warnings, GError **error);

/* The query of the script, made ready. */
const Query *bench_query(const Bench *bench, const SmackQuery *of);

/* Everybody shall stop; the first reason stays.  From any thread. */
void bench_stop(Bench *bench, BenchEnd end, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static inline bool
bench_is_stopped(const Bench *bench)
{
	return __atomic_load_n(&bench->stopped, __ATOMIC_RELAXED) != 0;
}

/*
 * Waits until all awaited kinds are here; when they began, or 0 where the
 * bench was stopped.  Once open it stays open.  peer: pid of the server that
 * the caller's clients are connected to, if it is on this host, else 0.
 */
uint64_t bench_gate(Bench *bench, int64_t peer);

#endif
