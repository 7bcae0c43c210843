#include "abload/bench.h"

#include <time.h>

#include "abload/table_data.h"
#include "base/text.h"

/* A query of the script, and what the server said of it. */
enum { REASON_BYTES = 2000 };

uint64_t
bench_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
free_words(gpointer words)
{
	words_free(words);
}

static void
free_query(gpointer query)
{
	query_free(query);
}

void
bench_init(Bench *bench, const Options *options, const Smack *smack,
    const Cancel *cancel)
{
	*bench = (Bench){ .options = options,
		.smack = smack,
		.cancel = cancel,
		.words = g_ptr_array_new_with_free_func(free_words),
		.queries = g_ptr_array_new_with_free_func(free_query) };
	(void)pthread_mutex_init(&bench->lock, NULL);
	(void)pthread_cond_init(&bench->opened, NULL);
}

void
bench_clear(Bench *bench)
{
	g_ptr_array_unref(bench->words);
	g_ptr_array_unref(bench->queries);
	g_free(bench->reason);
	(void)pthread_cond_destroy(&bench->opened);
	(void)pthread_mutex_destroy(&bench->lock);
}

static Words *
words_of(const Bench *bench, const SmackDictionary *dictionary, GError **error)
{
	const Options *options = bench->options;
	const bool compat = options->level == SMACK_COMPAT;
	size_t length = 0;

	g_autofree char *text = dictionary->kind == SMACK_FILE
	    ? table_data_of(bench->smack, options, dictionary, &length)
	    : NULL;
	if (text == NULL)
		return words_new(dictionary, options->datadir, compat, error);
	Words *words = words_from_text(dictionary, text, length, compat, error);
	if (words == NULL)
		g_prefix_error(error, "dictionary \"%s\": ", dictionary->name);
	return words;
}

static Words *
read_words(
    const Bench *bench, const SmackDictionary *dictionary, GError **error)
{
	Words *words = words_of(bench, dictionary, error);

	if (words == NULL)
		g_prefix_error(error, "%s:%d:%d: ", bench->smack->file,
		    dictionary->place.line, dictionary->place.column);
	return words;
}

bool
bench_make_ready(Bench *bench, GPtrArray *warnings, GError **error)
{
	const Smack *smack = bench->smack;

	for (guint i = 0; i < smack->dictionaries->len; i++) {
		Words *words = read_words(
		    bench, g_ptr_array_index(smack->dictionaries, i), error);
		if (words == NULL)
			return false;
		g_ptr_array_add(bench->words, words);
	}
	for (guint i = 0; i < smack->queries->len; i++) {
		g_autofree char *why = NULL;
		Query *query = query_new(g_ptr_array_index(smack->queries, i),
		    smack, bench->words, bench->options->level == SMACK_COMPAT,
		    &why, error);
		if (query == NULL)
			return false;
		g_ptr_array_add(bench->queries, query);
		if (why != NULL && bench->options->prepared)
			g_ptr_array_add(warnings, g_steal_pointer(&why));
	}
	return true;
}

const Query *
bench_query(const Bench *bench, const SmackQuery *of)
{
	return g_ptr_array_index(bench->queries, of->index);
}

void
bench_stop(Bench *bench, BenchEnd end, const char *format, ...)
{
	va_list arguments;

	(void)pthread_mutex_lock(&bench->lock);
	if (bench->reason == NULL) {
		va_start(arguments, format);
		g_autofree char *reason = g_strdup_vprintf(format, arguments);
		va_end(arguments);
		/* It quotes the script and the server. */
		bench->reason = text_printable(reason, REASON_BYTES);
		bench->end = end;
	}
	__atomic_store_n(&bench->stopped, 1, __ATOMIC_RELAXED);
	(void)pthread_cond_broadcast(&bench->opened);
	(void)pthread_mutex_unlock(&bench->lock);
}

uint64_t
bench_gate(Bench *bench, int64_t peer)
{
	(void)pthread_mutex_lock(&bench->lock);
	if (bench->peer == 0)
		bench->peer = peer;
	if (bench->awaited > 0 && --bench->awaited == 0) {
		bench->began_cpu = cpu_now(bench->peer);
		bench->began_ns = bench_now_ns();
		(void)pthread_cond_broadcast(&bench->opened);
	}
	while (bench->began_ns == 0 && !bench_is_stopped(bench))
		(void)pthread_cond_wait(&bench->opened, &bench->lock);
	const uint64_t began = bench_is_stopped(bench) ? 0 : bench->began_ns;
	(void)pthread_mutex_unlock(&bench->lock);
	return began;
}
