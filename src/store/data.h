/*
 * What a run directory holds, as plain data: read once by store_read(), then
 * only looked at.  Times are seconds since 1970 (double), durations in
 * milliseconds.  Strings may be NULL where the comment says so.  Ids are the
 * database's.
 */
#ifndef STORE_DATA_H
#define STORE_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "matrix/matrix.h"

typedef struct {
	char *name;
	int class; /* FactorClass */
	bool variable;
	GPtrArray *levels; /* char *: level names */
	/*
	 * char *: what each level sets: "sysctl vm.swappiness=10, env A=1",
	 * "nothing set"; "" for a variable.
	 */
	GPtrArray *settings;
} DataFactor;

typedef struct {
	int64_t id; /* Cell.id */
	char *name;
	GArray *levels; /* size_t, one for each factor */
	bool again;
	size_t boot, server; /* as in Cell */
} DataCell;

typedef struct {
	char *name;
	char *unit;
	bool higher_is_better;
	bool primary;
} DataMetric;

typedef struct {
	size_t index; /* of the matrix's loads */
	char *name;
	char *use;
	char *command;        /* as expanded for the first run, or template */
	GPtrArray *metrics;   /* DataMetric, primary first */
	GPtrArray *variables; /* char *: load-class factors it uses */
	bool writes;
	int reset; /* Reset */
} DataLoad;

typedef struct {
	int64_t id;
	size_t target;
	char *boot_id;
	char *kernel; /* release and version */
	bool made;    /* by abrun, not found running */
	double began;
} DataBoot;

typedef enum {
	VISIT_RUNNING, /* begun, no end stored: was interrupted */
	VISIT_VALID,
	VISIT_INVALID, /* a proof did not hold */
	VISIT_FAILED,  /* a step failed */
	VISIT_INTERRUPTED,
	VISIT_SUPERSEDED, /* repeated later: out of the analysis */
} VisitStatus;

const char *visit_status_name(VisitStatus status);

/* Of a proof: the same words and order as target/proof.h has. */
typedef enum {
	STORED_YES,
	STORED_NO,
	STORED_UNKNOWN,
	STORED_NOT_APPLICABLE,
} StoredVerdict;

/* "yes", "no", "unknown", "not applicable" */
const char *stored_verdict_name(StoredVerdict verdict);

typedef struct {
	int64_t id;
	size_t target, round, block;
	size_t server; /* Cell.server */
	int64_t boot;  /* DataBoot.id, 0 = none */
	VisitStatus status;
	char *failure;       /* its name; NULL */
	char *reason;        /* of a visit that is not valid; else NULL */
	double began, ended; /* ended 0 while running */
	int attempt;         /* 1... */
} DataVisit;

typedef struct {
	int64_t id;
	int64_t visit;
	size_t index; /* in the visit, 0... */
	int64_t pid;
	char *version;    /* NULL */
	char *exe_sha256; /* NULL */
	int64_t ready_ms;
} DataStart;

typedef struct {
	int64_t id;
	int64_t visit;
	int64_t start; /* 0 = no server */
	int64_t cell;
	size_t load;
	int number; /* 1... within start, cell and load; warm-ups 0, -1, ... */
	bool warmup;
	bool good;
	char *failure; /* its name; NULL */
	char *reason;  /* of a failed run; else NULL */
	char *flag;    /* NULL; what weakens it, in words */
	double began;
	int64_t wall_ms;
	/* CPU time of its host meanwhile, as in schema.sql; below 0: unknown */
	int64_t cpu_ms, server_ms, others_ms, stolen_ms;
	char *raw; /* NULL; file of its output, below raw/ */
} DataRun;

typedef struct {
	int64_t run;
	char *metric;
	double value;
} DataSample;

typedef struct {
	int64_t visit;
	bool after; /* the load */
	char *what, *about, *wanted, *seen;
	StoredVerdict verdict;
} DataProof;

/* scope: "host", "boot", "visit", "experiment"; id 0 where scope has none. */
typedef struct {
	char *scope;
	int64_t id; /* target index for host */
	char *key, *value;
} DataFact;

/* A target whose load runs elsewhere; its facts have client as host. */
typedef struct {
	size_t target, client; /* host ids */
	char *name;            /* of the client */
	char *address;         /* what the load connects to */
} DataClient;

typedef struct {
	double at;
	size_t target; /* SIZE_MAX = none */
	char *kind;    /* "retry", "interrupted", "flag"... */
	char *text;
} DataEvent;

typedef struct {
	char *directory;
	char *name, *title, *identity, *matrix_path;
	char *version; /* of abrun */
	uint64_t seed;
	double began, ended; /* ended: of the last thing stored */
	int rounds, runs_wanted, warmup_runs;
	int64_t warmup_ms;
	int boot_policy, restart_policy; /* enums of matrix.h */
	double margin_percent;
	double others_percent; /* of CPU time: above it a run is flagged */
	size_t baseline;       /* cell id */
	bool has_server;
	char *server;       /* in words: command or service; "" without one */
	GPtrArray *targets; /* char *: names */
	GPtrArray *clients; /* DataClient, by target */
	GPtrArray *factors; /* DataFactor */
	GPtrArray *cells;   /* DataCell */
	GPtrArray *loads;   /* DataLoad */
	GPtrArray *boots, *visits, *starts, *runs, *samples, *proofs, *facts,
	    *events;     /* of the types above, in order of id */
	GPtrArray *left; /* char *: settings still not undone, in words */
} StoreData;

void store_data_free(StoreData *data);
/* The first fact of the experiment of that key; borrowed, NULL if none. */
const char *store_data_fact(const StoreData *data, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(StoreData, store_data_free)

#endif
