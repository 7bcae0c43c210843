#include "load/load.h"

#include <math.h>
#include <string.h>

#include "base/deadline.h"
#include "base/failure.h"
#include "base/text.h"
#include "load/match.h"
#include "load/process.h"
#include "matrix/formula.h"

enum { WORDS_BYTES = 200 };
/* A shell's exit status for a command that it cannot find. */
enum { NOT_FOUND = 127 };

/* One run being judged. */
typedef struct {
	const Load *load;
	const LoadValues *values;
	const LoadOutput *output;
	LoadText *out;
	LoadText *err;
	GHashTable *numbers;  /* char * to double *: what was found so far */
	GHashTable *vanished; /* names of those that were printed as 0.00 */
	GHashTable *asked;    /* names being computed: no formula in a circle */
} Judge;

void
load_sample_free(LoadSample *sample)
{
	if (sample == NULL)
		return;
	g_free(sample->metric);
	g_free(sample);
}

/* The last line that says something, of standard error or else output. */
static char *
last_words(const LoadOutput *output)
{
	g_autofree char *text = g_strchomp(g_strdup(
	    output->err[strspn(output->err, " \t\r\n")] != '\0' ? output->err
								: output->out));
	const char *line = strrchr(text, '\n');

	line = line == NULL ? text : line + 1;
	return *line == '\0' ? g_strdup("it said nothing")
			     : text_printable(line, WORDS_BYTES);
}

static bool
ended_well(const Load *load, const LoadOutput *output, GError **error)
{
	const int wanted = load->def->exit_status;
	g_autofree char *words = last_words(output);

	if (output->timed_out) {
		g_autofree char *limit = text_duration(load->timeout_ms);
		failure_set(error, FAILURE_TIMEOUT, ABRUN_ERROR_FAILED,
		    "it did not end within %s and was stopped (last: %s)",
		    limit, words);
	} else if (output->signal != NULL && *output->signal != '\0')
		failure_set(error, FAILURE_LOAD_FAILED, ABRUN_ERROR_FAILED,
		    "it was ended by signal %s (last: %s)", output->signal,
		    words);
	else if (output->status < 0)
		failure_set(error, FAILURE_LOAD_FAILED, ABRUN_ERROR_FAILED,
		    "its exit status is not known (last: %s)", words);
	else if (output->status != wanted)
		failure_set(error,
		    output->status == NOT_FOUND ? FAILURE_MISSING_TOOL
						: FAILURE_LOAD_FAILED,
		    ABRUN_ERROR_FAILED,
		    "exit status %d where %d is wanted (last: %s)",
		    output->status, wanted, words);
	else
		return true;
	return false;
}

static bool
says_nothing_forbidden(const Judge *judge, GError **error)
{
	const GPtrArray *forbid = judge->load->def->forbid;

	for (guint i = 0; i < forbid->len; i++) {
		const char *regex = g_ptr_array_index(forbid, i);
		g_autofree char *line = NULL;

		if (!load_text_line(judge->out, regex, &line, error))
			return false;
		if (line == NULL &&
		    !load_text_line(judge->err, regex, &line, error))
			return false;
		if (line != NULL) {
			failure_set(error, FAILURE_LOAD_FAILED,
			    ABRUN_ERROR_FAILED, "it said: %s", line);
			return false;
		}
	}
	return true;
}

static bool
says_what_is_required(const Judge *judge, GError **error)
{
	const GPtrArray *require = judge->load->def->require;

	if (require->len > 0 && judge->out->empty && judge->err->empty) {
		failure_set(error, FAILURE_NO_RESULT, ABRUN_ERROR_FAILED,
		    "it printed nothing");
		return false;
	}
	for (guint i = 0; i < require->len; i++) {
		const char *regex = g_ptr_array_index(require, i);
		g_autofree char *line = NULL;

		if (!load_text_line(judge->out, regex, &line, error))
			return false;
		if (line == NULL &&
		    !load_text_line(judge->err, regex, &line, error))
			return false;
		if (line == NULL) {
			failure_set(error, FAILURE_NO_RESULT,
			    ABRUN_ERROR_FAILED,
			    "its output is not complete: nothing in it matches "
			    "\"%s\"",
			    regex);
			return false;
		}
	}
	return true;
}

