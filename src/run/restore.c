#include "run/restore.h"

#include <string.h>

#include "base/error.h"
#include "run/boots_back.h"
#include "run/datadir.h"
#include "run/journal.h"
#include "run/undo.h"
#include "run/workdir.h"
#include "target/host_lock.h"
#include "target/lock_judge.h"
#include "target/nonce.h"

/* A server that was left has this long to write back what it holds. */
enum { STOP_MS = 300000 };

/* A host that is being restored, as the means of a night know it. */
typedef struct {
	const RestoreWay *way;
	Server server;
	Matrix matrix;
	Plan plan;
	Worker worker;
} Bench;

void
restore_result_init(RestoreResult *result)
{
	result->done = g_ptr_array_new_with_free_func(g_free);
	result->left = g_ptr_array_new_with_free_func(g_free);
}

void
restore_result_clear(RestoreResult *result)
{
	g_ptr_array_unref(result->done);
	g_ptr_array_unref(result->left);
}

static void
bench_clear(Bench *bench)
{
	Worker *worker = &bench->worker;

	server_control_free(worker->control);
	target_free(worker->target);
	host_lock_free(worker->lock);
	g_free(worker->lock_token);
	g_free(worker->boot_id);
	if (bench->matrix.targets != NULL)
		g_ptr_array_unref(bench->matrix.targets);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_clear)

/* Beside which hooks are looked for. */
static const char *
path_of(const RestoreWay *way)
{
	return way->matrix_path != NULL ? way->matrix_path : "./-";
}

/* Where this host stands among the targets of a matrix that is not read. */
static void
bench_init(Bench *bench, const RestoreWay *way, Store *store, size_t index)
{
	memset(bench, 0, sizeof(*bench));
	bench->way = way;
	bench->server.stop_timeout_ms = STOP_MS;
	bench->matrix.targets = g_ptr_array_new();
	g_ptr_array_set_size(bench->matrix.targets, (gint)index + 1);
	bench->matrix.targets->pdata[index] = (gpointer)way->host;
	bench->matrix.path = (char *)path_of(way);
	bench->plan.matrix = &bench->matrix;
	bench->worker.plan = &bench->plan;
	bench->worker.store = store;
	bench->worker.index = index;
}

/* A session, and which boot it is in. */
static bool
reach(Bench *bench, GError **error)
{
	Worker *worker = &bench->worker;
	const RestoreWay *way = bench->way;
	g_autofree char *program =
	    target_program(path_of(way), way->host->os, error);

	if (program == NULL)
		return false;
	worker->target = target_new(way->host, program, NULL, NULL);
	g_autoptr(VerbAnswer) answer = target_ask(worker->target,
	    deadline_in(WORKER_CONNECT_MS), error, "boot_id", NULL);
	if (answer == NULL)
		return false;
	worker->boot_id = g_strdup(verb_answer_get(answer, "boot_id"));
	target_set_boot(worker->target, worker->boot_id);
	worker->control = server_control_new(worker->target, &bench->server);
	return true;
}

/* The token of whoever has the lock, if it is to be taken over; free it. */
static char *
token_there(Bench *bench, GError **error)
{
	g_autoptr(VerbAnswer) answer = target_ask(bench->worker.target,
	    deadline_in(WORKER_CONNECT_MS), error, "lock_show", NULL);
	char *token = answer == NULL ? NULL : lock_token(answer);

	return token != NULL || answer == NULL ? token : g_strdup("none");
}

static bool
lock(Bench *bench, const char *directory, GError **error)
{
	Worker *worker = &bench->worker;

	if (worker->store != NULL && worker->lock_token == NULL)
		worker->lock_token = store_host_fact(
		    worker->store, worker->index, JOURNAL_TOKEN);
	if (bench->way->take_over) {
		g_free(worker->lock_token);
		worker->lock_token = token_there(bench, error);
		if (worker->lock_token == NULL)
			return false;
	}
	if (worker->lock_token == NULL &&
	    (worker->lock_token = verb_nonce(error)) == NULL)
		return false;
	worker->lock = host_lock_take(worker->target, worker->lock_token,
	    directory, deadline_in(WORKER_CONNECT_MS), NULL, error);
	return worker->lock != NULL;
}

/* Undoes the open rows of worker->store; goes on after a failure. */
static bool
undo(Bench *bench, RestoreResult *result, GError **error)
{
	Worker *worker = &bench->worker;
	g_autoptr(GError) failure = NULL;

	if (!workdir_clear_old(worker, error))
		return false;
	if (!datadir_remove(worker, &failure)) {
		if (!g_error_matches(
			failure, ABRUN_ERROR, ABRUN_ERROR_FAILED)) {
			g_propagate_error(error, g_steal_pointer(&failure));
			return false;
		}
		g_ptr_array_add(result->left, g_strdup(failure->message));
	}
	return undo_all(worker->store, worker->target, worker->index,
		   worker->boot_id, NULL, result->left, error) &&
	    boots_put_back(worker, error);
}

