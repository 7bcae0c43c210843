#include <math.h>

#include "analysis/analysis.h"
#include "analysis/wording.h"
#include "report/lines.h"
#include "report/sets.h"

enum { WIDTH = 74 };

const char *
sets_verdict(SetVerdict verdict, Better better)
{
	const bool higher_is_faster = better == BETTER_HIGHER;

	switch (verdict) {
	case SET_HIGHER:
		return better == BETTER_UNKNOWN ? "higher"
		    : higher_is_faster          ? "faster"
						: "slower";
	case SET_LOWER:
		return better == BETTER_UNKNOWN ? "lower"
		    : higher_is_faster          ? "slower"
						: "faster";
	case SET_EQUIVALENT:
		return verdict_name(VERDICT_EQUIVALENT);
	case SET_NONE_SHOWN:
		return verdict_name(VERDICT_NONE_SHOWN);
	case SET_TOO_FEW:
		return verdict_name(VERDICT_TOO_FEW);
	}
	g_assert_not_reached();
}

/* "-4.8 to +3.8 %"; raw: "-4.8 to +3.8". */
static char *
range(const SetComparison *compared, Interval interval)
{
	if (compared->raw)
		return g_strdup_printf(
		    "%+.4g to %+.4g", interval.low, interval.high);
	const int decimals = wording_decimals(compared->change);
	g_autofree char *low = wording_signed(interval.low, decimals);
	g_autofree char *high = wording_signed(interval.high, decimals);

	return g_strdup_printf("%s to %s %%", low, high);
}

static char *
amount(const SetComparison *compared, double value)
{
	if (compared->raw)
		return g_strdup_printf("%+.4g", value);
	g_autofree char *number =
	    wording_signed(value, wording_decimals(compared->change));

	return g_strdup_printf("%s %%", number);
}

static void
append_p(GString *out, const SetComparison *compared)
{
	g_autofree char *p = wording_p(compared->p_holm);

	g_string_append_printf(out, "p %s", p);
}

/* "; by ranks p .008" */
static void
append_ranks(GString *out, const SetComparison *compared)
{
	const RankTest *ranks = &compared->ranks;

	if (isnan(ranks->p))
		return;
	if (!compared->ranks_can) {
		g_autofree char *least = wording_p(ranks->least_p);
		g_string_append_printf(
		    out, "; ranks of so few values give no p below %s", least);
		return;
	}
	g_autofree char *by_ranks = wording_p(ranks->p);
	g_string_append_printf(out, "; by ranks p %s", by_ranks);
}

/*
 * An interval that leaves out 0 is not what could be: it is of one test at the
 * end, and stricter is asked of several tests or looks.
 */
static void
append_could(GString *out, const Sets *sets, const SetComparison *compared)
{
	const Interval change = compared->change;
	g_autofree char *between = range(compared, change);

	if (!(change.low > 0 || change.high < 0)) {
		g_string_append_printf(out, "could be %s, ", between);
		append_p(out, compared);
		return;
	}
	g_string_append_printf(out, "%s by itself, but %s", between,
	    sets->family > 1 ? "adjusted " : "");
	append_p(out, compared);
	if (sets->options.looks > 0)
		g_string_append(out, " is not below the bound of this look");
}

static void
append_none(GString *out, const Sets *sets, const SetComparison *compared,
    char base, char test)
{
	g_string_append_printf(
	    out, "no difference shown of %c from %c: ", test, base);
	append_could(out, sets, compared);
	append_ranks(out, compared);
	if (isnan(compared->detectable))
		return;
	if (compared->raw)
		g_string_append_printf(out,
		    ". A difference of %.4g would have been seen in 4 of 5 "
		    "such tests",
		    compared->detectable);
	else {
		g_autofree char *least =
		    wording_number(compared->detectable, 1);
		g_string_append_printf(out,
		    ". A difference of %s %% would have been seen in 4 of 5 "
		    "such tests",
		    least);
	}
}

static void
append_too_few(
    GString *out, const SetComparison *compared, char base, char test)
{
	g_string_append_printf(out, "not enough data to compare %c with %c: %s",
	    test, base, compared->reason);
	if (isnan(compared->change.estimate))
		return;
	g_autofree char *change = amount(compared, compared->change.estimate);
	g_string_append_printf(
	    out, "; the difference is %s, and nothing tells how sure", change);
}

