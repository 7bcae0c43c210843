#include "abload/outcome.h"

#include <math.h>
#include <string.h>

#include "abload/figures.h"

static uint64_t
queries_of(const Crew *crew)
{
	uint64_t queries = 0;

	for (guint i = 0; i < crew->types->len; i++)
		queries += figures_of(crew, i).queries;
	return queries;
}

static uint64_t
shots_of(const Crew *crew)
{
	uint64_t shots = 0;

	for (guint i = 0; i < crew->shots->len; i++)
		shots += g_array_index(crew->shots, Shot, i).count;
	return shots;
}

/*
 * Whether clients fell behind.  A rate alone does not tell: of arrivals at
 * random there may be fewer, of a few queries' time the last one is a part.
 */
static bool
is_too_slow(const Crew *crew, double rate, double seconds)
{
	static const double least_share = .99;
	uint64_t due_ns = crew->began_ns;

	for (size_t i = 0; i < crew->n; i++)
		due_ns = MAX(due_ns, crew->clients[i].due_ns);
	return rate > 0 && seconds > 0 &&
	    (double)queries_of(crew) / seconds < least_share * rate &&
	    (double)(due_ns - crew->began_ns) / 1e9 < least_share * seconds;
}

static void
judge_crew(Bench *bench, const Crew *crew)
{
	const Options *options = bench->options;
	const double seconds = figures_window_seconds(crew);
	const uint64_t queries = queries_of(crew);

	for (guint i = 0; i < crew->types->len; i++) {
		const Figures figures = figures_of(crew, i);
		if (figures.misses > 0 && !options->allow_misses)
			bench_stop(bench, BENCH_MISSED,
			    "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
			    " queries of type %s found no row: the table is "
			    "not the one the words are from (--prepare makes "
			    "it anew)",
			    figures.misses, figures.queries,
			    (const char *)g_ptr_array_index(crew->types, i));
	}
	if (queries == 0)
		bench_stop(bench, BENCH_ABORTED,
		    "the clients %s have sent no query", crew->of->name);
	if (options->duration_ms == 0 &&
	    queries != crew->n * crew->unloads * shots_of(crew))
		bench_stop(bench, BENCH_ABORTED,
		    "%" G_GUINT64_FORMAT " queries of clients %s, and %zu "
		    "clients have %" G_GUINT64_FORMAT " to send",
		    queries, crew->of->name, crew->n,
		    crew->n * crew->unloads * shots_of(crew));
	if (is_too_slow(crew, options->rate, seconds))
		bench_stop(bench, BENCH_ABORTED,
		    "%.1f queries/s were sent, and the rate asked for is %.1f",
		    (double)queries / seconds, options->rate);
}

void
outcome_judge(Bench *bench, const GPtrArray *crews)
{
	for (guint i = 0; i < crews->len; i++) {
		const Crew *crew = g_ptr_array_index(crews, i);
		if (!bench_is_stopped(bench) && crew->measured)
			judge_crew(bench, crew);
	}
}

static void
append_crew(GString *text, const Crew *crew)
{
	const Connects connects = figures_connects(crew);
	const double seconds = figures_smack_seconds(crew);

	g_string_append_printf(text,
	    "Query Barrel Report for client %s\n"
	    "connect: max=%" G_GINT64_FORMAT "ms  min=%" G_GINT64_FORMAT
	    "ms avg= %" G_GINT64_FORMAT "ms from %zu clients \n"
	    "Query_type\tnum_queries\tmax_time\tmin_time\tq_per_s\n",
	    crew->of->name, connects.most_us / 1000, connects.least_us / 1000,
	    (int64_t)(connects.mean_us / 1000), connects.n);
	for (guint i = 0; i < crew->types->len; i++) {
		const Figures figures = figures_of(crew, i);
		char rate[G_ASCII_DTOSTR_BUF_SIZE] = "n/a";
		if (seconds > 0)
			(void)g_ascii_formatd(rate, sizeof rate, "%.2f",
			    (double)((float)figures.queries / (float)seconds));
		g_string_append_printf(text,
		    "%s\t%" G_GUINT64_FORMAT "\t%.0f\t%.0f\t%s\n",
		    (const char *)g_ptr_array_index(crew->types, i),
		    figures.queries, floor(figures.max_ns / 1e6),
		    floor(figures.min_ns / 1e6), rate);
	}
}

char *
outcome_table(const Outcome *outcome)
{
	g_autoptr(GString) text = g_string_new(NULL);

	/* A reader who looks at the figures alone must see it, too. */
	if (outcome->bench->reason != NULL)
		g_string_append_printf(
		    text, "INVALID: %s\n", outcome->bench->reason);
	for (guint i = 0; i < outcome->crews->len; i++) {
		const Crew *crew = g_ptr_array_index(outcome->crews, i);
		if (crew->measured)
			append_crew(text, crew);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}
