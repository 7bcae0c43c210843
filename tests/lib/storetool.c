/*
 * A driver of the store for tests that need a process of its own.
 *
 *     storetool create PARENT        makes a run directory, prints its path
 *     storetool write DIRECTORY [N]  stores records, N or without end, and
 *                                    prints each once it is on disk
 *     storetool list DIRECTORY       prints what is stored, likewise
 *     storetool hold DIRECTORY       keeps it open until standard input ends
 *
 * Exit 1 where another holds the lock, 4 where something cannot be stored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "store/store.h"
#include "store_plan.h"

/* One write(2) a line: what a killed process said, it said whole. */
static void
say(const char *format, ...)
{
	char line[512];
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (write(STDOUT_FILENO, line, strlen(line)) < 0)
		exit(5);
}

static int
create(const char *parent, GError **error)
{
	g_autoptr(Store) store =
	    store_create(parent, small_plan(), "0.1.0", error);

	if (store == NULL)
		return 1;
	say("%s\n", store_directory(store));
	return 0;
}

static bool
write_one(Store *store, int64_t *visit, int64_t i, GError **error)
{
	static const char *const metrics[] = { "tps" };
	const double value = (double)i * 1.5;

	if (i % 10 == 0) {
		*visit = store_visit_begin(
		    store, 0, (size_t)(i / 10 + 1), 0, 0, 0, 1, error);
		if (*visit == 0)
			return false;
		say("visit %" G_GINT64_FORMAT "\n", *visit);
	}
	const StoreRun run = { .visit = *visit,
		.number = (int)(i % 10) + 1,
		.good = true,
		.n_samples = 1,
		.metrics = metrics,
		.values = &value };
	const int64_t id = store_run(store, &run, error);
	if (id == 0)
		return false;
	say("run %" G_GINT64_FORMAT " %.1f\n", id, value);
	return true;
}

static int
write_records(const char *directory, int64_t n, GError **error)
{
	g_autoptr(Store) store = store_open(directory, false, error);
	int64_t visit = 0;

	if (store == NULL)
		return 1;
	for (int64_t i = 0; i < n; i++)
		if (!write_one(store, &visit, i, error)) {
			GError *later = NULL;
			/* What is refused later is refused for this reason. */
			if (store_event(store, 0, "late", "", &later))
				say("stored after a failure\n");
			else if (!g_str_has_prefix(
				     later->message, (*error)->message))
				say("another reason: %s\n", later->message);
			g_clear_error(&later);
			return 1;
		}
	return 0;
}

static int
list(const char *directory, GError **error)
{
	g_autoptr(Store) store = store_open(directory, true, error);
	g_autoptr(StoreData) data =
	    store != NULL ? store_read(store, error) : NULL;

	if (data == NULL)
		return 1;
	for (guint i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		say("visit %" G_GINT64_FORMAT "\n", visit->id);
	}
	/* One sample a run, in the same order. */
	for (guint i = 0; i < data->samples->len; i++) {
		const DataSample *sample = data->samples->pdata[i];
		say("run %" G_GINT64_FORMAT " %.1f\n", sample->run,
		    sample->value);
	}
	return data->samples->len == data->runs->len ? 0 : 1;
}

static int
hold(const char *directory, GError **error)
{
	g_autoptr(Store) store = store_open(directory, false, error);
	char byte;

	if (store == NULL)
		return 1;
	say("held\n");
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}

int
main(int argc, char **argv)
{
	GError *error = NULL;
	int status = 2;

	if (argc == 3 && strcmp(argv[1], "create") == 0)
		status = create(argv[2], &error);
	else if (argc == 3 && strcmp(argv[1], "write") == 0)
		status = write_records(argv[2], INT64_MAX, &error);
	else if (argc == 4 && strcmp(argv[1], "write") == 0)
		status = write_records(
		    argv[2], g_ascii_strtoll(argv[3], NULL, 10), &error);
	else if (argc == 3 && strcmp(argv[1], "list") == 0)
		status = list(argv[2], &error);
	else if (argc == 3 && strcmp(argv[1], "hold") == 0)
		status = hold(argv[2], &error);
	if (error != NULL) {
		(void)fprintf(stderr, "storetool: %s\n", error->message);
		status = g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE)
		    ? 4
		    : 1;
		g_clear_error(&error);
	}
	return status;
}
