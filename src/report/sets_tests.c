#include "report/sets_tests.h"

#include <math.h>

#include "analysis/wording.h"
#include "report/lines.h"
#include "report/plot.h"

enum { WIDTH = 74, NAME_WIDTH = 28 };

static void
append_line(GString *out, const char *name, const char *text)
{
	g_autofree char *first = g_strdup_printf("  %-*s", NAME_WIDTH, name);
	g_autofree char *others = g_strnfill(NAME_WIDTH + 2, ' ');
	g_autofree char *lines = lines_wrap(text, first, others, WIDTH);

	g_string_append(out, lines);
}

/* "-0.5 % (-5.0 to +3.9 %)" */
static char *
change_words(Interval change)
{
	const int decimals = wording_decimals(change);
	g_autofree char *estimate = wording_signed(change.estimate, decimals);
	g_autofree char *low = wording_signed(change.low, decimals);
	g_autofree char *high = wording_signed(change.high, decimals);

	return g_strdup_printf("%s %% (%s to %s %%)", estimate, low, high);
}

/* Two sets as they are drawn: 'x' and '+'. */
typedef struct {
	const Sets *sets;
	const NumberSet *base, *test;
	const SetComparison *compared;
	char base_symbol, test_symbol;
} Pair;

/* NULL where there is nothing against a ratio's interval. */
static const char *
why_none(const Pair *pair)
{
	if (pair->compared->beyond)
		return "n/a: the spread is beyond what can be computed";
	if (!pair->compared->tests.enough)
		return "n/a: too few values, or none that differ";
	return NULL;
}

static void
append_ratio(GString *out, const Pair *pair, const char *name, Interval change)
{
	const char *none = why_none(pair);
	g_autofree char *text = none != NULL ? g_strdup(none)
	    : isnan(change.low)
	    ? g_strdup_printf("n/a: the mean of %c may be 0", pair->base_symbol)
	    : change_words(change);

	append_line(out, name, text);
}

static char *
count_of(const Pair *pair, bool all, size_t count, const char *what)
{
	return all ? g_strdup_printf("all %zu %s", count, what)
		   : g_strdup_printf("%zu %s drawn, seed %" G_GUINT64_FORMAT,
			 count, what, pair->sets->options.seed);
}

static void
append_bootstrap(GString *out, const Pair *pair)
{
	const Bootstrap *bootstrap = &pair->compared->tests.bootstrap;
	const size_t fewer = MIN(pair->base->n, pair->test->n);
	g_autofree char *change = change_words(pair->compared->tests.drawn);
	g_autofree char *count =
	    count_of(pair, bootstrap->all, bootstrap->resamples, "resamples");
	g_autofree char *text = !pair->compared->tests.enough
	    ? g_strdup(why_none(pair))
	    : !(pair->base->summary.min > 0)
	    ? g_strdup_printf(
		  "n/a: a value of %c is not positive", pair->base_symbol)
	    : bootstrap->resamples == 0
	    ? g_strdup(
		  "n/a: more than " G_STRINGIFY(STATS_DRAWN_VALUES) " values")
	    : isnan(bootstrap->ratio.low)
	    ? g_strdup("n/a: no resample is below the ratio")
	    : g_strdup_printf("%s; %s%s", change, count,
		  fewer < STATS_BOOTSTRAP_LEAST
		      ? "; too narrow, of fewer than " G_STRINGIFY(
			    STATS_BOOTSTRAP_LEAST) " values"
		      : "");

	append_line(out, "the same, BCa bootstrap", text);
}

static void
append_ranks(GString *out, const Pair *pair)
{
	const RankTest *ranks = &pair->compared->ranks;
	const ShiftTest *shift = &pair->compared->shift;

	if (isnan(ranks->u)) {
		append_line(out, "by ranks", "n/a: too many pairs of values");
		return;
	}
	g_autofree char *level = wording_number(100 * shift->level, 1);
	g_autofree char *range = isnan(shift->level) ||
		!isfinite(shift->shift.high - shift->shift.low)
	    ? g_strdup("")
	    : g_strdup_printf(" (%+.5g to %+.5g; level %s %%)",
		  shift->shift.low, shift->shift.high, level);
	g_autofree char *moved =
	    g_strdup_printf("%+.5g%s", shift->shift.estimate, range);
	append_line(out, "shift, Hodges-Lehmann", moved);
	g_autofree char *cliff = wording_signed(ranks->cliff, 2);
	g_autofree char *share =
	    wording_number(100 * pair->compared->tests.a12, 1);
	g_autofree char *text =
	    g_strdup_printf("%s: %c is above %c in %s %% of all pairs", cliff,
		pair->test_symbol, pair->base_symbol, share);
	append_line(out, "Cliff's delta", text);
}

