#include "analysis/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/wording.h"

/* With as many first rounds an interval of 95 % keeps 95 %. */
enum { MANY_FIRST = 10, HOURS = 24 };

#define LEVEL .95
#define LEVEL_OF_FEW .97

static size_t
count_of(const StoreData *data, const char *key)
{
	const char *value = store_data_fact(data, key);

	return value == NULL ? 0 : (size_t)g_ascii_strtoull(value, NULL, 10);
}

bool
stop_width(const StoreData *data, StopWidth *rule)
{
	const char *halfwidth = store_data_fact(data, STOP_FACT_HALFWIDTH);

	if (halfwidth == NULL)
		return false;
	*rule = (StopWidth){ .halfwidth = g_ascii_strtod(halfwidth, NULL),
		.first = count_of(data, STOP_FACT_FIRST),
		.most = count_of(data, STOP_FACT_MOST),
		.looks = count_of(data, STOP_FACT_LOOKS) };
	return true;
}

double
stop_level(const StoreData *data)
{
	StopWidth rule;

	return stop_width(data, &rule) && rule.first < MANY_FIRST ? LEVEL_OF_FEW
								  : LEVEL;
}

size_t
stop_next(const StopWidth *rule, size_t rounds)
{
	const size_t span = rule->most - MIN(rule->first, rule->most);

	if (rule->looks == 0)
		return MIN(rounds + 1, rule->most);
	for (size_t k = 1; k < rule->looks; k++) {
		const size_t at = rule->first + span * k / rule->looks;
		if (at > rounds)
			return at;
	}
	return rule->most;
}

/* Per cent on the wider side of a ratio; INFINITY where it is not known. */
static double
halfwidth_of(const AnalysisContrast *contrast, const StopWidth *rule)
{
	const double change = contrast->percent.estimate;

	if (contrast->raw || contrast->welch ||
	    contrast->n_rounds < rule->first || isnan(contrast->percent.high))
		return INFINITY;
	return 100 * ((100 + contrast->percent.high) / (100 + change) - 1);
}

/* Of all hosts together, or of one host's rounds alone. */
static double
widest_of(const StoreData *data, const StopWidth *rule)
{
	g_autoptr(Analysis) analysis = analysis_new(data);
	double widest = -INFINITY;

	for (guint i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		for (guint j = 0; j < load->contrasts->len; j++)
			widest = MAX(widest,
			    halfwidth_of(load->contrasts->pdata[j], rule));
	}
	return widest >= 0 ? widest : INFINITY;
}

/* The same night with the visits of one target; the rest is borrowed. */
static double
widest_alone(const StoreData *data, size_t target, const StopWidth *rule)
{
	g_autoptr(GPtrArray) visits = g_ptr_array_new();
	StoreData alone = *data;

	for (guint i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (visit->target == target)
			g_ptr_array_add(visits, visit);
	}
	alone.visits = visits;
	return widest_of(&alone, rule);
}

/* What is widest, and whose it is: SIZE_MAX for that of all together. */
typedef struct {
	double halfwidth;
	size_t target;
} Widest;

static Widest
find_widest(const StoreData *data, const bool *counts, const StopWidth *rule)
{
	Widest widest = { widest_of(data, rule), SIZE_MAX };

	for (guint i = 0; i < data->targets->len && data->targets->len > 1;
	     i++) {
		const double alone = counts == NULL || counts[i]
		    ? widest_alone(data, i, rule)
		    : -INFINITY;
		if (alone > widest.halfwidth)
			widest = (Widest){ alone, i };
	}
	return widest;
}

static char *
say_width(const StoreData *data, Widest widest)
{
	g_autofree char *number =
	    wording_number(widest.halfwidth, widest.halfwidth < 1 ? 2 : 1);
	g_autofree char *what = isinf(widest.halfwidth)
	    ? g_strdup("not known for all contrasts")
	    : g_strdup_printf("+-%s %%", number);

	if (widest.target == SIZE_MAX)
		return g_steal_pointer(&what);
	return g_strdup_printf("%s (%s by itself)", what,
	    (const char *)data->targets->pdata[widest.target]);
}

/* Its rounds are in what all together say, as in what is reported. */
static char *
say_left_out(const StoreData *data, const bool *counts)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < data->targets->len && counts != NULL; i++)
		if (!counts[i])
			g_ptr_array_add(names, data->targets->pdata[i]);
	if (names->len == 0)
		return g_strdup("");
	g_autofree char *list = wording_list(names);
	return g_strdup_printf(
	    "; %s did not count by itself, being given up", list);
}

static bool
is_decided(const StoreData *data)
{
	for (guint i = 0; i < data->events->len; i++)
		if (strcmp(((const DataEvent *)data->events->pdata[i])->kind,
			STOP_EVENT) == 0)
			return true;
	return false;
}

StopLook
stop_look(const StoreData *data, const bool *counts)
{
	StopWidth rule;

	if (!stop_width(data, &rule))
		return (StopLook){ .decision = STOP_NO_RULE };
	if (is_decided(data))
		return (StopLook){ .decision = STOP_DECIDED };
	const Widest widest = find_widest(data, counts, &rule);
	const size_t rounds = (size_t)data->rounds;
	g_autofree char *width = say_width(data, widest);
	g_autofree char *left_out = say_left_out(data, counts);
	g_autofree char *wanted = wording_short(rule.halfwidth);

	if (widest.halfwidth <= rule.halfwidth)
		return (StopLook){ STOP_NARROW, rounds,
			g_strdup_printf(
			    "after %zu rounds by width: the widest interval is "
			    "%s, wanted was +-%s %%; first looked after %zu "
			    "rounds, %zu would have been the most%s",
			    rounds, width, wanted, rule.first, rule.most,
			    left_out) };
	if (rounds >= rule.most)
		return (StopLook){ STOP_CAP, rounds,
			g_strdup_printf(
			    "after %zu rounds, the most: the widest interval "
			    "is %s, wanted was +-%s %%; first looked after "
			    "%zu rounds%s",
			    rounds, width, wanted, rule.first, left_out) };
	const size_t next = stop_next(&rule, rounds);
	return (StopLook){ STOP_GO_ON, next,
		g_strdup_printf("after %zu rounds the widest interval is %s, "
				"wanted is +-%s %%: on to round %zu%s",
		    rounds, width, wanted, next, left_out) };
}

void
stop_look_clear(StopLook *look)
{
	g_clear_pointer(&look->text, g_free);
}

int64_t
stop_time(int64_t now, const char *until)
{
	g_autoptr(GDateTime) today = g_date_time_new_from_unix_local(now);
	int64_t hour = 0, minute = 0;

	if (strlen(until) == strlen("07:00")) {
		hour = g_ascii_strtoll(until, NULL, 10);
		minute = g_ascii_strtoll(until + 3, NULL, 10);
	}
	/* A day with a change of the clock may be an hour more or less. */
	for (int day = 0; day <= 1 && today != NULL; day++) {
		g_autoptr(GDateTime) then = g_date_time_add_days(today, day);
		g_autoptr(GDateTime) at = g_date_time_new_local(
		    g_date_time_get_year(then), g_date_time_get_month(then),
		    g_date_time_get_day_of_month(then), (int)(hour % HOURS),
		    (int)(minute % 60), 0);
		if (at != NULL && g_date_time_to_unix(at) > now)
			return g_date_time_to_unix(at);
	}
	return now;
}
