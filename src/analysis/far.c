#include "analysis/far.h"

#include <math.h>

#include "analysis/wording.h"

static double
shown(const Estimate *estimate, double value)
{
	return estimate->raw ? value : 100 * expm1(value);
}

char *
far_words(const Estimate *estimate, double alpha)
{
	const MeanTest *without = &estimate->without;
	const Interval d = without->difference;

	if (estimate->far->len == 0 || !without->valid ||
	    !estimate->test.valid ||
	    (without->p < alpha) == (estimate->test.p < alpha))
		return NULL;
	const Interval change = { shown(estimate, d.estimate),
		shown(estimate, d.low), shown(estimate, d.high) };
	const int decimals = wording_decimals(change);
	g_autofree char *rounds = wording_rounds(estimate->far);
	g_autofree char *by = wording_signed(change.estimate, decimals);
	g_autofree char *low = wording_signed(change.low, decimals);
	g_autofree char *high = wording_signed(change.high, decimals);
	return g_strdup_printf(
	    "without %s %s, far from the others, it would be %s%s (%s to %s), "
	    "which %s 0",
	    estimate->far->len == 1 ? "round" : "rounds", rounds, by,
	    estimate->raw ? "" : " %", low, high,
	    without->p < alpha ? "leaves out" : "holds");
}
