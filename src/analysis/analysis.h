/*
 * From stored samples to every number of the report, once.  Pure.
 *
 * Runs are averaged first: a unit's value in the tables is the mean of its
 * good measured runs, in contrasts the mean of their logarithms.  The unit is
 * the boot for boot-class factors, the start for server-class ones, the
 * cell's runs in a start for load-class ones.  With several targets effects
 * are taken within a host: what is called a round here is a round on one
 * target.
 */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "analysis/advice.h"
#include "analysis/causes.h"
#include "analysis/others.h"
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
/*
 * The same for this metric: "faster" and "slower" are for rates and times,
 * "better" and "worse" for the rest.
 */
const char *verdict_word(Verdict verdict, const DataMetric *metric);

/* One row of a load's table: a cell, or a cell of the variables it uses. */
typedef struct {
	size_t cell;      /* id */
	bool again;       /* the baseline a second time */
	GPtrArray *names; /* char *: level of each factor that varies here */
	GArray *values;   /* double: unit means, in order of rounds */
	GArray *rounds;   /* size_t, of each value */
	Summary summary;
	size_t failed; /* rounds that should have given a value and did not */
	size_t due;    /* all that should have */
} AnalysisRow;

/* What one level does with one level of another factor. */
typedef struct {
	char *effect, *context; /* "libthr", "4BSD" */
	double percent;
} AnalysisSimple;

/* One comparison on one load's metric. */
typedef struct {
	char *name;   /* "jemalloc / libc", "flush 2 / 1" */
	char *factor; /* NULL where the matrix asks for it */
	bool asked;   /* by design.contrasts */
	bool named;   /* and given a name there */
	bool interaction;
	char *test_label, *base_label; /* "flush 2"; interactions: factors */
	/*
	 * Change against baseline, per cent, 95 %; where some value has no
	 * logarithm (raw) the difference in the metric's own unit.
	 */
	Interval percent;
	bool raw;
	double p, p_holm;      /* NAN where there is none */
	size_t n_rounds;       /* used */
	GArray *left_out;      /* size_t: rounds not used, ascending */
	const char *unit;      /* "boots", "starts" or "visits", "runs" */
	bool welch;            /* not by rounds: Welch on unit means */
	size_t n_base, n_test; /* boots of each side, for unit "boots" */
	Verdict verdict;
	char *reason; /* why VERDICT_TOO_FEW; else NULL */
	char *remark; /* what must be read with the verdict; NULL */
	char *both;   /* a verdict that far rounds turn, the other way; NULL */
	double detectable; /* seen with probability .8, as percent; NAN */
	GPtrArray *simple; /* AnalysisSimple: an interaction's two effects */
	/* For the picture; not of interactions, else names are NULL. */
	size_t base_row, test_row; /* in AnalysisLoad.rows */
	char *base_name, *test_name;
	/* What verdicts are made of. */
	double estimate, se, df; /* on the scale that was tested */
} AnalysisContrast;

typedef struct {
	const DataLoad *load;
	const DataMetric *metric; /* its primary */
	const char *unit;         /* of the table: "starts" or "visits" */
	GPtrArray *factors;       /* char *: columns of the rows' names */
	GPtrArray *rows;          /* AnalysisRow */
	GPtrArray *contrasts;     /* AnalysisContrast */
	size_t untold;      /* interactions of factors that have too many */
	GPtrArray *unasked; /* char *: contrasts asked for, not of this load */
	Interval noise;     /* the baseline against itself, per cent; NAN */
	size_t noise_rounds;
	Advice advice; /* for the next night */
} AnalysisLoad;

typedef struct {
	char *what;       /* "library" */
	size_t yes, all;  /* all 0: not applicable */
	GPtrArray *about; /* char *: what of, each once */
} AnalysisProof;

typedef struct {
	const StoreData *data; /* borrowed */
	GPtrArray *loads;      /* AnalysisLoad */
	GPtrArray *proofs;     /* AnalysisProof, in order of first use */
	double level;          /* of intervals, per cent: 95 */
	double alpha;          /* an adjusted p below it is a verdict */
	size_t family;         /* contrasts in Holm's family */
	size_t family_asked;   /* of these the matrix asks for so many */
	bool only_asked;       /* and for no others */
	size_t rounds;         /* planned, or begun if more */
	size_t boots_made, boots_found, starts, runs, warmups;
	size_t visits_planned, visits_valid;
	size_t visits_begun; /* attempts, whatever became of them */
	double seconds;
	Others others;       /* what else ran there */
	bool same_order;     /* every round visited its cells in one order */
	GPtrArray *warnings; /* char *: what weakens the result, in words */
	GPtrArray *failures; /* char *: visits and runs without a value */
	GPtrArray *causes;   /* Cause: the same, those alike once */
	GPtrArray *flags;    /* char *: runs that were flagged */
	GPtrArray *events;   /* char *: what else happened */
	char *answer;   /* what was found, in words: a line for each load */
	char *headline; /* the same in a few words, for a subject */
} Analysis;

/* Borrows data, which must outlive it. */
Analysis *analysis_new(const StoreData *data);
void analysis_free(Analysis *analysis);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Analysis, analysis_free)

#endif
