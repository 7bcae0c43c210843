#include "analysis/sets.h"

#include <math.h>

#include "stats/fieller.h"
#include "stats/outliers.h"
#include "stats/power.h"

#define POWER .8

/* First what needs the values in their order. */
static void
summarize(NumberSet *set, const SetsOptions *options)
{
	set->first = (FirstRun){ NAN, false };
	set->first_percent = NAN;
	set->trend = (Trend){ NAN, NAN, NAN };
	if (options->old) {
		if (set->n > 0)
			set->summary = ministat_summary(set->values, set->n);
		return;
	}
	if (options->compare)
		set->logs = stats_log_summary(set->values, set->n);
	if (set->n > 0 && set->n <= SETS_ORDER_VALUES) {
		set->first = stats_first_run(set->values, set->n);
		set->trend = stats_trend(set->values, set->n);
		set->outliers = stats_outliers(set->values, set->n, NULL);
		set->first_percent = 100 * set->first.relative;
		set->trends = set->trend.p < 1 - options->level;
	}
	if (options->tests)
		set->shapiro = stats_shapiro(set->values, set->n);
	set->summary = stats_summary_moving(set->values, set->n);
}

/* Of values so scaled that the greatest is 1: what is small is relative. */
static MeanTest
test_raw(const Summary *base, const Summary *test, double level)
{
	const double scale = fmax(fmax(fabs(base->min), fabs(base->max)),
	    fmax(fabs(test->min), fabs(test->max)));
	const double weights[] = { -1, 1 };
	Summary sets[] = { *base, *test };

	for (size_t i = 0; i < G_N_ELEMENTS(sets) && scale > 0; i++) {
		sets[i].min /= scale;
		sets[i].max /= scale;
		sets[i].mean /= scale;
		sets[i].sd /= scale;
	}
	MeanTest mean = stats_contrast_of(sets, weights, 2, level);
	mean.difference.estimate *= scale;
	mean.difference.low *= scale;
	mean.difference.high *= scale;
	mean.se *= scale;
	return mean;
}

static Interval
as_percent(Interval ratio)
{
	return (Interval){ 100 * (ratio.estimate - 1), 100 * (ratio.low - 1),
		100 * (ratio.high - 1) };
}

/* What the verdict is made of, on the scale that was tested. */
typedef struct {
	double estimate, se, df, equivalence; /* p of the last */
} Tested;

static Tested
test_change(SetComparison *out, const NumberSet *base, const NumberSet *test,
    const SetsOptions *options)
{
	Tested tested = { NAN, NAN, NAN, NAN };

	out->raw = isnan(base->logs.mean) || isnan(test->logs.mean);
	if (out->raw) {
		const MeanTest mean =
		    test_raw(&base->summary, &test->summary, options->level);
		out->change = mean.difference;
		out->t = mean.t;
		out->df = mean.df;
		out->p = mean.p;
		tested.se = mean.se;
	} else {
		const RatioTest ratio = stats_welch_of_logs(
		    &base->logs, &test->logs, options->level);
		const Equivalence equivalence = stats_equivalence(
		    &ratio, options->margin / 100, 1 - options->level);
		out->change = as_percent(ratio.ratio);
		out->narrow = as_percent(equivalence.ratio);
		out->t = ratio.t;
		out->df = ratio.df;
		out->p = ratio.p;
		tested.se = ratio.se;
		tested.equivalence = equivalence.p;
	}
	tested.estimate = out->change.estimate;
	tested.df = out->df;
	return tested;
}

static SetTests
test_more(
    const NumberSet *base, const NumberSet *test, const SetsOptions *options)
{
	const Summary *x = &base->summary, *y = &test->summary;

	const Bootstrap bootstrap = stats_bootstrap(base->values, base->n,
	    test->values, test->n, options->level, options->seed);

	return (SetTests){
		.enough = base->n > 1 && test->n > 1 &&
		    (stats_varies(x) || stats_varies(y)),
		.fieller =
		    as_percent(stats_fieller_welch(x, y, options->level, NULL)),
		.kalibera_jones =
		    as_percent(stats_kalibera_jones(x, y, options->level)),
		.bootstrap = bootstrap,
		.drawn = as_percent(bootstrap.ratio),
		.percentile = as_percent(bootstrap.percentile),
		.a12 = NAN,
		.permutation = stats_permutation(base->values, base->n,
		    test->values, test->n, options->seed),
	};
}

static MinistatTest
with_student(const StudentTest *student)
{
	const Interval d = student->mean.difference;

	return (MinistatTest){ d.estimate, d.high - d.estimate,
		student->percent, student->percent_error, student->pooled_sd,
		d.low > 0 || d.high < 0 };
}

/* Of one value there is no sd either, but for another reason. */
static bool
is_beyond(const NumberSet *set)
{
	return set->n > 1 && isnan(set->summary.sd);
}

