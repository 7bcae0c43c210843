#include "analysis/answer.h"

#include <math.h>
#include <string.h>

#include "analysis/verdict.h"
#include "analysis/wording.h"
#include "base/text.h"

/* More contrasts of a kind are counted, not named. */
enum { NAMED = 3, NAMED_SHOWN = 6, NAME_BYTES = 400 };

static bool
is_shown(const AnalysisContrast *contrast)
{
	return contrast->verdict == VERDICT_FASTER ||
	    contrast->verdict == VERDICT_SLOWER;
}

/* "27.2 to 28.6": of the size of a change, the smaller first. */
static char *
size_range(const AnalysisContrast *contrast)
{
	const int decimals = wording_decimals(contrast->percent);
	const double low = contrast->percent.low, high = contrast->percent.high;
	g_autofree char *from =
	    wording_number(high < 0 ? -high : low, decimals);
	g_autofree char *to = wording_number(high < 0 ? -low : high, decimals);

	return g_strdup_printf("%s to %s", from, to);
}

/* "-0.5 to +1.3 %" */
static char *
signed_range(const AnalysisContrast *contrast, const DataMetric *metric)
{
	const int decimals = wording_decimals(contrast->percent);
	g_autofree char *low = wording_signed(contrast->percent.low, decimals);
	g_autofree char *high =
	    wording_signed(contrast->percent.high, decimals);

	return g_strdup_printf(
	    "%s to %s %s", low, high, contrast->raw ? metric->unit : "%");
}

/* "ULE is 27.9 % slower than 4BSD (27.2 to 28.6)" */
static char *
say_shown(const AnalysisContrast *contrast, const DataMetric *metric)
{
	const double change = contrast->percent.estimate;
	const char *test = contrast->test_label, *base = contrast->base_label;
	g_autofree char *name = text_printable(metric->name, NAME_BYTES);

	if (contrast->raw) {
		g_autofree char *range = signed_range(contrast, metric);
		return g_strdup_printf("%s against %s changes %s by %s (%s)",
		    test, base, name, range,
		    verdict_word(contrast->verdict, metric));
	}
	g_autofree char *size =
	    wording_number(fabs(change), wording_decimals(contrast->percent));
	g_autofree char *range = size_range(contrast);
	if (metric_is_rate(metric))
		return g_strdup_printf("%s is %s %% %s than %s (%s)", test,
		    size, verdict_word(contrast->verdict, metric), base, range);
	if (metric_is_speed(metric))
		return g_strdup_printf("%s takes %s %% %s time (%s) than %s "
				       "(%s)",
		    test, size, change > 0 ? "more" : "less", name, base,
		    range);
	return g_strdup_printf("%s has %s %% %s %s than %s (%s), which is %s",
	    test, size, change > 0 ? "more" : "less", name, base, range,
	    verdict_word(contrast->verdict, metric));
}

/* "libthr gives +7.8 % with 4BSD, +12.1 % with ULE" */
static char *
say_interaction(const AnalysisContrast *contrast, const DataMetric *metric)
{
	const AnalysisSimple *first = contrast->simple->pdata[0];
	const AnalysisSimple *second = contrast->simple->pdata[1];
	const int decimals = wording_decimals(contrast->percent);
	g_autofree char *own = text_printable(metric->unit, NAME_BYTES);
	const char *unit = contrast->raw ? own : "%";
	g_autofree char *a = wording_signed(first->percent, decimals);
	g_autofree char *b = wording_signed(second->percent, decimals);

	return g_strdup_printf("%s gives %s %s with %s, %s %s with %s",
	    first->effect, a, unit, first->context, b, unit, second->context);
}

static char *
say_none(const AnalysisContrast *contrast, const DataMetric *metric)
{
	g_autofree char *range = signed_range(contrast, metric);
	g_autofree char *p = wording_p(contrast->p_holm);

	/* An interval that leaves out 0 is not what could be. */
	if (contrast->percent.low > 0 || contrast->percent.high < 0)
		return g_strdup_printf("%s and %s (%s by itself, but adjusted "
				       "p %s)",
		    contrast->test_label, contrast->base_label, range, p);
	return g_strdup_printf("%s and %s (could be %s)", contrast->test_label,
	    contrast->base_label, range);
}

static char *
say_from(const AnalysisContrast *contrast, const DataMetric *metric)
{
	(void)metric;
	return g_strdup_printf(
	    "%s from %s", contrast->test_label, contrast->base_label);
}

static char *
say_pair(const AnalysisContrast *contrast, const DataMetric *metric)
{
	(void)metric;
	return g_strdup_printf(
	    "%s and %s", contrast->test_label, contrast->base_label);
}

typedef char *(*Say)(const AnalysisContrast *, const DataMetric *);

/* Those of one verdict; how many are left out because they are many. */
static GPtrArray *
collect(const AnalysisLoad *load, bool interactions, Verdict verdict, Say say,
    size_t limit)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	size_t more = 0;

	for (size_t i = 0; i < load->contrasts->len; i++) {
		const AnalysisContrast *contrast = load->contrasts->pdata[i];
		const bool wanted = verdict == VERDICT_FASTER
		    ? is_shown(contrast)
		    : contrast->verdict == verdict;
		if (!wanted || contrast->interaction != interactions)
			continue;
		if (list->len < limit)
			g_ptr_array_add(list, say(contrast, load->metric));
		else
			more++;
	}
	if (more > 0)
		g_ptr_array_add(list, g_strdup_printf("%zu more", more));
	return list;
}