static bool
is_among(const GPtrArray *rows, int64_t id)
{
	for (guint i = 0; i < rows->len; i++)
		if (((const StoreUndo *)rows->pdata[i])->id == id)
			return true;
	return false;
}

/* What was open and is not any more was undone; the rest is told in left. */
static bool
tell(Bench *bench, const GPtrArray *before, RestoreResult *result,
    GError **error)
{
	const Worker *worker = &bench->worker;
	g_autoptr(GPtrArray) after =
	    store_undo_open(worker->store, worker->index, error);

	if (after == NULL)
		return false;
	for (guint i = 0; i < before->len; i++) {
		const StoreUndo *row = before->pdata[i];
		if (!is_among(after, row->id))
			g_ptr_array_add(result->done, journal_words(row));
		else if (strcmp(row->kind, WORKDIR_KIND) == 0)
			g_ptr_array_add(result->left,
			    g_strdup_printf(
				"the work directory %s stays", row->name));
	}
	return true;
}

static void
tell_all(const GPtrArray *rows, RestoreResult *result)
{
	for (guint i = 0; i < rows->len; i++)
		g_ptr_array_add(result->done, journal_words(rows->pdata[i]));
}

bool
restore_by_store(const RestoreWay *way, Store *store, size_t index,
    RestoreResult *result, GError **error)
{
	g_autoptr(GPtrArray) before = store_undo_open(store, index, error);
	g_auto(Bench) bench;

	bench_init(&bench, way, store, index);
	if (before == NULL)
		return false;
	if (way->dry_run) {
		tell_all(before, result);
		return true;
	}
	g_autofree char *directory =
	    g_canonicalize_filename(store_directory(store), NULL);
	return reach(&bench, error) && lock(&bench, directory, error) &&
	    undo(&bench, result, error) &&
	    tell(&bench, before, result, error) &&
	    journal_keep_now(store, bench.worker.target, index, error);
}

/* The host's rows in a store; entries get the ids they have there. */
static bool
take_in(Store *store, const GPtrArray *entries, GError **error)
{
	for (guint i = 0; i < entries->len; i++) {
		JournalEntry *entry = entries->pdata[i];
		if (entry->row == NULL)
			continue;
		entry->row->undo.target = 0;
		entry->stored =
		    store_undo_intend(store, &entry->row->undo, error);
		if (entry->stored == 0)
			return false;
	}
	return true;
}

/* Of each run the rows that are still open stay on the host. */
static bool
keep_open(Bench *bench, const GPtrArray *entries, GError **error)
{
	g_autoptr(GPtrArray) open =
	    store_undo_open(bench->worker.store, 0, error);

	if (open == NULL)
		return false;
	for (guint i = open->len; i-- > 0;)
		if (((const StoreUndo *)open->pdata[i])->state == UNDO_FOREIGN)
			g_ptr_array_remove_index(open, i);
	for (guint i = 0; i < entries->len; i++) {
		const JournalEntry *first = entries->pdata[i];
		g_autoptr(GPtrArray) ids = g_ptr_array_new();
		if (i > 0 &&
		    strcmp(((const JournalEntry *)entries->pdata[i - 1])->run,
			first->run) == 0)
			continue;
		for (guint j = i; j < entries->len; j++) {
			const JournalEntry *entry = entries->pdata[j];
			if (strcmp(entry->run, first->run) == 0 &&
			    is_among(open, entry->stored))
				g_ptr_array_add(ids, entry->id);
		}
		if (!journal_keep_only(
			bench->worker.target, first->run, ids, error))
			return false;
	}
	return true;
}

/* What is open now on the host, and files there that tell nothing. */
static GPtrArray *
look(Bench *bench, RestoreResult *result, GError **error)
{
	g_autoptr(GPtrArray) entries =
	    journal_list(bench->worker.target, error);

	for (guint i = 0; entries != NULL && i < entries->len; i++) {
		const JournalEntry *entry = entries->pdata[i];
		if (entry->row == NULL)
			g_ptr_array_add(result->left,
			    g_strdup_printf("row %s of run %s on the host is "
					    "not whole: what it was cannot be "
					    "told",
				entry->id, entry->run));
	}
	return g_steal_pointer(&entries);
}

bool
restore_by_host(const RestoreWay *way, RestoreResult *result, GError **error)
{
	g_auto(Bench) bench;
	g_autoptr(GPtrArray) before = NULL;

	bench_init(&bench, way, NULL, 0);
	if (!reach(&bench, error))
		return false;
	if (!way->dry_run && !lock(&bench, "(abrun restore)", error))
		return false;
	g_autoptr(GPtrArray) entries = look(&bench, result, error);
	g_autoptr(Store) store = entries == NULL ? NULL : store_scratch(error);
	if (store == NULL || !take_in(store, entries, error) ||
	    (before = store_undo_open(store, 0, error)) == NULL)
		return false;
	if (way->dry_run) {
		tell_all(before, result);
		return true;
	}
	bench.worker.store = store;
	return undo(&bench, result, error) &&
	    tell(&bench, before, result, error) &&
	    keep_open(&bench, entries, error);
}
