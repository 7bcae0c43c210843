#include "run/measure.h"

#include <string.h>

#include "base/failure.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "run/client.h"
#include "run/cpu.h"
#include "run/state.h"
#include "run/subject.h"
#include "run/values.h"
#include "run/watch.h"

/* Of a command's own words in a message. */
enum { SAID_BYTES = 400 };

static bool
number_of(const VerbAnswer *answer, const char *key, int64_t *value)
{
	const char *text = verb_answer_get(answer, key);

	return text != NULL &&
	    text_parse_int(text, INT64_MIN, INT64_MAX, value, NULL);
}

bool
measure_output(const VerbAnswer *answer, LoadOutput *output, GError **error)
{
	int64_t status = -1;

	if (!verb_answer_check(answer, error))
		return false;
	*output = (LoadOutput){
		.status = -1, .user_ms = -1, .sys_ms = -1, .maxrss_kb = -1
	};
	output->signal = verb_answer_get(answer, "signal");
	output->out = verb_answer_get(answer, "out");
	output->err = verb_answer_get(answer, "err");
	const char *timed_out = verb_answer_get(answer, "timed_out");
	if (!number_of(answer, "exit", &status) ||
	    !number_of(answer, "wall_ms", &output->wall_ms) ||
	    output->out == NULL || output->err == NULL || timed_out == NULL) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "asked for a run's end, output and time, but the answer "
		    "holds only part of them");
		return false;
	}
	output->status = (int)status;
	/* Measured it is, and that it cannot be is for the judge to say. */
	output->wall_ms = MAX(output->wall_ms, 0);
	output->timed_out = strcmp(timed_out, "yes") == 0;
	(void)number_of(answer, "user_ms", &output->user_ms);
	(void)number_of(answer, "sys_ms", &output->sys_ms);
	(void)number_of(answer, "maxrss_kb", &output->maxrss_kb);
	return true;
}

/* Both streams of a run, in raw/; the path below the run directory. */
static char *
keep_raw(Worker *worker, const Visit *visit, const PlanStep *step, int number,
    const char *command, const LoadOutput *output, GError **error)
{
	const Load *load = worker_matrix(worker)->loads->pdata[step->load];
	g_autofree char *target = text_safe_name(worker_host(worker)->name);
	g_autofree char *named = text_safe_name(load->name);
	g_autofree char *name =
	    g_strdup_printf("%s-round%zu-cell%zu-%s-%s%d.txt", target,
		visit->round, step->cell, named, number < 1 ? "warmup" : "run",
		number < 1 ? 1 - number : number);
	g_autofree char *path = store_raw_path(worker->store, name);
	g_autofree char *text =
	    g_strdup_printf("$ %s\n%s\n--- standard error\n%s\n--- exit %d\n",
		command, output->out, output->err, output->status);

	if (!file_write(path, text, strlen(text), 0600, error))
		return NULL;
	return g_path_get_basename(path);
}

/* What weakens a run that may be good all the same; NULL: nothing. */
static char *
flag_of(const Worker *worker, const VerbAnswer *answer, const StoreRun *run,
    const GPtrArray *samples)
{
	g_autoptr(GPtrArray) flags = g_ptr_array_new_with_free_func(g_free);
	int64_t left = 0, step_ms = 0;

	for (guint i = 0; i < samples->len; i++) {
		const LoadSample *sample = samples->pdata[i];
		if (sample->vanished)
			return g_strdup_printf("precision lost: its %s is "
					       "printed as 0, with too few "
					       "digits after the point",
			    sample->metric);
	}

	if (worker->collected)
		g_ptr_array_add(flags,
		    g_strdup("the link to its host broke while it ran; it was "
			     "logged into again, and the run collected"));
	if (g_strcmp0(verb_answer_get(answer, "escaped"), "yes") == 0)
		g_ptr_array_add(flags,
		    g_strdup("a process that it started has left it, holds "
			     "its output and may still run"));
	else if (number_of(answer, "leftover", &left) && left > 0)
		g_ptr_array_add(flags,
		    g_strdup_printf("%" G_GINT64_FORMAT
				    " of its processes outlived it and "
				    "had to be killed",
			left));
	if (number_of(answer, "clock_step_ms", &step_ms) && step_ms != 0)
		g_ptr_array_add(flags,
		    g_strdup_printf("the clock of the host was set by %.1f s "
				    "while it ran: what the load took from "
				    "that clock is wrong, its wall time is not",
			(double)step_ms / 1000));
	watch_flag(worker, run, flags);
	if (flags->len == 0)
		return NULL;
	g_ptr_array_add(flags, NULL);
	return g_strjoinv("; ", (char **)flags->pdata);
}

