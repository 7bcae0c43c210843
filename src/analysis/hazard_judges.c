#include "analysis/hazard_judges.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

/* Below this much memory or disk a night may end early. */
enum { LITTLE_MEMORY_KB = 256 * 1024, LITTLE_SPACE_KB = 1024 * 1024 };
/* Words of trace_printk within so many seconds are the kernel's own. */
enum { OF_THE_KERNEL_S = 10 };

static double
number_of(const char *value)
{
	double number = -1;

	return value != NULL && text_parse_double(value, &number, NULL) ? number
									: -1;
}

static char *
join(GPtrArray *words)
{
	if (words->len == 0)
		return NULL;
	g_ptr_array_add(words, NULL);
	return g_strjoinv(", ", (char **)words->pdata);
}

char *
hazard_is_on(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	static const char *const off[] = { "", "0", "no", "off", "none", NULL };

	(void)seen;
	(void)words;
	return g_strv_contains(off, value) ? NULL : g_strdup(value);
}

char *
hazard_not_in(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	g_auto(GStrv) parts = g_strsplit(value, " ", -1);
	g_autoptr(GPtrArray) others = g_ptr_array_new();

	(void)seen;
	for (size_t i = 0; parts[i] != NULL; i++)
		if (*parts[i] != '\0' && !g_strv_contains(words, parts[i]))
			g_ptr_array_add(others, parts[i]);
	return join(others);
}

char *
hazard_in(const HazardFacts *seen, const char *value, const char *const *words)
{
	g_auto(GStrv) parts = g_strsplit(value, " ", -1);
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	(void)seen;
	for (size_t i = 0; parts[i] != NULL; i++)
		if (*parts[i] != '\0' && g_strv_contains(words, parts[i]))
			g_ptr_array_add(found, parts[i]);
	return join(found);
}

char *
hazard_holds(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	g_autofree char *low = g_ascii_strdown(value, -1);

	(void)seen;
	for (size_t i = 0; words[i] != NULL; i++)
		if (strstr(low, words[i]) != NULL)
			return g_strdup(value);
	return NULL;
}

/* "NAME@SECOND ...": the seconds since boot, a large number when not told. */
static guint64
second_of_mark(const char *value, const char *name)
{
	g_auto(GStrv) marks = g_strsplit(value, " ", -1);

	for (size_t i = 0; marks[i] != NULL; i++) {
		const char *at = strchr(marks[i], '@');
		if (at != NULL && (size_t)(at - marks[i]) == strlen(name) &&
		    strncmp(marks[i], name, strlen(name)) == 0)
			return g_ascii_isdigit(at[1])
			    ? g_ascii_strtoull(at + 1, NULL, 10)
			    : 0;
	}
	return G_MAXUINT64;
}

char *
hazard_says_debug(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	(void)seen;
	for (size_t i = 0; words[i] != NULL; i++)
		if (second_of_mark(value, words[i]) != G_MAXUINT64)
			return g_strdup(words[i]);
	if (second_of_mark(value, "trace_printk") < OF_THE_KERNEL_S)
		return g_strdup("trace_printk");
	return NULL;
}

/* A module's word for itself: the kernel is no debug kernel. */
char *
hazard_says_later(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	const guint64 second = second_of_mark(value, "trace_printk");

	(void)seen;
	(void)words;
	return second < OF_THE_KERNEL_S || second == G_MAXUINT64
	    ? NULL
	    : g_strdup_printf("%" G_GUINT64_FORMAT " s", second);
}

/* Bits of /proc/sys/kernel/tainted that tell of a kernel in trouble. */
char *
hazard_is_tainted(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	static const struct {
		guint64 bit;
		const char *what;
	} bits[] = {
		{ 1U << 4, "a machine check was reported" },
		{ 1U << 5, "bad memory was found" },
		{ 1U << 7, "it has had an oops" },
		{ 1U << 9, "it has printed a warning" },
		{ 1U << 14, "it has had a soft lockup" },
	};
	const guint64 taint = g_ascii_strtoull(value, NULL, 10);
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	(void)seen;
	(void)words;
	for (size_t i = 0; i < G_N_ELEMENTS(bits); i++)
		if ((taint & bits[i].bit) != 0)
			g_ptr_array_add(found, (gpointer)bits[i].what);
	return join(found);
}

