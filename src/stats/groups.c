#include "stats/groups.h"

#include <math.h>

#include <Rmath.h>
#include <glib.h>

/* Each group less the shift; n of all, or 0 where that is no analysis. */
static size_t
summarize(const double *const *groups, const size_t *lengths, size_t n_groups,
    Summary *shifted)
{
	size_t n = 0;

	for (size_t i = 0; i < n_groups; i++) {
		if (lengths[i] == 0)
			return 0;
		g_autofree double *values = g_new(double, lengths[i]);
		for (size_t j = 0; j < lengths[i]; j++)
			values[j] = groups[i][j] - groups[0][0];
		shifted[i] = stats_summary_moving(values, lengths[i]);
		if (isnan(shifted[i].mean))
			return 0;
		n += lengths[i];
	}
	return n;
}

Anova
stats_anova(const double *const *groups, const size_t *lengths, size_t n_groups)
{
	Anova anova = { NAN, NAN, NAN, NAN, NAN, NAN };
	g_autofree Summary *sets = g_new(Summary, n_groups + 1);
	const size_t n = summarize(groups, lengths, n_groups, sets);
	double sum = 0, between = 0, within = 0;

	if (n_groups < 2 || n <= n_groups)
		return anova;
	for (size_t i = 0; i < n_groups; i++)
		sum += (double)sets[i].n * sets[i].mean;
	for (size_t i = 0; i < n_groups; i++) {
		const double d = sets[i].mean - sum / (double)n;
		between += (double)sets[i].n * d * d;
		if (sets[i].n > 1)
			within +=
			    (double)(sets[i].n - 1) * sets[i].sd * sets[i].sd;
	}
	anova.between = between;
	anova.within = within;
	anova.df_between = (double)(n_groups - 1);
	anova.df_within = (double)(n - n_groups);
	if (!(within > 0))
		return anova;
	anova.f = (between / anova.df_between) / (within / anova.df_within);
	anova.p = pf(anova.f, anova.df_between, anova.df_within, FALSE, FALSE);
	return anova;
}

TukeyTest
stats_tukey(
    const Anova *anova, const Summary *base, const Summary *test, double level)
{
	TukeyTest tukey = { { test->mean - base->mean, NAN, NAN }, NAN };
	const double sets = anova->df_between + 1;

	/* ptukey() has no answer below 2 degrees of freedom. */
	if (isnan(anova->p) || anova->df_within < 2 || base->n == 0 ||
	    test->n == 0 || !(level > 0 && level < 1))
		return tukey;
	const double se = sqrt(anova->within / anova->df_within / 2 *
	    (1 / (double)base->n + 1 / (double)test->n));
	const double d = tukey.difference.estimate;
	const double half =
	    qtukey(level, 1, sets, anova->df_within, TRUE, FALSE) * se;
	tukey.difference.low = d - half;
	tukey.difference.high = d + half;
	tukey.p = ptukey(fabs(d) / se, 1, sets, anova->df_within, FALSE, FALSE);
	return tukey;
}

TukeyTest
stats_games_howell(
    const Summary *base, const Summary *test, size_t n_sets, double level)
{
	const double weights[] = { -1, 1 };
	const Summary pair[] = { *base, *test };
	const MeanTest welch = stats_contrast_of(pair, weights, 2, level);
	TukeyTest out = { { welch.difference.estimate, NAN, NAN }, NAN };

	/* ptukey() has no answer below 2 degrees of freedom. */
	if (!welch.valid || n_sets < 2 || welch.df < 2)
		return out;
	const double d = welch.difference.estimate;
	const double se = welch.se / G_SQRT2;
	const double sets = (double)n_sets;
	const double half = qtukey(level, 1, sets, welch.df, TRUE, FALSE) * se;
	out.difference.low = d - half;
	out.difference.high = d + half;
	out.p = ptukey(fabs(d) / se, 1, sets, welch.df, FALSE, FALSE);
	return out;
}
