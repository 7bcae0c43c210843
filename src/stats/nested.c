#include "stats/nested.h"

#include <math.h>

#include "stats/groups.h"

Components
stats_components(
    const double *const *units, const size_t *lengths, size_t n_units)
{
	const Anova anova = stats_anova(units, lengths, n_units);
	double total = 0, squares = 0;

	for (size_t i = 0; i < n_units; i++) {
		total += (double)lengths[i];
		squares += (double)lengths[i] * (double)lengths[i];
	}
	if (!(anova.df_between >= 1) || !(anova.df_within >= 1) ||
	    isnan(anova.between) || isnan(anova.within))
		return (Components){ NAN, NAN, NAN, false };
	const double runs = (total - squares / total) / anova.df_between;
	const double within = anova.within / anova.df_within;
	const double between =
	    (anova.between / anova.df_between - within) / runs;
	const double kept = fmax(between, 0);
	return (
	    Components){ within, kept, kept / (kept + within), between < 0 };
}

double
stats_best_runs(const Components *components, double cost_unit, double cost_run)
{
	if (!(cost_unit >= 0) || !(cost_run > 0))
		return NAN;
	return sqrt(
	    cost_unit / cost_run * components->within / components->between);
}
