#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "store/store.h"

enum { THREADS = 4, RUNS = 25 };

typedef struct {
	Store *store;
	size_t target;
	char *error; /* NULL when all went well */
} Writer;

/* One worker's life: a visit, its runs, raw files, facts and undo rows. */
static bool
write_visit(Writer *writer, GError **error)
{
	static const char *const metrics[] = { "tps" };
	Store *store = writer->store;
	const int64_t visit = store_visit_begin(
	    store, writer->target % 2, writer->target + 1, 0, 0, 0, 1, error);

	for (int i = 0; visit > 0 && i < RUNS; i++) {
		const double value = (double)writer->target * 1000 + i;
		g_autofree char *raw = store_raw_path(store, "run.out");
		const StoreRun run = { .visit = visit,
			.number = i + 1,
			.good = true,
			.raw = raw,
			.n_samples = 1,
			.metrics = metrics,
			.values = &value };
		if (store_run(store, &run, error) == 0 ||
		    !store_fact(store, "visit", visit, "last", raw, error))
			return false;
		g_autoptr(GHashTable) done = store_done(store, error);
		if (done == NULL)
			return false;
	}
	return visit > 0 &&
	    store_visit_end(
		store, visit, VISIT_VALID, FAILURE_NONE, NULL, error);
}

static void *
writer_main(void *argument)
{
	Writer *writer = argument;
	GError *error = NULL;

	if (!write_visit(writer, &error))
		writer->error = g_strdup(error->message);
	g_clear_error(&error);
	return NULL;
}

static void
threads_write_at_once_and_lose_nothing(void **state)
{
	g_autoptr(Store) store = create_store(state);
	Writer writers[THREADS] = { 0 };
	pthread_t threads[THREADS];

	for (size_t i = 0; i < THREADS; i++) {
		writers[i] = (Writer){ .store = store, .target = i };
		assert_int_equal(
		    pthread_create(&threads[i], NULL, writer_main, &writers[i]),
		    0);
	}
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	for (size_t i = 0; i < THREADS; i++)
		if (writers[i].error != NULL)
			fail_msg("%s", writers[i].error);

	g_autoptr(StoreData) data = store_read(store, NULL);
	assert_int_equal(data->visits->len, THREADS);
	assert_int_equal(data->runs->len, THREADS * RUNS);
	assert_int_equal(data->samples->len, THREADS * RUNS);
	assert_int_equal(data->facts->len, THREADS);
	/* Each sample is of the run of its own thread and number. */
	for (guint i = 0; i < data->samples->len; i++) {
		const DataSample *sample = data->samples->pdata[i];
		const DataRun *run = data->runs->pdata[sample->run - 1];
		const DataVisit *visit = data->visits->pdata[run->visit - 1];
		assert_true(sample->value ==
		    (double)(visit->round - 1) * 1000 + run->number - 1);
	}
	/* No two were given one raw file. */
	g_autoptr(GHashTable) files = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		assert_true(g_hash_table_add(files, run->raw));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(threads_write_at_once_and_lose_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
