#include "analysis/verdict.h"

#include <math.h>
#include <string.h>

#include "analysis/wording.h"

#define ALPHA .05
#define POWER .8
/* An equivalence within the margin is two one-sided tests at .05. */
#define EQUIVALENCE_LEVEL .9

const char *
verdict_name(Verdict verdict)
{
	switch (verdict) {
	case VERDICT_FASTER:
		return "faster";
	case VERDICT_SLOWER:
		return "slower";
	case VERDICT_EQUIVALENT:
		return "equivalent";
	case VERDICT_NONE_SHOWN:
		return "none shown";
	case VERDICT_TOO_FEW:
		return "no verdict";
	}
	g_assert_not_reached();
}

bool
metric_is_rate(const DataMetric *metric)
{
	return metric->higher_is_better &&
	    (strstr(metric->unit, "/s") != NULL ||
		strstr(metric->unit, "per s") != NULL);
}

bool
metric_is_speed(const DataMetric *metric)
{
	static const char *const times[] = { "s", "ms", "us", "ns", "min",
		"sec", "seconds", "milliseconds", NULL };

	return metric_is_rate(metric) ||
	    (!metric->higher_is_better && g_strv_contains(times, metric->unit));
}

const char *
verdict_word(Verdict verdict, const DataMetric *metric)
{
	if (verdict == VERDICT_FASTER && !metric_is_speed(metric))
		return "better";
	if (verdict == VERDICT_SLOWER && !metric_is_speed(metric))
		return "worse";
	return verdict_name(verdict);
}

/* On the scale that was tested; differences of raw values have no margin. */
static bool
is_within(const AnalysisContrast *contrast, double level, double margin)
{
	const double half =
	    stats_t_quantile(level, contrast->df) * contrast->se;
	const double limit = -log1p(-margin / 100);

	return !contrast->raw && margin > 0 && margin < 100 &&
	    contrast->estimate - half > -limit &&
	    contrast->estimate + half < limit;
}

static void
say_difference(
    AnalysisContrast *contrast, const DataMetric *metric, double margin)
{
	const bool more = contrast->estimate > 0;

	contrast->verdict =
	    more == metric->higher_is_better ? VERDICT_FASTER : VERDICT_SLOWER;
	if (is_within(contrast, 1 - ALPHA, margin)) {
		g_autofree char *text = wording_short(margin);
		contrast->remark =
		    g_strdup_printf("but under the margin of %s %%", text);
	}
}

/*
 * By Holm's rule the least p of those not shown would have had to be below
 * ALPHA / not_shown: that is the level an effect had to be seen at.
 */
static void
say_none(
    AnalysisContrast *contrast, double margin, size_t family, size_t not_shown)
{
	contrast->verdict = VERDICT_NONE_SHOWN;
	if (contrast->p < ALPHA) {
		g_autofree char *p = wording_p(contrast->p_holm);
		contrast->remark =
		    g_strdup_printf("its interval alone leaves out 0, but one "
				    "of %zu contrasts may do that by chance "
				    "(adjusted p %s)",
			family, p);
	} else if (is_within(contrast, EQUIVALENCE_LEVEL, margin)) {
		contrast->verdict = VERDICT_EQUIVALENT;
		return;
	}
	const double least = stats_detectable_difference(
	    contrast->se, contrast->df, 1 - ALPHA / (double)not_shown, POWER);
	contrast->detectable = contrast->raw ? least : 100 * expm1(least);
}

static void
set_one(AnalysisContrast *contrast, const DataMetric *metric, double margin,
    size_t family, size_t not_shown)
{
	if (isnan(contrast->p))
		contrast->verdict = VERDICT_TOO_FEW;
	else if (contrast->p_holm < ALPHA)
		say_difference(contrast, metric, margin);
	else
		say_none(contrast, margin, family, not_shown);
}

size_t
verdicts_set(GPtrArray *loads, double margin_percent)
{
	g_autoptr(GArray) p = g_array_new(FALSE, FALSE, sizeof(double));
	size_t family = 0, not_shown = 0, next = 0;

	for (size_t i = 0; i < loads->len; i++) {
		const AnalysisLoad *load = loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			const AnalysisContrast *contrast =
			    load->contrasts->pdata[j];
			g_array_append_val(p, contrast->p);
			if (!isnan(contrast->p))
				family++;
		}
	}
	stats_holm((double *)(void *)p->data, p->len);
	for (size_t i = 0; i < p->len; i++)
		if (g_array_index(p, double, i) >= ALPHA)
			not_shown++;
	for (size_t i = 0; i < loads->len; i++) {
		const AnalysisLoad *load = loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			AnalysisContrast *contrast = load->contrasts->pdata[j];
			contrast->p_holm = g_array_index(p, double, next++);
			set_one(contrast, load->metric, margin_percent, family,
			    not_shown);
		}
	}
	return family;
}
