/*
 * A load definition: what hooks/load/NAME.cfg says about one load generator.
 * Knowledge as data: command, metrics by regular expression, what a failed
 * run looks like.  Ownership as in matrix.h.
 */
#ifndef MATRIX_LOADDEF_H
#define MATRIX_LOADDEF_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* What the value of a key must be. */
typedef enum {
	KEY_TEXT,    /* anything; not empty where it must be given */
	KEY_WORDS,   /* words quoted as for sh, or none */
	KEY_INTEGER, /* within min and max, like the next two */
	KEY_NUMBER,
	KEY_SECONDS, /* whole ones, or a duration: "30s", "5min" */
} LoadDefKeyType;

/* A key that a load of this definition may or must give. */
typedef struct {
	char *name;
	char *help;     /* one line */
	char *fallback; /* value when not given; NULL = must be given */
	bool script;    /* a file: copied to the client host, sha256 proved */
	LoadDefKeyType type;
	double min, max; /* of numbers; LOADDEF_KEY_MOST: no limit */
} LoadDefKey;

/* All integers up to it are doubles, too. */
#define LOADDEF_KEY_MOST 9007199254740992.0

/*
 * Which of several matches counts.  SUM adds all, for tools that print one
 * row a query type.
 */
typedef enum { MATCH_LAST, MATCH_FIRST, MATCH_ONLY, MATCH_SUM } MatchChoice;

typedef struct {
	char *name;    /* "tps" */
	char *unit;    /* "transactions/s" */
	char *regex;   /* PCRE, multi-line; group 1 is the number; or NULL */
	char *formula; /* computed from others instead, or NULL: formula.h */
	MatchChoice choice;
	bool higher_is_better;
	bool optional;   /* absence does not fail the run */
	double min, max; /* a value outside is a failed run */
} Metric;

/*
 * Two numbers that must agree: catches cut and forged output.  A check that
 * needs what is not there (an optional metric, a process not measured) is
 * left out.
 */
typedef struct {
	char *what;    /* what holds of a good run; said when it does not */
	char *left;    /* formula of metrics (also wall, user, sys, maxrss),
	                * numbers and {templates} */
	char *right;   /* likewise */
	double within; /* relative difference allowed, 0.01 = 1 % */
	bool at_most;  /* left may be less than right */
} CrossCheck;

typedef struct {
	char *name;
	char *path; /* of the file */
	char *help;
	char *tool;      /* program to be found and hashed on the client host */
	char *version;   /* command that prints its version, or NULL */
	GPtrArray *keys; /* LoadDefKey */
	char *command;   /* template; NULL: the load gives its own */
	char *setup, *prepare, *restore, *cleanup; /* templates or NULL */
	char *warmup_key; /* its own warm-up, in seconds; NULL = it has none */
	char *length_key; /* length of a run in seconds; NULL = none */
	char *writes;     /* regex on the expanded command; NULL = never */
	bool always_writes;
	GPtrArray *metrics; /* Metric */
	GPtrArray *numbers; /* Metric: for formulas and checks, no samples */
	char *primary;
	GPtrArray *require; /* char *: regexes that a good output matches */
	GPtrArray *forbid;  /* char *: regexes that fail the run */
	GPtrArray *checks;  /* CrossCheck */
	int exit_status;    /* of a good run; usually 0 */
	int line;
} LoadDef;

/* Empty lists, everything else 0; reading is in loaddef_read.h. */
LoadDef *loaddef_new(void);
void loaddef_free(LoadDef *def);
void metric_free(Metric *metric);
/* The metric of that name, or NULL. */
const Metric *loaddef_metric(const GPtrArray *metrics, const char *name);
/*
 * What is measured of the process tree of every load: wall, user and sys in
 * s, maxrss in MiB, in that order.
 */
enum { LOADDEF_PROCESS_METRICS = 4 };
extern const Metric loaddef_process_metrics[LOADDEF_PROCESS_METRICS];
/* The one of that name, or NULL. */
const Metric *loaddef_process_metric(const char *name);
const LoadDefKey *loaddef_key(const LoadDef *def, const char *name);
/*
 * The value as the tool takes it: seconds without a unit.  Text with a
 * template still in it is given back as it is.  NULL with ABRUN_ERROR_USAGE
 * when it is not what the key must be; free it.
 */
char *loaddef_key_value(
    const LoadDefKey *key, const char *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(LoadDef, loaddef_free)

#endif
