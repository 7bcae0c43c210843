/*
 * A load, from definition and cell to a command line, and from its output to
 * samples or a refusal.  Pure: runs nothing, reads nothing.
 */
#ifndef LOAD_LOAD_H
#define LOAD_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "matrix/matrix.h"

/* Values of the templates, by name: GHashTable of char * to char *. */
typedef GHashTable LoadValues;

/*
 * Replaces {name} in a command by the value, quoted for sh: matrix/template.h.
 * NULL with ABRUN_ERROR_USAGE for a {word} that values do not have.  Free it.
 */
char *load_expand_command(
    const char *text, const LoadValues *values, GError **error);
/* The same for a value of a load's key: not quoted. */
char *load_expand_value(
    const char *text, const LoadValues *values, GError **error);

/*
 * An expanded command as a reader would type it: without the sh that put it
 * together and quotes that it does not need.  It does the same.  Free it.
 */
char *load_shown_command(const char *command);

/* An empty table of values that owns copies; see load_set_value(). */
LoadValues *load_new_values(void);
/* Copies both; a NULL value is the empty one.  The last call counts. */
void load_set_value(LoadValues *values, const char *name, const char *value);

/*
 * The values for one run: the built-in ones given, then the variables of the
 * cell, then the load's keys, then the definition's fallbacks for keys that
 * are still missing.  Values of keys and fallbacks are expanded with all that
 * stands before them.  The built-in ones are host port socket user db target
 * round run seed cell outdir; the caller gives them all, "" for what there is
 * not (an empty socket means host and port).  variables may be NULL.
 * ABRUN_ERROR_USAGE when one name would get two values, when a key that must be
 * given is not, or for an unknown {word}.  Unref it.
 */
LoadValues *load_values(const Load *load, const LoadValues *builtin,
    const LoadValues *variables, GError **error);

/* What came back from one execution. */
typedef struct {
	int status;         /* exit status, or -1 */
	const char *signal; /* name; NULL or empty: none */
	bool timed_out;
	const char *out; /* as kept: head and tail when it was large */
	const char *err;
	int64_t wall_ms;   /* -1 = not measured */
	int64_t user_ms;   /* process tree; likewise */
	int64_t sys_ms;    /* likewise */
	int64_t maxrss_kb; /* largest process; -1 = not measured */
} LoadOutput;

typedef struct {
	char *metric; /* "tps"; also wall, user, sys, maxrss */
	double value;
	bool vanished; /* printed as 0.00: too small for the tool's digits */
} LoadSample;

void load_sample_free(LoadSample *sample);

/*
 * The samples (LoadSample) of a good run: the load's metrics in their order,
 * then what was measured of loaddef_process_metrics.  False with
 * ABRUN_ERROR_FAILED and the reason for anything else: a failed run, never a
 * fast one; samples is then as it was.
 *
 * Metrics are looked for in standard output and, when they are not there, in
 * standard error; require likewise; forbid in both.  CR counts as a line's
 * end.  Lines are cut after LOAD_LINE_BYTES and a regex gives up after
 * LOAD_REGEX_STEPS at one place, so that no output and no pattern can hold up
 * the night.
 */
bool load_judge(const Load *load, const LoadValues *values,
    const LoadOutput *output, GPtrArray *samples, GError **error);

enum {
	LOAD_LINE_BYTES = 16 << 10, /* no tool's result line is longer */
	LOAD_REGEX_STEPS = 1000000, /* some 50 ms */
	LOAD_MATCHES = 100000,      /* of one metric in one output */
};

#endif
