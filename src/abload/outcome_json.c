#include "abload/outcome.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "abload/figures.h"

/* A number, or null where there is none. */
static json_t *
number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void
put(json_t *object, const char *key, json_t *value)
{
	(void)json_object_set_new(object, key, value);
}

static void
put_text(json_t *object, const char *key, const char *text)
{
	json_t *value = text == NULL ? NULL : json_string(text);

	put(object, key, value == NULL ? json_null() : value);
}

static void
put_count(json_t *object, const char *key, uint64_t value)
{
	put(object, key, json_integer((json_int_t)value));
}

static json_t *
arguments(const Options *options)
{
	json_t *list = json_array();

	for (char **word = options->arguments; *word != NULL; word++)
		(void)json_array_append_new(list, json_string(*word));
	return list;
}

static json_t *
settings(const Options *options)
{
	json_t *object = json_object();

	g_autofree char *seed =
	    g_strdup_printf("%" G_GUINT64_FORMAT, options->seed);
	put_text(object, "file", options->file);
	put(object, "arguments", arguments(options));
	put_text(object, "seed", seed);
	put_text(object, "protocol", options->prepared ? "prepared" : "text");
	put_text(object, "loop", options->rate > 0 ? "open" : "closed");
	if (options->rate > 0) {
		put(object, "rate", number(options->rate));
		put_text(object, "arrival",
		    options->poisson ? "poisson" : "uniform");
	}
	put(object, "duration_s", number((double)options->duration_ms / 1e3));
	put(object, "warmup_s", number((double)options->warmup_ms / 1e3));
	put_count(object, "warmup_rounds", options->warmup_rounds);
	put(object, "interval_s", number((double)options->interval_ms / 1e3));
	put(object, "timeout_s", json_integer(options->login.timeout_s));
	put(object, "retries", json_integer(options->retries));
	put_text(object, "engine", options->engine);
	put(object, "allow_misses", json_boolean(options->allow_misses));
	put(object, "compat_bugs",
	    json_boolean(options->level == SMACK_COMPAT));
	return object;
}

static void
put_latency(
    json_t *object, const Crew *crew, size_t type, const Figures *figures)
{
	static const struct {
		const char *key;
		double share;
	} quantiles[] = { { "p50_us", .5 }, { "p90_us", .9 }, { "p95_us", .95 },
		{ "p99_us", .99 }, { "p999_us", .999 } };
	g_autofree Histogram *all = g_new0(Histogram, 1);
	const double n = (double)figures->queries;
	const double mean = n > 0 ? figures->sum_ns / n : NAN;
	const double variance =
	    n > 1 ? (figures->squares - n * mean * mean) / (n - 1) : NAN;

	for (size_t i = 0; i < crew->n; i++)
		histogram_merge(all, crew->clients[i].tallies[type].latency);
	put(object, "mean_us", number(mean / 1e3));
	put(object, "sd_us", number(sqrt(fmax(0, variance)) / 1e3));
	put(object, "min_us", number(n > 0 ? figures->min_ns / 1e3 : NAN));
	for (size_t i = 0; i < G_N_ELEMENTS(quantiles); i++)
		put(object, quantiles[i].key,
		    number(fmin(histogram_quantile(all, quantiles[i].share),
			       figures->max_ns) /
			1e3));
	put(object, "max_us", number(n > 0 ? figures->max_ns / 1e3 : NAN));
}

static json_t *
type_object(const Crew *crew, size_t type)
{
	const Figures figures = figures_of(crew, type);
	const double window = figures_window_seconds(crew);
	const double smack = figures_smack_seconds(crew);
	json_t *object = json_object();

	put_text(object, "type", g_ptr_array_index(crew->types, type));
	put_count(object, "queries", figures.queries);
	put_count(object, "rows", figures.rows);
	put_count(object, "misses", figures.misses);
	put(object, "q_per_s", number((double)figures.queries / window));
	put(object, "smack_q_per_s", number((double)figures.queries / smack));
	put_latency(object, crew, type, &figures);
	return object;
}

/* Errors of all clients by number, and what only totals tell. */
static json_t *
errors_of(const Crew *crew)
{
	json_t *list = json_array();

	for (size_t i = 0; i < crew->n; i++)
		for (guint k = 0; k < crew->clients[i].errors->len; k++) {
			const ClientError *error = &g_array_index(
			    crew->clients[i].errors, ClientError, k);
			json_t *object = json_object();
			put_count(object, "client", i + 1);
			put_count(object, "number", error->number);
			put_count(object, "times", error->times);
			put_text(object, "message", error->message);
			(void)json_array_append_new(list, object);
		}
	return list;
}

static char *
digest_of(const Crew *crew)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (size_t i = 0; i < crew->n; i++) {
		char text[2 + 16 + 1];
		(void)g_snprintf(text, sizeof text,
		    "%016" G_GINT64_MODIFIER "x ", crew->clients[i].digest);
		g_checksum_update(sum, (const guchar *)text, -1);
	}
	char *digest = g_strdup(g_checksum_get_string(sum));
	g_checksum_free(sum);
	return digest;
}