static char *
kb_in_words(double kb)
{
	return kb >= 1024 ? g_strdup_printf("%.0f MB", kb / 1024)
			  : g_strdup_printf("%.0f kB", kb);
}

char *
hazard_swap_used(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	const double kb = number_of(value);

	(void)seen;
	(void)words;
	return kb > 0 ? kb_in_words(kb) : NULL;
}

/* Less than a twentieth, or than a server needs. */
char *
hazard_little_memory(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	const double all =
	    number_of(g_hash_table_lookup(seen->facts, "memory_kb"));
	const double kb = number_of(value);

	(void)words;
	return kb >= 0 && (kb < all / 20 || kb < LITTLE_MEMORY_KB)
	    ? kb_in_words(kb)
	    : NULL;
}

char *
hazard_little_space(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	const double kb = number_of(value);

	(void)seen;
	(void)words;
	return kb >= 0 && kb < LITTLE_SPACE_KB ? kb_in_words(kb) : NULL;
}

char *
hazard_many_nodes(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	const double nodes =
	    number_of(g_hash_table_lookup(seen->facts, "numa_nodes"));

	return nodes > 1 ? hazard_is_on(seen, value, words) : NULL;
}

char *
hazard_has_jobs(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	const char *jobs = g_hash_table_lookup(seen->facts, "cron_jobs");

	(void)words;
	if (*value == '\0' || number_of(jobs) < 1)
		return NULL;
	return g_strdup_printf("%s (%s lines of jobs)", value, jobs);
}

/* "mds=Vulnerable: ..." a line: the names of what is not mitigated. */
char *
hazard_not_mitigated(
    const HazardFacts *seen, const char *value, const char *const *words)
{
	g_auto(GStrv) lines = g_strsplit(value, "\n", -1);
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	(void)seen;
	(void)words;
	for (size_t i = 0; lines[i] != NULL; i++) {
		char *equals = strchr(lines[i], '=');
		if (equals == NULL ||
		    !g_str_has_prefix(equals + 1, "Vulnerable"))
			continue;
		*equals = '\0';
		g_ptr_array_add(found, lines[i]);
	}
	return join(found);
}

/* "04:56" of a time of the measurement, by the host's clock. */
static char *
time_of_day(double second)
{
	g_autoptr(GDateTime) time =
	    g_date_time_new_from_unix_utc((gint64)second);

	return time == NULL ? g_strdup("?")
			    : g_date_time_format(time, "%H:%M UTC");
}

/* "apt-daily.timer=1796086599 ...": those of that kind due in the night. */
static char *
due(const HazardFacts *seen, const char *value, const char *const *names,
    bool among)
{
	g_auto(GStrv) timers = g_strsplit(value, " ", -1);
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; timers[i] != NULL; i++) {
		char *equals = strrchr(timers[i], '=');
		if (equals == NULL)
			continue;
		*equals = '\0';
		const double second = number_of(equals + 1);
		bool known = false;
		for (size_t j = 0; names[j] != NULL; j++)
			known = known || g_str_has_prefix(timers[i], names[j]);
		if (known != among || second < seen->from || second > seen->to)
			continue;
		g_autofree char *time = time_of_day(second);
		g_ptr_array_add(
		    found, g_strdup_printf("%s at %s", timers[i], time));
	}
	return join(found);
}

char *
hazard_due_heavy(
    const HazardFacts *seen, const char *value, const char *const *names)
{
	return due(seen, value, names, true);
}

char *
hazard_due_other(
    const HazardFacts *seen, const char *value, const char *const *names)
{
	return due(seen, value, names, false);
}