static void
append_verdict(GString *out, const Sets *sets, size_t i, Better better)
{
	const SetComparison *compared = &sets->comparisons[i];
	const char base = plot_symbol(0), test = plot_symbol(i + 1);
	g_autofree char *margin = wording_short(sets->options.margin);
	g_autofree char *change = amount(compared, compared->change.estimate);

	switch (compared->verdict) {
	case SET_HIGHER:
	case SET_LOWER: {
		g_autofree char *between = range(compared, compared->change);
		g_string_append_printf(out, "%c is %s than %c: %s (%s)", test,
		    sets_verdict(compared->verdict, better), base, change,
		    between);
		g_string_append(out, ", ");
		append_p(out, compared);
		append_ranks(out, compared);
		if (compared->small)
			g_string_append_printf(out,
			    ", but the margin of %s %% is not left", margin);
		return;
	}
	case SET_EQUIVALENT: {
		g_autofree char *between = range(compared, compared->narrow);
		g_string_append_printf(out,
		    "%c is equivalent to %c within %s %%: %s (%s)", test, base,
		    margin, change, between);
		return;
	}
	case SET_NONE_SHOWN:
		append_none(out, sets, compared, base, test);
		return;
	case SET_TOO_FEW:
		append_too_few(out, compared, base, test);
		return;
	}
	g_assert_not_reached();
}

static void
append_lines(GString *out, const char *text)
{
	g_autofree char *lines = lines_wrap(text, "", "    ", WIDTH);

	g_string_append(out, lines);
}

/* "; look 2 of 5: a difference is shown where p is below 0.00079" */
static void
append_look(GString *out, const Sets *sets)
{
	char bound[G_ASCII_DTOSTR_BUF_SIZE];

	if (sets->options.looks == 0)
		return;
	g_ascii_formatd(bound, sizeof bound, "%.2g", sets->bound);
	g_string_append_printf(out,
	    "; look %zu of %zu: a difference is shown where p is below %s",
	    sets->options.look, sets->options.looks, bound);
}

static void
append_method(GString *out, const Sets *sets)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *level = wording_short(100 * sets->options.level);
	bool raw = false, logs = false;

	for (size_t i = 0; i + 1 < sets->n; i++) {
		const SetComparison *compared = &sets->comparisons[i];
		raw = raw || (compared->raw && !isnan(compared->p));
		logs = logs || (!compared->raw && !isnan(compared->p));
	}
	if (!raw && !logs)
		return;
	g_string_append_printf(text, "(%s, Welch's t, %s %% intervals%s",
	    logs ? "change of geometric means" : "difference of means", level,
	    logs && raw ? "; with values that are not positive, difference of "
			  "means"
		: raw   ? "; not all values are positive"
			: "");
	if (sets->family > 1)
		g_string_append_printf(
		    text, "; p adjusted for %zu tests", sets->family);
	append_look(text, sets);
	g_string_append_c(text, ')');
	append_lines(out, text->str);
}

static void
append_notes(GString *out, const NumberSet *set, char symbol)
{
	if (set->first.differs) {
		g_autofree char *by =
		    wording_number(fabs(set->first_percent), 1);
		g_autofree char *text = g_strdup_printf(
		    "Note: the first value of %c is %s %% %s the mean of the "
		    "others",
		    symbol, by, set->first_percent > 0 ? "above" : "below");
		append_lines(out, text);
	}
	if (set->trends) {
		g_autofree char *p = wording_p(set->trend.p);
		g_autofree char *text = g_strdup_printf(
		    "Note: %c %s from value to value, by %.3g in the middle "
		    "(trend p %s)",
		    symbol, set->trend.s > 0 ? "rises" : "falls",
		    fabs(set->trend.slope), p);
		append_lines(out, text);
	}
	if (set->outliers > 0) {
		g_autofree char *count = wording_count(set->outliers, "values");
		g_autofree char *text = g_strdup_printf(
		    "Note: %s of %c %s far from the others; all count", count,
		    symbol, set->outliers == 1 ? "lies" : "lie");
		append_lines(out, text);
	}
}

void
sets_verdicts(GString *out, const Sets *sets, Better better)
{
	for (size_t i = 0; i + 1 < sets->n; i++) {
		g_autoptr(GString) text = g_string_new("Verdict: ");
		append_verdict(text, sets, i, better);
		append_lines(out, text->str);
	}
	append_method(out, sets);
	for (size_t i = 0; i < sets->n; i++)
		append_notes(out, &sets->sets[i], plot_symbol(i));
}