static void
compare(SetComparison *out, const NumberSet *base, const NumberSet *test,
    const SetsOptions *options, Tested *tested)
{
	const Interval none = { NAN, NAN, NAN };

	*out = (SetComparison){ .beyond = is_beyond(base) || is_beyond(test),
		.detectable = NAN,
		.narrow = none,
		.ranks = { NAN, NAN, false, false, NAN, NAN },
		.shift = { none, NAN } };
	if (options->old) {
		out->ministat = ministat_test(
		    &base->summary, &test->summary, 100 * options->level);
		return;
	}
	out->student =
	    stats_student(&base->summary, &test->summary, options->level);
	out->ministat = with_student(&out->student);
	*tested = test_change(out, base, test, options);
	if (options->tests)
		out->tests = test_more(base, test, options);
	if (base->n == 0 || test->n > STATS_EXACT_PAIRS / base->n)
		return;
	out->ranks =
	    stats_mann_whitney(base->values, base->n, test->values, test->n);
	out->tests.a12 = (out->ranks.cliff + 1) / 2;
	out->ranks_can = !(out->ranks.least_p >= 1 - options->level);
	out->shift = stats_hodges_lehmann(
	    base->values, base->n, test->values, test->n, options->level);
}

static const char *
why_too_few(const SetComparison *compared, bool enough)
{
	if (!enough)
		return "a set has fewer than 2 values";
	if (compared->raw && compared->beyond)
		return "the spread of the values is beyond what can be "
		       "computed";
	return "the values of neither set differ";
}

static void
judge(SetComparison *out, const Tested *tested, const Sets *sets, bool enough,
    size_t sharing)
{
	const SetsOptions *options = &sets->options;
	const double single =
	    options->looks > 0 ? sets->look.p : 1 - options->level;
	const double limit = 100 * expm1(-log1p(-options->margin / 100));

	if (isnan(out->p)) {
		out->verdict = SET_TOO_FEW;
		out->reason = why_too_few(out, enough);
	} else if (out->p_holm < sets->bound) {
		out->verdict = tested->estimate > 0 ? SET_HIGHER : SET_LOWER;
		out->small = !out->raw && out->change.low > -options->margin &&
		    out->change.high < limit;
	} else if (tested->equivalence < single && out->p >= single) {
		out->verdict = SET_EQUIVALENT;
	} else {
		out->verdict = SET_NONE_SHOWN;
		const double least = stats_detectable_difference(tested->se,
		    tested->df, 1 - sets->bound / (double)sharing, POWER);
		out->detectable = out->raw ? least : 100 * expm1(least);
	}
}

/* What p must be below, and the p of all comparisons adjusted for that. */
static void
adjust(Sets *sets, double *p, size_t n)
{
	const double alpha = 1 - sets->options.level;
	Look looks[STATS_MOST_LOOKS];

	sets->bound = alpha;
	if (sets->options.looks == 0 || sets->family == 0) {
		stats_holm(p, n);
		return;
	}
	(void)stats_looks(
	    sets->options.looks, 1 - alpha / (double)sets->family, looks);
	sets->look = looks[sets->options.look - 1];
	sets->bound = sets->look.p * (double)sets->family;
	for (size_t i = 0; i < n; i++)
		p[i] = p[i] * (double)sets->family;
}

/* The family is all comparisons that have a p. */
static void
judge_all(Sets *sets, const Tested *tested)
{
	const size_t n = sets->n - 1;
	g_autofree double *p = g_new(double, n + 1);
	size_t not_shown = 0;

	for (size_t i = 0; i < n; i++) {
		p[i] = sets->comparisons[i].p;
		if (!isnan(p[i]))
			sets->family++;
	}
	adjust(sets, p, n);
	for (size_t i = 0; i < n; i++)
		if (p[i] >= sets->bound)
			not_shown++;
	const size_t sharing =
	    sets->options.looks > 0 ? sets->family : not_shown;
	for (size_t i = 0; i < n; i++) {
		SetComparison *out = &sets->comparisons[i];
		out->p_holm = isnan(p[i]) ? NAN : fmin(p[i], 1);
		judge(out, &tested[i], sets,
		    sets->sets[0].n > 1 && sets->sets[i + 1].n > 1, sharing);
	}
}

Sets *
sets_new(const NumberSet *numbers, size_t n, const SetsOptions *options)
{
	Sets *sets = g_new0(Sets, 1);

	sets->options = *options;
	sets->n = n;
	sets->sets = g_memdup2(numbers, n * sizeof *numbers);
	sets->comparisons = g_new0(SetComparison, n + 1);
	for (size_t i = 0; i < n; i++)
		summarize(&sets->sets[i], options);
	if (!options->compare || n < 2)
		return sets;
	g_autofree Tested *tested = g_new0(Tested, n);
	for (size_t i = 1; i < n; i++)
		compare(&sets->comparisons[i - 1], &sets->sets[0],
		    &sets->sets[i], options, &tested[i - 1]);
	if (!options->old)
		judge_all(sets, tested);
	return sets;
}

void
sets_free(Sets *sets)
{
	if (sets == NULL)
		return;
	g_free(sets->sets);
	g_free(sets->comparisons);
	g_free(sets);
}
