#include "abload/script.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "abload/script_work.h"
#include "base/error.h"
#include "base/text.h"

static bool
is_overridden(const Options *options, const SmackStatement *statement)
{
	if (statement->client == NULL)
		return false;
	if (strcmp(statement->name, "create_threads") == 0)
		return options->clients > 0;
	return strcmp(statement->name, "set_num_rounds") == 0 &&
	    (options->rounds > 0 || options->duration_ms > 0);
}

static bool
check_terms(
    const Options *options, const SmackExpression *expression, GError **error)
{
	const guint given = g_strv_length(options->arguments);

	for (guint i = 0; i < expression->len; i++) {
		const SmackTerm *term = g_ptr_array_index(expression, i);
		if (term->kind != SMACK_ARGUMENT || term->argument <= given)
			continue;
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s:%d:%d: argument $%u is wanted, and %u were given "
		    "behind the file",
		    options->file, term->place.line, term->place.column,
		    term->argument, given);
		return false;
	}
	return true;
}

bool
script_check(const Smack *smack, const Options *options, GError **error)
{
	for (guint i = 0; i < smack->statements->len; i++) {
		const SmackStatement *statement =
		    g_ptr_array_index(smack->statements, i);
		if (is_overridden(options, statement))
			continue;
		for (guint k = 0; k < statement->arguments->len; k++)
			if (!check_terms(options,
				g_ptr_array_index(statement->arguments, k),
				error))
				return false;
	}
	return true;
}

static char *
argument(const Kind *kind, const SmackStatement *statement, guint i)
{
	return script_evaluate(
	    kind, g_ptr_array_index(statement->arguments, i));
}

/* A count that the command line or the script gives; 0: the bench knows. */
static uint64_t
read_count(const Kind *kind, const SmackStatement *statement, uint64_t override,
    int64_t most)
{
	int64_t value = 0;

	if (override > 0)
		return override;
	g_autofree char *text = argument(kind, statement, 0);
	if (!text_parse_int(text, 1, most, &value, NULL))
		bench_stop(kind->bench, BENCH_USAGE,
		    "%s:%d:%d: %s wants a number from 1 to %" G_GINT64_FORMAT
		    ", not \"%s\"",
		    kind->bench->options->file, statement->place.line,
		    statement->place.column, statement->name, most, text);
	return (uint64_t)value;
}

/* No query comes of a name that the file does not have. */
static bool
save_result(const Kind *kind, const SmackStatement *statement)
{
	g_autofree char *name = argument(kind, statement, 0);
	g_autofree char *to = argument(kind, statement, 1);
	const SmackQuery *query = smack_query(kind->bench->smack, name);
	g_autoptr(GError) error = NULL;

	if (query == NULL) {
		bench_stop(kind->bench, BENCH_USAGE,
		    "%s:%d:%d: there is no query \"%s\" in this file",
		    kind->bench->options->file, statement->place.line,
		    statement->place.column, name);
		return false;
	}
	if (script_save(&kind->crew->login, query->text, to, &error))
		return true;
	bench_stop(kind->bench, BENCH_ABORTED, "%s", error->message);
	return false;
}

static bool
pause_for(const Kind *kind, const SmackStatement *statement)
{
	enum { LONGEST = 86400 };
	g_autofree char *seconds = argument(kind, statement, 0);
	g_autofree char *rest = argument(kind, statement, 1);
	int64_t s = 0;
	int64_t ms = 0;

	if (!text_parse_int(seconds, 0, LONGEST, &s, NULL) ||
	    !text_parse_int(rest, 0, LONGEST, &ms, NULL)) {
		bench_stop(kind->bench, BENCH_USAGE,
		    "%s:%d:%d: sleep wants seconds and milliseconds, not "
		    "\"%s\" and \"%s\"",
		    kind->bench->options->file, statement->place.line,
		    statement->place.column, seconds, rest);
		return false;
	}
	const uint64_t until =
	    bench_now_ns() + ((uint64_t)s * 1000 + (uint64_t)ms) * 1000000;
	while (!bench_is_stopped(kind->bench) && bench_now_ns() < until) {
		const struct timespec step = { .tv_nsec = 10000000 };
		(void)nanosleep(&step, NULL);
	}
	return !bench_is_stopped(kind->bench);
}

static bool
create(const Kind *kind, const SmackStatement *statement)
{
	enum { MOST_CLIENTS = 100000 };
	const uint64_t n = read_count(
	    kind, statement, kind->bench->options->clients, MOST_CLIENTS);

	return n > 0 && crew_create(kind->crew, n);
}

