#include "analysis/hazards.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

/* How a counter of the verb watch tells of a disturbance. */
typedef enum {
	CHANGE_MORE, /* it has grown by limit or more */
	CHANGE_PART, /* by more than limit of what cpu_ticks has grown by */
	CHANGE_WORD, /* it is another */
	CHANGE_SET,  /* a clock that has not gone on like uptime_ms */
} Change;

/* Set by hand or by ntpd: more than it is slewed, in ms and as a part. */
static const double step_ms = 500, slew = .001;

static const struct {
	const char *key;
	Change change;
	double limit;
	const char *sentence;
} rules[] = {
	{ "throttled_core", CHANGE_MORE, 1,
	    "the CPU was throttled for heat or power" },
	{ "throttled_package", CHANGE_MORE, 1,
	    "the CPU was throttled for heat or power" },
	/* Pages: a megabyte is no accident. */
	{ "swapped_in", CHANGE_MORE, 256, "memory was swapped" },
	{ "swapped_out", CHANGE_MORE, 256, "memory was swapped" },
	{ "oom_kills", CHANGE_MORE, 1,
	    "a process was killed for want of memory" },
	{ "stolen_ticks", CHANGE_PART, .01,
	    "the hypervisor took more than 1 % of the CPU time" },
	{ "time_ms", CHANGE_SET, 0, "the clock was set" },
	{ "clocksource", CHANGE_WORD, 0, "the clock source changed" },
	{ "governor", CHANGE_WORD, 0, "the frequency governor changed" },
	{ "sched_ext", CHANGE_WORD, 0, "the CPU scheduler changed" },
};

/* How far a counter has gone; NAN when it is not told twice. */
static double
growth(GHashTable *before, GHashTable *after, const char *key)
{
	const char *from = g_hash_table_lookup(before, key);
	const char *to = g_hash_table_lookup(after, key);
	double first = NAN, last = NAN;

	if (from == NULL || to == NULL ||
	    !text_parse_double(from, &first, NULL) ||
	    !text_parse_double(to, &last, NULL))
		return NAN;
	return last - first;
}

static bool
holds(size_t rule, GHashTable *before, GHashTable *after)
{
	const char *key = rules[rule].key;
	const double grown = growth(before, after, key);

	switch (rules[rule].change) {
	case CHANGE_MORE:
		return grown >= rules[rule].limit;
	case CHANGE_PART:
		return grown >
		    rules[rule].limit * growth(before, after, "cpu_ticks");
	case CHANGE_SET: {
		const double uptime = growth(before, after, "uptime_ms");
		return fabs(grown - uptime) > step_ms + slew * uptime;
	}
	case CHANGE_WORD: {
		const char *from = g_hash_table_lookup(before, key);
		const char *to = g_hash_table_lookup(after, key);
		return from != NULL && to != NULL && strcmp(from, to) != 0;
	}
	}
	g_assert_not_reached();
}

void
hazards_of_visit(GHashTable *before, GHashTable *after, GPtrArray *found)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (holds(i, before, after) &&
		    !g_ptr_array_find_with_equal_func(
			found, rules[i].sentence, g_str_equal, NULL))
			g_ptr_array_add(found, (gpointer)rules[i].sentence);
}