static bool named_number(
    const char *name, void *data, double *value, GError **error);

static bool
compute(Judge *judge, const char *formula, double *value, GError **error)
{
	g_autofree char *text =
	    load_expand_value(formula, judge->values, error);

	return text != NULL &&
	    formula_compute(text, named_number, judge, value, error);
}

/* All but the last of several matches may be in the part that is not here. */
static bool
is_whole_for(const LoadText *text, const Metric *metric, GError **error)
{
	if (!text->cut || metric->choice == MATCH_LAST)
		return true;
	failure_set(error, FAILURE_BAD_RESULT, ABRUN_ERROR_FAILED,
	    "%s cannot be read: the output was too large to be kept whole",
	    metric->name);
	return false;
}

static bool
look_up(const Judge *judge, const Metric *metric, bool *found, double *value,
    GError **error)
{
	bool vanished = false;

	if (!load_text_number(
		judge->out, metric, found, value, &vanished, error))
		return false;
	if (vanished)
		(void)g_hash_table_add(judge->vanished, metric->name);
	if (*found)
		return is_whole_for(judge->out, metric, error);
	if (!load_text_number(
		judge->err, metric, found, value, &vanished, error))
		return false;
	if (vanished)
		(void)g_hash_table_add(judge->vanished, metric->name);
	return !*found || is_whole_for(judge->err, metric, error);
}

static void
is_missing(const Judge *judge, const Metric *metric, GError **error)
{
	const char *but = "";

	if (judge->out->cut || judge->err->cut)
		but = " (it was too large to be kept whole)";
	else if (judge->out->cut_lines + judge->err->cut_lines > 0)
		but = " (very long lines were cut)";
	if (judge->out->empty && judge->err->empty)
		failure_set(error, FAILURE_NO_RESULT, ABRUN_ERROR_FAILED,
		    "no %s: it printed nothing", metric->name);
	else if (metric->regex == NULL)
		failure_set(error, FAILURE_NO_RESULT, ABRUN_ERROR_FAILED,
		    "no %s: \"%s\" cannot be computed from the output%s",
		    metric->name, metric->formula, but);
	else
		failure_set(error, FAILURE_NO_RESULT, ABRUN_ERROR_FAILED,
		    "no %s: nothing in the output matches \"%s\"%s",
		    metric->name, metric->regex, but);
}

static bool
in_range(const Metric *metric, double value, GError **error)
{
	if (value >= metric->min && value <= metric->max)
		return true;
	failure_set(error, FAILURE_OUT_OF_RANGE, ABRUN_ERROR_FAILED,
	    "%s = %.10g is not between %g and %g", metric->name, value,
	    metric->min, metric->max);
	return false;
}

/*
 * The value of a metric: remembered, read or computed.  False without an
 * error for an optional one that the output does not have.
 */
static bool
metric_value(Judge *judge, const Metric *metric, double *value, GError **error)
{
	const double *known = g_hash_table_lookup(judge->numbers, metric->name);
	bool found = false;
	GError *cause = NULL;

	if (known != NULL) {
		*value = *known;
		return true;
	}
	if (metric->regex != NULL)
		look_up(judge, metric, &found, value, &cause);
	else if (g_hash_table_add(judge->asked, metric->name))
		found = compute(judge, metric->formula, value, &cause);
	if (cause != NULL) {
		g_propagate_error(error, cause);
		return false;
	}
	if (!found) {
		if (!metric->optional)
			is_missing(judge, metric, error);
		return false;
	}
	if (!in_range(metric, *value, error))
		return false;
	g_hash_table_insert(
	    judge->numbers, metric->name, g_memdup2(value, sizeof(*value)));
	return true;
}

/* FormulaName: of the process, the load, or else of its definition. */
static bool
named_number(const char *name, void *data, double *value, GError **error)
{
	Judge *judge = data;
	const Load *load = judge->load;
	const Metric *metric = loaddef_metric(load->metrics, name);

	*value = load_process_value(judge->output, name);
	if (!isnan(*value))
		return *value >= 0;
	if (metric == NULL)
		metric = loaddef_metric(load->def->metrics, name);
	if (metric == NULL)
		metric = loaddef_metric(load->def->numbers, name);
	if (metric != NULL)
		return metric_value(judge, metric, value, error);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "a formula names %s, which is no metric", name);
	return false;
}