/* Its row; run: start, number, reason, flag, raw and began are set. */
static int64_t
keep(Worker *worker, const Visit *visit, const PlanStep *step,
    const LoadOutput *output, const GPtrArray *samples, StoreRun run,
    GError **error)
{
	g_autofree const char **metrics = g_new0(const char *, samples->len);
	g_autofree double *values = g_new0(double, samples->len);

	for (guint i = 0; i < samples->len; i++) {
		const LoadSample *sample = samples->pdata[i];
		metrics[i] = sample->metric;
		values[i] = sample->value;
	}
	run.visit = visit->id;
	run.cell = step->cell;
	run.load = step->load;
	run.warmup = run.number < 1;
	run.good = run.reason == NULL;
	run.wall_ms = output->wall_ms;
	run.n_samples = run.good ? samples->len : 0;
	run.metrics = metrics;
	run.values = values;
	return store_run(worker->store, &run, error);
}

/* The unit of what verdicts are about, which may be the time it took. */
static const char *
unit_of(const Load *load)
{
	const Metric *metric = loaddef_metric(load->metrics, load->primary);

	if (metric == NULL)
		metric = loaddef_process_metric(load->primary);
	return metric == NULL ? "" : metric->unit;
}

static void
tell(const Worker *worker, const Visit *visit, const PlanStep *step, int number,
    const GPtrArray *samples, Failure failure, const char *reason)
{
	const Load *load = worker_matrix(worker)->loads->pdata[step->load];
	const Cell *cell = plan_cell(worker->plan, step->cell);
	const char *host = worker_host(worker)->name;

	if (reason != NULL) {
		log_info("%s: round %zu, %s, %s: run failed: %s: %s", host,
		    visit->round, cell->name, load->name, failure_name(failure),
		    reason);
		return;
	}
	for (guint i = 0; i < samples->len && number > 0; i++) {
		const LoadSample *sample = samples->pdata[i];
		if (strcmp(sample->metric, load->primary) == 0)
			log_info("%s: round %zu, %s, %s: %.5g %s", host,
			    visit->round, cell->name, load->name, sample->value,
			    unit_of(load));
	}
}

/* A key that takes a length, in whole seconds; NULL is no key. */
static void
set_length(GHashTable *values, const char *key, int64_t ms)
{
	if (key != NULL) {
		g_autofree char *seconds =
		    g_strdup_printf("%" G_GINT64_FORMAT, (ms + 999) / 1000);
		load_set_value(values, key, seconds);
	}
}

bool
measure_succeeded(const Load *load, const char *what, const LoadOutput *output,
    GError **error)
{
	if (output->status == 0 && !output->timed_out)
		return true;
	g_autofree char *said = text_one_line(
	    *output->err != '\0' ? output->err : output->out, SAID_BYTES);
	g_autofree char *limit = text_duration(load->timeout_ms);
	g_autofree char *end = output->timed_out
	    ? g_strdup_printf(
		  "did not end in %" G_GINT64_FORMAT " ms", load->timeout_ms)
	    : g_strdup_printf("ended with status %d", output->status);
	failure_set(error,
	    output->timed_out ? FAILURE_TIMEOUT : FAILURE_SETUP_FAILED,
	    ABRUN_ERROR_FAILED, "load %s: %s %s%s%s", load->name, what, end,
	    *said == '\0' ? "" : ": ", said);
	return false;
}

/* Once in each start, before the first run. */
static bool
prepare(
    Worker *worker, const Visit *visit, const PlanStep *step, GError **error)
{
	const Load *load = worker_matrix(worker)->loads->pdata[step->load];

	if (load->prepare == NULL ||
	    !state_log_prepare(worker->state, step->load))
		return true;
	g_autoptr(GHashTable) values = values_run(worker, step->load,
	    plan_cell(worker->plan, step->cell), visit->round, 0, error);
	g_autofree char *command = values == NULL
	    ? NULL
	    : load_expand_command(load->prepare, values, error);
	if (command == NULL)
		return false;
	g_autoptr(VerbAnswer) answer =
	    measure_execute(worker, command, load->timeout_ms, error);
	LoadOutput output;
	if (answer == NULL || !measure_output(answer, &output, error))
		return false;
	return measure_succeeded(load, "prepare", &output, error);
}

/* A run that is not begun, since its data are not what they were. */
static bool
refuse(Worker *worker, const Visit *visit, int64_t start, const PlanStep *step,
    int number, const char *changed, GError **error)
{
	const LoadOutput none = { .out = "", .err = "" };
	const StoreRun run = {
		.start = start,
		.number = number,
		.failure = FAILURE_DATA_CHANGED,
		.reason = changed,
		.cpu_ms = -1,
		.server_ms = -1,
		.others_ms = -1,
		.stolen_ms = -1,
		.began = (double)g_get_real_time() / 1e6,
	};
	g_autoptr(GPtrArray) samples = g_ptr_array_new();

	tell(worker, visit, step, number, samples, run.failure, changed);
	return keep(worker, visit, step, &none, samples, run, error) != 0;
}