/* Pairs hold an "and" of their own: ", nor between" tells them apart. */
static void
add_pairs(GString *text, const char *before, const char *between,
    const GPtrArray *list, const char *after)
{
	for (size_t i = 0; i < list->len; i++)
		g_string_append_printf(text, "%s%s%s",
		    i > 0                ? between
			: text->len == 0 ? ""
					 : "; ",
		    i > 0 ? "" : before, (const char *)list->pdata[i]);
	if (list->len > 0)
		g_string_append(text, after);
}

static void
add(GString *text, const char *before, const GPtrArray *list, const char *after)
{
	if (list->len == 0)
		return;
	g_autofree char *words = wording_list(list);
	g_string_append_printf(
	    text, "%s%s%s%s", text->len == 0 ? "" : "; ", before, words, after);
}

static void
add_too_few(GString *text, const AnalysisLoad *load)
{
	g_autoptr(GPtrArray) pairs =
	    collect(load, false, VERDICT_TOO_FEW, say_from, NAMED);
	const char *reason = NULL;
	bool same = true;

	for (size_t i = 0; i < load->contrasts->len; i++) {
		const AnalysisContrast *contrast = load->contrasts->pdata[i];
		if (contrast->verdict != VERDICT_TOO_FEW ||
		    contrast->interaction)
			continue;
		if (reason == NULL)
			reason = contrast->reason;
		same = same && g_strcmp0(reason, contrast->reason) == 0;
	}
	g_autofree char *after = same && reason != NULL
	    ? g_strdup_printf(" (%s)", reason)
	    : g_strdup("");
	add_pairs(text, "not enough data to tell ", ", nor ", pairs, after);
}

/* "A is 3 % faster than B (2 to 4); no difference shown between ..." */
static char *
load_sentence(const AnalysisLoad *load, double margin)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *limit = wording_short(margin);
	g_autofree char *within =
	    g_strdup_printf("equivalent within %s %%: ", limit);
	g_autoptr(GPtrArray) shown =
	    collect(load, false, VERDICT_FASTER, say_shown, NAMED_SHOWN);
	g_autoptr(GPtrArray) depends =
	    collect(load, true, VERDICT_FASTER, say_interaction, NAMED);
	g_autoptr(GPtrArray) equal =
	    collect(load, false, VERDICT_EQUIVALENT, say_pair, NAMED);
	g_autoptr(GPtrArray) none =
	    collect(load, false, VERDICT_NONE_SHOWN, say_none, NAMED);

	add(text, "", shown, "");
	add(text, "effects depend on each other: ", depends, "");
	add_pairs(text, within, ", and ", equal, "");
	add_pairs(
	    text, "no difference shown between ", ", nor between ", none, "");
	add_too_few(text, load);
	if (text->len == 0)
		g_string_append(text,
		    load->unasked->len > 0
			? "nothing of what was asked is about it"
			: "nothing to compare");
	g_autofree char *name = text_printable(load->load->name, NAME_BYTES);
	return g_strdup_printf("%s: %s.", name, text->str);
}

char *
answer_text(const Analysis *analysis)
{
	GString *text = g_string_new(NULL);

	if (analysis->runs == 0) {
		g_string_append(text,
		    "Nothing was measured: no run of a "
		    "valid visit gave a figure.\n");
		return g_string_free(text, FALSE);
	}
	for (size_t i = 0; i < analysis->loads->len; i++) {
		g_autofree char *sentence = load_sentence(
		    analysis->loads->pdata[i], analysis->data->margin_percent);
		g_string_append_printf(text, "%s\n", sentence);
	}
	return g_string_free(text, FALSE);
}

static const AnalysisContrast *
largest(const Analysis *analysis, const AnalysisLoad **of)
{
	const AnalysisContrast *best = NULL;

	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			const AnalysisContrast *contrast =
			    load->contrasts->pdata[j];
			if (!is_shown(contrast) || contrast->interaction ||
			    contrast->raw)
				continue;
			if (best != NULL &&
			    fabs(contrast->estimate) <= fabs(best->estimate))
				continue;
			best = contrast;
			*of = load;
		}
	}
	return best;
}

static char *
headline(const Analysis *analysis)
{
	const AnalysisLoad *load = NULL;
	const AnalysisContrast *best = largest(analysis, &load);

	if (analysis->runs == 0)
		return g_strdup("nothing was measured");
	if (best == NULL)
		return g_strdup(analysis->family == 0
			? "not enough data for a verdict"
			: "no difference shown");
	g_autofree char *name = text_printable(load->load->name, NAME_BYTES);
	g_autofree char *metric =
	    text_printable(load->metric->name, NAME_BYTES);
	g_autofree char *size = wording_number(
	    fabs(best->percent.estimate), wording_decimals(best->percent));
	if (metric_is_rate(load->metric))
		return g_strdup_printf("%s %s %% %s in %s", best->test_label,
		    size, verdict_word(best->verdict, load->metric), name);
	return g_strdup_printf("%s %s %% %s %s in %s", best->test_label, size,
	    best->percent.estimate > 0 ? "more" : "less",
	    metric_is_speed(load->metric) ? "time" : metric, name);
}

/* A tenth of the runs on a busy host are no ground to stand on. */
char *
answer_headline(const Analysis *analysis)
{
	char *text = headline(analysis);

	if (analysis->runs == 0 ||
	    analysis->others.disturbed * 10 < analysis->others.runs ||
	    analysis->others.disturbed == 0)
		return text;
	char *doubtful = g_strdup_printf("%s, on a busy host", text);
	g_free(text);
	return doubtful;
}
