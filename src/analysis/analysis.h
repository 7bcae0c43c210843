/*
 * From stored samples to every number of the report, once.  Pure.
 *
 * Runs are averaged first: a unit's value is the mean of its good measured
 * runs.  The unit is the boot for boot-class factors, the start for
 * server-class ones, the cell's runs in a start for load-class ones.
 */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "stats/stats.h"
#include "store/data.h"

typedef enum {
	VERDICT_FASTER, /* or "better", for metrics that are no speed */
	VERDICT_SLOWER,
	VERDICT_EQUIVALENT, /* within the margin */
	VERDICT_NONE_SHOWN, /* no difference shown: could be from..to */
	VERDICT_TOO_FEW,    /* not enough data; reason says why */
} Verdict;

const char *verdict_name(Verdict verdict);

/* One row of a load's table: a cell, or a cell of the variables it uses. */
typedef struct {
	size_t cell;      /* id */
	GPtrArray *names; /* char *: level of each factor that varies here */
	GArray *values;   /* double: unit means, in order of rounds */
	GArray *rounds;   /* size_t, of each value */
	Summary summary;
	size_t failed; /* visits or runs that gave no value */
} AnalysisRow;

/* One comparison on one load's metric. */
typedef struct {
	char *name;   /* "jemalloc / libc" */
	char *factor; /* NULL for user-defined ones */
	bool interaction;
	Interval percent; /* change against baseline, 95 % */
	double p, p_holm; /* NAN where there is none */
	size_t n_rounds;
	GArray *left_out; /* size_t: rounds not used */
	char *unit;       /* "boots", "starts", "runs" */
	bool welch; /* fewer than 3 complete rounds: Welch on unit means */
	Verdict verdict;
	char *reason;      /* why VERDICT_TOO_FEW; else NULL */
	double detectable; /* per cent seen with probability .8; NAN */
	GPtrArray *simple; /* AnalysisSimple: effect at each other level */
	size_t cell_base, cell_test;       /* for the picture: plain cells */
	GArray *base_values, *test_values; /* double: for the picture */
	char *base_name, *test_name;
} AnalysisContrast;

/* "libthr on 4BSD +7.8 %" */
typedef struct {
	char *name;
	double percent;
} AnalysisSimple;

typedef struct {
	const DataLoad *load;
	const DataMetric *metric; /* its primary */
	char *unit;               /* "starts", "boots" or "runs" */
	GPtrArray *factors;   /* char *: names of the columns of rows' names */
	GPtrArray *rows;      /* AnalysisRow */
	GPtrArray *contrasts; /* AnalysisContrast */
} AnalysisLoad;

typedef struct {
	char *what; /* "library mapped" */
	size_t yes, all;
} AnalysisProof;

typedef struct {
	const StoreData *data; /* borrowed */
	GPtrArray *loads;      /* AnalysisLoad */
	GPtrArray *proofs;     /* AnalysisProof */
	size_t family;         /* contrasts in Holm's family */
	size_t boots_made, starts, runs, warmups, visits_planned, visits_valid;
	double seconds;
	GPtrArray *warnings; /* char *: what weakens the result, in words */
	char *answer;        /* the first paragraph, in words */
} Analysis;

/* Borrows data, which must outlive it. */
Analysis *analysis_new(const StoreData *data);
void analysis_free(Analysis *analysis);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Analysis, analysis_free)

#endif
