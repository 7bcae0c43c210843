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
 * Replaces {name} in a command by the value, quoted for sh; {{ is a brace;
 * ${X} and {print $1} stay.  NULL with ABRUN_ERROR_USAGE for a {word} that
 * values do not have.  Free it.
 */
char *load_expand_command(
    const char *text, const LoadValues *values, GError **error);
/* The same for a value of a load's key: not quoted. */
char *load_expand_value(
    const char *text, const LoadValues *values, GError **error);

/*
 * The values for one run: the built-in ones given, then the variables of the
 * cell, then the load's keys (each expanded), definition's defaults last.
 */
LoadValues *load_values(const Load *load, const LoadValues *builtin,
    const LoadValues *variables, GError **error);

/* What came back from one execution. */
typedef struct {
	int status;         /* exit status, or -1 */
	const char *signal; /* or NULL */
	bool timed_out;
	const char *out; /* as kept: head and tail when it was large */
	const char *err;
	int64_t wall_ms;
	int64_t user_ms;   /* process tree; -1 = not measured */
	int64_t sys_ms;    /* likewise */
	int64_t maxrss_kb; /* largest process; -1 = not measured */
} LoadOutput;

typedef struct {
	char *metric; /* "tps"; also wall, user, sys, maxrss */
	double value;
} LoadSample;

void load_sample_free(LoadSample *sample);

/*
 * The samples (LoadSample) of a good run.  False with ABRUN_ERROR_FAILED and
 * the reason for anything else: a failed run, never a fast one.
 */
bool load_judge(const Load *load, const LoadValues *values,
    const LoadOutput *output, GPtrArray *samples, GError **error);

/* Name and unit of the metrics every load has: wall, user, sys, maxrss. */
extern const Metric load_process_metrics[4];

#endif