static bool
carry_out(Kind *kind, const SmackStatement *statement)
{
	const Options *options = kind->bench->options;
	const char *name = statement->name;
	Crew *crew = kind->crew;

	if (strcmp(name, "create_threads") == 0)
		return create(kind, statement);
	/* Without threads there is one client, as in the original. */
	if (strcmp(name, "connect") == 0 && crew->n == 0 &&
	    !crew_create(crew, 1))
		return false;
	if (strcmp(name, "set_num_rounds") == 0) {
		crew->rounds = read_count(kind, statement,
		    options->duration_ms > 0 ? 1 : options->rounds, INT64_MAX);
		return crew->rounds > 0;
	}
	if (strcmp(name, "connect") == 0)
		return crew_connect(crew);
	if (strcmp(name, "unload_query_barrel") == 0)
		return crew_unload(crew);
	if (strcmp(name, "collect_threads") == 0)
		return crew_collect(crew);
	if (strcmp(name, "disconnect") == 0)
		return crew_disconnect(crew);
	if (strcmp(name, "sleep") == 0)
		return pause_for(kind, statement);
	if (strcmp(name, "run_save_result") == 0)
		return save_result(kind, statement);
	if (strcmp(name, "query") == 0) {
		g_autofree char *sql = argument(kind, statement, 0);
		return crew_say(crew, sql);
	}
	if (strcmp(name, "print") == 0) {
		g_autofree char *text = argument(kind, statement, 0);
		(void)printf("%s\n", text);
	}
	return true;
}

static void
assign(Kind *kind, const SmackStatement *statement)
{
	g_hash_table_replace(kind->variables, g_strdup(statement->name),
	    argument(kind, statement, 0));
}

static void *
kind_main(void *argument)
{
	Kind *kind = argument;
	const GPtrArray *statements = kind->bench->smack->statements;

	connection_thread_init();
	for (guint i = 0; i < statements->len; i++) {
		const SmackStatement *statement =
		    g_ptr_array_index(statements, i);
		if (statement->client == NULL)
			assign(kind, statement);
		else if (statement->client == kind->crew->of &&
		    !carry_out(kind, statement))
			break;
	}
	/* A script may end without gathering what it let loose. */
	if (kind->crew->unloading)
		(void)crew_collect(kind->crew);
	connection_thread_end();
	return NULL;
}

static void
free_crew(gpointer crew)
{
	crew_free(crew);
}

static bool
unloads(const Smack *smack, const SmackClient *client)
{
	for (guint i = 0; i < smack->statements->len; i++) {
		const SmackStatement *statement =
		    g_ptr_array_index(smack->statements, i);
		if (statement->client == client &&
		    strcmp(statement->name, "unload_query_barrel") == 0)
			return true;
	}
	return false;
}

static GArray *
make_kinds(Bench *bench, GPtrArray *crews)
{
	const Smack *smack = bench->smack;
	GArray *kinds = g_array_new(FALSE, TRUE, sizeof(Kind));

	for (guint i = 0; i < smack->statements->len; i++) {
		const SmackStatement *statement =
		    g_ptr_array_index(smack->statements, i);
		if (statement->client == NULL ||
		    strcmp(statement->name, "init") != 0)
			continue;
		const Kind kind = { .bench = bench,
			.crew = crew_new(bench, statement->client),
			.variables = g_hash_table_new_full(
			    g_str_hash, g_str_equal, g_free, g_free) };
		bench->awaited += unloads(smack, statement->client) ? 1 : 0;
		g_ptr_array_add(crews, kind.crew);
		g_array_append_val(kinds, kind);
	}
	return kinds;
}

/* Waits for a kind's thread, and breaks everybody's wait once stopped. */
static void
join(Bench *bench, const Kind *kind, const GPtrArray *crews, Series *series)
{
	bool broken = false;

	for (;;) {
		struct timespec until;
		(void)clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 20000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_sec++;
			until.tv_nsec -= 1000000000;
		}
		if (pthread_timedjoin_np(kind->thread, NULL, &until) == 0)
			return;
		if (cancel_level(bench->cancel) > 0)
			bench_stop(bench, BENCH_ABORTED, "ended by a signal");
		series_look(series, bench, crews);
		if (!bench_is_stopped(bench) || broken)
			continue;
		broken = true;
		for (guint i = 0; i < crews->len; i++)
			crew_break(g_ptr_array_index(crews, i));
	}
}

GPtrArray *
script_run(Bench *bench, Series *series)
{
	GPtrArray *crews = g_ptr_array_new_with_free_func(free_crew);
	g_autoptr(GArray) kinds = make_kinds(bench, crews);

	for (guint i = 0; i < kinds->len; i++) {
		Kind *kind = &g_array_index(kinds, Kind, i);
		const int status =
		    pthread_create(&kind->thread, NULL, kind_main, kind);
		if (status != 0)
			g_error("no thread: %s", g_strerror(status));
	}
	for (guint i = 0; i < kinds->len; i++) {
		const Kind *kind = &g_array_index(kinds, Kind, i);
		join(bench, kind, crews, series);
		g_hash_table_unref(kind->variables);
	}
	return crews;
}
