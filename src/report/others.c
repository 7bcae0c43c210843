#include "report/others.h"

#include "analysis/wording.h"

char *
others_report(const Analysis *analysis)
{
	const Others *others = &analysis->others;
	g_autofree char *limit = wording_short(analysis->data->others_percent);
	g_autofree char *mean = wording_number(others->mean, 1);
	g_autofree char *most = wording_number(others->most, 1);
	g_autoptr(GString) text = g_string_new(NULL);

	if (analysis->runs == 0)
		return g_strdup("");
	if (others->watched == 0)
		g_string_append(
		    text, " What else ran there meanwhile was not watched.");
	else
		g_string_append_printf(text,
		    " Other programs used %s %% of the CPU time in the mean "
		    "run and %s %% at most; more than %s %% flags a run.",
		    mean, most, limit);
	if (others->watched > 0 && others->watched < others->runs)
		g_string_append_printf(text,
		    " That is known of %zu of %zu runs.", others->watched,
		    others->runs);
	if (others->gated > 0)
		g_string_append_printf(text,
		    " Before the loads the host was quiet in %zu of %zu "
		    "visits.",
		    others->quiet, others->gated);
	return g_string_free(g_steal_pointer(&text), FALSE);
}