static void
append_permutation(GString *out, const Pair *pair)
{
	const Permutation *permutation = &pair->compared->tests.permutation;
	g_autofree char *means = wording_p(permutation->p_means);
	g_autofree char *welch = wording_p(permutation->p_welch);
	g_autofree char *count =
	    count_of(pair, permutation->all, permutation->arrangements, "ways");
	const bool many = pair->base->n + pair->test->n > STATS_ARRANGED_VALUES;
	g_autofree char *text = permutation->arrangements == 0 && !many
	    ? g_strdup("n/a")
	    : permutation->arrangements == 0
	    ? g_strdup("n/a: more than " G_STRINGIFY(
		  STATS_ARRANGED_VALUES) " values")
	    : g_strdup_printf(
		  "p %s by means, %s by Welch's t; %s", means, welch, count);

	append_line(out, "permutation test", text);
}

static void
append_shapes(GString *out, const Sets *sets)
{
	g_autoptr(GString) text = g_string_new("Normal values (Shapiro-Wilk)?");

	for (size_t i = 0; i < sets->n; i++) {
		g_autofree char *p = wording_p(sets->sets[i].shapiro.p);
		g_string_append_printf(
		    text, "%s %c p %s", i == 0 ? "" : ",", plot_symbol(i), p);
	}
	g_autofree char *lines = lines_wrap(text->str, "", "    ", WIDTH);
	g_string_append(out, lines);
}

void
sets_tests_text(GString *out, const Sets *sets)
{
	for (size_t i = 0; i + 1 < sets->n; i++) {
		const SetComparison *compared = &sets->comparisons[i];
		const Pair pair = { sets, &sets->sets[0], &sets->sets[i + 1],
			compared, plot_symbol(0), plot_symbol(i + 1) };
		g_string_append_printf(out, "Further tests of %c against %c\n",
		    pair.test_symbol, pair.base_symbol);
		append_ratio(out, &pair, "ratio of means, Fieller",
		    compared->tests.fieller);
		append_ratio(out, &pair, "the same, Kalibera-Jones",
		    compared->tests.kalibera_jones);
		append_bootstrap(out, &pair);
		append_ranks(out, &pair);
		append_permutation(out, &pair);
	}
	append_shapes(out, sets);
}

static json_t *
number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *
bootstrap_json(const SetTests *tests)
{
	const Bootstrap *bootstrap = &tests->bootstrap;
	const Interval change = tests->drawn, plain = tests->percentile;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:b}", "low",
	    number(change.low), "high", number(change.high), "percentile_low",
	    number(plain.low), "percentile_high", number(plain.high), "stddev",
	    number(100 * bootstrap->se), "z0", number(bootstrap->z0),
	    "acceleration", number(bootstrap->acceleration), "resamples",
	    (json_int_t)bootstrap->resamples, "all", bootstrap->all);
}

json_t *
sets_tests_json(const SetComparison *compared)
{
	const SetTests *tests = &compared->tests;
	const Interval fieller = tests->fieller, kj = tests->kalibera_jones;
	const Permutation *permutation = &tests->permutation;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:{s:o, s:o, s:I, s:b}}",
	    "ratio_percent", number(fieller.estimate), "fieller_low",
	    number(fieller.low), "fieller_high", number(fieller.high),
	    "kalibera_jones_low", number(kj.low), "kalibera_jones_high",
	    number(kj.high), "bootstrap", bootstrap_json(tests), "a12",
	    number(tests->a12), "permutation", "p_means",
	    number(permutation->p_means), "p_welch",
	    number(permutation->p_welch), "arrangements",
	    (json_int_t)permutation->arrangements, "all", permutation->all);
}

const char *const sets_tests_columns[SETS_TESTS_COLUMNS] = { "fieller_low",
	"fieller_high", "kalibera_jones_low", "kalibera_jones_high",
	"bootstrap_low", "bootstrap_high", "permutation_p", "cliffs_delta" };

void
sets_tests_values(
    const SetComparison *compared, double values[SETS_TESTS_COLUMNS])
{
	const SetTests *tests = &compared->tests;
	const Interval changes[] = { tests->fieller, tests->kalibera_jones,
		tests->drawn };
	size_t n = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		values[n++] = changes[i].low;
		values[n++] = changes[i].high;
	}
	values[n++] = tests->permutation.p_welch;
	values[n++] = compared->ranks.cliff;
}