static json_t *
crew_object(const Crew *crew)
{
	const Connects connects = figures_connects(crew);
	const double window = figures_window_seconds(crew);
	json_t *object = json_object();
	json_t *types = json_array();
	uint64_t queries = 0;
	uint64_t retries = 0;
	uint64_t behind = 0;

	for (guint i = 0; i < crew->types->len; i++) {
		queries += figures_of(crew, i).queries;
		(void)json_array_append_new(types, type_object(crew, i));
	}
	for (size_t i = 0; i < crew->n; i++) {
		retries += crew->clients[i].retries;
		behind = MAX(behind, crew->clients[i].behind_ns);
	}
	g_autofree char *digest = digest_of(crew);
	put_text(object, "client", crew->of->name);
	put_count(object, "clients", crew->n);
	put_count(object, "connected", connects.n);
	put_count(object, "rounds", crew->unloads);
	put(object, "connect_mean_ms", number(connects.mean_us / 1e3));
	put(object, "connect_max_ms", number((double)connects.most_us / 1e3));
	put(object, "window_s", number(window));
	put(object, "smack_window_s", number(figures_smack_seconds(crew)));
	put_count(object, "queries", queries);
	put(object, "q_per_s", number((double)queries / window));
	put_count(object, "retries", retries);
	put(object, "behind_max_ms", number((double)behind / 1e6));
	put_text(object, "digest", digest);
	put(object, "types", types);
	put(object, "errors", errors_of(crew));
	return object;
}

static double
seconds(int64_t from, int64_t to)
{
	return from < 0 || to < 0 ? NAN : (double)(to - from) / 1e9;
}

/* Over the window of all kinds together. */
static json_t *
cpu_object(const Outcome *outcome, uint64_t queries)
{
	const Cpu *from = &outcome->bench->began_cpu;
	const Cpu *to = NULL;
	uint64_t joined = 0;
	json_t *object = json_object();

	for (guint i = 0; i < outcome->crews->len; i++) {
		const Crew *crew = g_ptr_array_index(outcome->crews, i);
		if (!crew->measured || crew->joined_ns < joined)
			continue;
		joined = crew->joined_ns;
		to = &crew->ended_cpu;
	}
	if (to == NULL)
		return object;
	const double own = seconds(from->own_ns, to->own_ns);
	const double server = seconds(from->server_ns, to->server_ns);
	const double busy = seconds(from->busy_ns, to->busy_ns);
	const double all = (double)(joined - outcome->bench->began_ns) / 1e9 *
	    (double)to->cpus;
	put(object, "client_s", number(own));
	put(object, "client_us_per_query", number(own * 1e6 / (double)queries));
	put(object, "server_s", number(server));
	put(object, "server_us_per_query",
	    number(server * 1e6 / (double)queries));
	put(object, "host_busy_s", number(busy));
	/* Only where the server is here is the rest the others'. */
	const double others = busy - own - server;
	put(object, "others_percent",
	    number(others < 0 ? 0 : others / all * 100));
	put_count(
	    object, "switches", (uint64_t)(to->switches - from->switches));
	put_count(object, "cpus", (uint64_t)to->cpus);
	return object;
}

static json_t *
series_array(const Series *series)
{
	const GArray *rows = series_rows(series);
	json_t *list = json_array();

	for (guint i = 0; i < rows->len; i++) {
		const SeriesRow *row = &g_array_index(rows, SeriesRow, i);
		json_t *object = json_object();
		put(object, "from_s", number(row->from_s));
		put(object, "to_s", number(row->to_s));
		put_count(object, "queries", row->queries);
		put(object, "q_per_s",
		    number((double)row->queries / (row->to_s - row->from_s)));
		put(object, "p50_us", number(row->p50_us));
		put(object, "p99_us", number(row->p99_us));
		put(object, "client_cpu_share", number(row->own_share));
		put(object, "others_cpu_share", number(row->others_share));
		(void)json_array_append_new(list, object);
	}
	return list;
}

static json_t *
texts(const GPtrArray *strings)
{
	json_t *list = json_array();

	for (guint i = 0; i < strings->len; i++)
		(void)json_array_append_new(
		    list, json_string(g_ptr_array_index(strings, i)));
	return list;
}

static const char *
server_of(const GPtrArray *crews)
{
	for (guint i = 0; i < crews->len; i++) {
		const Crew *crew = g_ptr_array_index(crews, i);
		if (crew->n > 0 && crew->clients[0].server != NULL)
			return crew->clients[0].server;
	}
	return NULL;
}

char *
outcome_json(const Outcome *outcome)
{
	const Bench *bench = outcome->bench;
	json_t *root = json_object();
	json_t *crews = json_array();
	uint64_t queries = 0;
	double longest = 0;

	for (guint i = 0; i < outcome->crews->len; i++) {
		const Crew *crew = g_ptr_array_index(outcome->crews, i);
		if (!crew->measured)
			continue;
		for (guint k = 0; k < crew->types->len; k++)
			queries += figures_of(crew, k).queries;
		longest = fmax(longest, figures_window_seconds(crew));
		(void)json_array_append_new(crews, crew_object(crew));
	}
	g_autofree char *library = connection_library_version();
	put_count(root, "schema", 1);
	put_text(root, "abload", VERSION);
	put_text(root, "library", library);
	put_text(root, "server", server_of(outcome->crews));
	put(root, "valid", json_boolean(bench->reason == NULL));
	put_text(root, "reason", bench->reason);
	put_text(root, "script_sha256", outcome->script_sha256);
	put(root, "settings", settings(bench->options));
	put_count(root, "total_queries", queries);
	put(root, "total_q_per_s", number((double)queries / longest));
	put(root, "window_s", number(longest));
	put(root, "kinds", crews);
	put(root, "cpu", cpu_object(outcome, queries));
	put(root, "intervals", series_array(outcome->series));
	put(root, "warnings", texts(outcome->warnings));
	char *dumped =
	    json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	char *text = g_strdup(dumped);
	free(dumped);
	json_decref(root);
	return text;
}
