#include "analysis/verdict.h"

#include <math.h>
#include <string.h>

#include "analysis/wording.h"
#include "stats/power.h"

#define POWER .8

/* What a verdict is judged by. */
typedef struct {
	double alpha;  /* of one that is wrong: .05 */
	double margin; /* per cent */
	size_t family, not_shown;
} Standard;

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
		return "no difference shown";
	case VERDICT_TOO_FEW:
		return "not enough data";
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

	return !contrast->raw && margin < 100 &&
	    contrast->estimate - half > -limit &&
	    contrast->estimate + half < limit;
}

static void
say_difference(AnalysisContrast *contrast, const DataMetric *metric,
    const Standard *standard)
{
	const bool more = contrast->estimate > 0;

	contrast->verdict =
	    more == metric->higher_is_better ? VERDICT_FASTER : VERDICT_SLOWER;
	if (is_within(contrast, 1 - standard->alpha, standard->margin)) {
		g_autofree char *text = wording_short(standard->margin);
		contrast->remark =
		    g_strdup_printf("but under the margin of %s %%", text);
	}
}

/*
 * By Holm's rule the least p of those not shown would have had to be below
 * alpha / not_shown: that is the level an effect had to be seen at.  An
 * equivalence within the margin is two one-sided tests at alpha.
 */
static void
say_none(AnalysisContrast *contrast, const Standard *standard)
{
	contrast->verdict = VERDICT_NONE_SHOWN;
	if (contrast->p < standard->alpha) {
		g_autofree char *p = wording_p(contrast->p_holm);
		contrast->remark =
		    g_strdup_printf("its interval alone leaves out 0, but one "
				    "of %zu contrasts may do that by chance "
				    "(adjusted p %s)",
			standard->family, p);
	} else if (is_within(
		       contrast, 1 - 2 * standard->alpha, standard->margin)) {
		contrast->verdict = VERDICT_EQUIVALENT;
		return;
	}
	const double least =
	    stats_detectable_difference(contrast->se, contrast->df,
		1 - standard->alpha / (double)standard->not_shown, POWER);
	contrast->detectable = contrast->raw ? least : 100 * expm1(least);
}

static void
set_one(AnalysisContrast *contrast, const DataMetric *metric,
    const Standard *standard)
{
	if (isnan(contrast->p))
		contrast->verdict = VERDICT_TOO_FEW;
	else if (contrast->p_holm < standard->alpha)
		say_difference(contrast, metric, standard);
	else
		say_none(contrast, standard);
}

size_t
verdicts_set(GPtrArray *loads, double margin_percent, double level)
{
	g_autoptr(GArray) p = g_array_new(FALSE, FALSE, sizeof(double));
	Standard standard = { .alpha = 1 - level, .margin = margin_percent };
	size_t next = 0;

	for (size_t i = 0; i < loads->len; i++) {
		const AnalysisLoad *load = loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			const AnalysisContrast *contrast =
			    load->contrasts->pdata[j];
			g_array_append_val(p, contrast->p);
			if (!isnan(contrast->p))
				standard.family++;
		}
	}
	stats_holm((double *)(void *)p->data, p->len);
	for (size_t i = 0; i < p->len; i++)
		if (g_array_index(p, double, i) >= standard.alpha)
			standard.not_shown++;
	for (size_t i = 0; i < loads->len; i++) {
		const AnalysisLoad *load = loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			AnalysisContrast *contrast = load->contrasts->pdata[j];
			contrast->p_holm = g_array_index(p, double, next++);
			set_one(contrast, load->metric, &standard);
		}
	}
	return standard.family;
}