/* One execution, judged and stored. */
static bool
execute(Worker *worker, const Visit *visit, int64_t start, const PlanStep *step,
    int number, int64_t length_ms, GError **error)
{
	const Load *load = worker_matrix(worker)->loads->pdata[step->load];
	const Cell *cell = plan_cell(worker->plan, step->cell);
	const double began = (double)g_get_real_time() / 1e6;
	g_autoptr(GHashTable) values =
	    values_run(worker, step->load, cell, visit->round, number, error);

	if (values == NULL)
		return false;
	set_length(
	    values, length_ms > 0 ? load->def->length_key : NULL, length_ms);
	const int64_t warmup_ms = worker_matrix(worker)->design.warmup_ms;
	set_length(
	    values, warmup_ms > 0 ? load->def->warmup_key : NULL, warmup_ms);
	g_autofree char *command =
	    load_expand_command(load->command, values, error);
	if (command == NULL)
		return false;

	const bool is_subject = worker->control == NULL;
	g_autoptr(VerbAnswer) answer =
	    measure_execute_with(worker, is_subject ? visit->settings : NULL,
		true, command, load->timeout_ms, error);
	LoadOutput output;
	if (answer == NULL || !measure_output(answer, &output, error))
		return false;
	g_autofree char *raw =
	    keep_raw(worker, visit, step, number, command, &output, error);
	if (raw == NULL)
		return false;

	g_autoptr(GPtrArray) samples =
	    g_ptr_array_new_with_free_func((GDestroyNotify)load_sample_free);
	g_autoptr(GError) refusal = NULL;
	const bool good = load_judge(load, values, &output, samples, &refusal);
	tell(worker, visit, step, number, samples, failure_of(refusal),
	    good ? NULL : refusal->message);
	StoreRun run = {
		.start = start,
		.number = number,
		.failure = failure_of(refusal),
		.reason = good ? NULL : refusal->message,
		.raw = raw,
		.began = began,
	};
	cpu_read(answer, worker->control != NULL, &run);
	g_autofree char *flag = flag_of(worker, answer, &run, samples);
	run.flag = flag;
	const int64_t row =
	    keep(worker, visit, step, &output, samples, run, error);
	if (row == 0 || !is_subject || !good || number < 1)
		return row != 0;
	return subject_prove(
	    worker, visit, load, number, row, command, answer, error);
}

static bool
run_in_turn(Worker *worker, const Visit *visit, int64_t start,
    const PlanStep *step, int number, int64_t length_ms, GError **error)
{
	const char *changed = NULL;

	if (!state_ready(worker, step->load, &changed, error))
		return false;
	if (changed != NULL)
		return refuse(
		    worker, visit, start, step, number, changed, error);
	return prepare(worker, visit, step, error) &&
	    execute(worker, visit, start, step, number, length_ms, error);
}

/* One run, of data that are as they must be, beside no other one. */
static bool
run_once(Worker *worker, const Visit *visit, int64_t start,
    const PlanStep *step, int number, int64_t length_ms, GError **error)
{
	if (!client_enter(worker, error))
		return false;
	const bool ok =
	    run_in_turn(worker, visit, start, step, number, length_ms, error);
	client_leave(worker);
	return ok;
}

/*
 * Warm-ups are numbered 0, -1, -2...  A length is the generator's own warm-up
 * where it has one, else one discarded run of that length.
 */
static bool
warm_up(Worker *worker, const Visit *visit, int64_t start, const PlanStep *step,
    GError **error)
{
	const Design *design = &worker_matrix(worker)->design;

	const Load *load = worker_matrix(worker)->loads->pdata[step->load];

	if (design->warmup_ms > 0 && load->def->warmup_key != NULL)
		return true; /* each run warms itself up */
	if (design->warmup_ms > 0)
		return run_once(
		    worker, visit, start, step, 0, design->warmup_ms, error);
	for (int i = 0; i < design->warmup_runs; i++)
		if (!run_once(worker, visit, start, step, -i, 0, error))
			return false;
	return true;
}

bool
measure_step(Worker *worker, const Visit *visit, int64_t start,
    const PlanStep *step, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);
	const Load *load = matrix->loads->pdata[step->load];

	progress_now(worker->progress, worker_host(worker)->name, load->name);
	state_log_step(worker->state);
	if (!warm_up(worker, visit, start, step, error))
		return false;
	for (int run = 1; run <= matrix->design.runs; run++)
		if (!run_once(worker, visit, start, step, run, 0, error))
			return false;
	return true;
}