static bool
agree(Judge *judge, const CrossCheck *check, GError **error)
{
	double left = 0;
	double right = 0;
	GError *cause = NULL;

	if (!compute(judge, check->left, &left, &cause) ||
	    !compute(judge, check->right, &right, &cause)) {
		if (cause == NULL)
			return true;
		g_propagate_prefixed_error(
		    error, cause, "whether %s cannot be told: ", check->what);
		return false;
	}

	const double allowed = check->within * fmax(fabs(left), fabs(right));
	if (check->at_most ? left <= right + allowed
			   : fabs(left - right) <= allowed)
		return true;
	failure_set(error, FAILURE_BAD_RESULT, ABRUN_ERROR_FAILED,
	    "its figures contradict \"%s\": %s is %.10g, %s is %.10g",
	    check->what, check->left, left, check->right, right);
	return false;
}

static bool
read_metrics(Judge *judge, GPtrArray *samples, GError **error)
{
	const GPtrArray *metrics = judge->load->metrics;

	for (guint i = 0; i < metrics->len; i++) {
		const Metric *metric = g_ptr_array_index(metrics, i);
		GError *cause = NULL;
		double value = 0;

		if (metric_value(judge, metric, &value, &cause))
			load_sample_add(samples, metric->name, value)
			    ->vanished = g_hash_table_contains(
			    judge->vanished, metric->name);
		else if (cause != NULL) {
			g_propagate_error(error, cause);
			return false;
		}
	}
	return true;
}

static bool
figures_agree(Judge *judge, GError **error)
{
	const GPtrArray *checks = judge->load->def->checks;

	for (guint i = 0; i < checks->len; i++)
		if (!agree(judge, g_ptr_array_index(checks, i), error))
			return false;
	return true;
}

/* A run without what verdicts are about is no run. */
static bool
has_primary(
    const Load *load, const GPtrArray *samples, guint first, GError **error)
{
	if (load->primary == NULL)
		return true;
	for (guint i = first; i < samples->len; i++) {
		const LoadSample *sample = samples->pdata[i];
		if (strcmp(sample->metric, load->primary) == 0)
			return true;
	}
	failure_set(error, FAILURE_NO_RESULT, ABRUN_ERROR_FAILED,
	    "no %s, its primary metric: the output does not have it, or it "
	    "was not measured",
	    load->primary);
	return false;
}

static void
judge_clear(Judge *judge)
{
	load_text_free(judge->out);
	load_text_free(judge->err);
	g_hash_table_unref(judge->numbers);
	g_hash_table_unref(judge->vanished);
	g_hash_table_unref(judge->asked);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Judge, judge_clear)

bool
load_judge(const Load *load, const LoadValues *values, const LoadOutput *output,
    GPtrArray *samples, GError **error)
{
	const Deadline deadline = deadline_in(LOAD_JUDGE_MS);
	g_auto(Judge) judge = {
		.load = load,
		.values = values,
		.output = output,
		.out = load_text_new(output->out, deadline),
		.err = load_text_new(output->err, deadline),
		.numbers = g_hash_table_new_full(
		    g_str_hash, g_str_equal, NULL, g_free),
		.vanished = g_hash_table_new(g_str_hash, g_str_equal),
		.asked = g_hash_table_new(g_str_hash, g_str_equal),
	};
	const guint before = samples->len;

	if ((output->timed_out || says_nothing_forbidden(&judge, error)) &&
	    ended_well(load, output, error) &&
	    says_what_is_required(&judge, error) &&
	    read_metrics(&judge, samples, error) &&
	    load_took_time(output, error) && figures_agree(&judge, error)) {
		load_process_samples(output, samples);
		if (has_primary(load, samples, before, error))
			return true;
	}
	failure_mark(error, FAILURE_BAD_RESULT);
	if (samples->len > before)
		g_ptr_array_remove_range(
		    samples, before, samples->len - before);
	return false;
}
