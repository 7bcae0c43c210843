#include "run/worker.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "run/prepare.h"
#include "run/visit.h"

enum { OS_PROGRAM_BYTES = 1 << 20 };

/* Attempts at one visit; visits that fail in a row before we give up. */
enum { ATTEMPTS = 2, FAILURES_IN_A_ROW = 3 };

const Matrix *
worker_matrix(const Worker *worker)
{
	return worker->plan->matrix;
}

const Host *
worker_host(const Worker *worker)
{
	return worker_matrix(worker)->targets->pdata[worker->index];
}

Deadline
worker_deadline(void)
{
	return deadline_in(WORKER_CALL_MS);
}

const Setting *
worker_resolve(const Worker *worker, const Setting *setting)
{
	for (guint i = 0; i < worker->resolved->len; i++) {
		const ResolvedSetting *resolved = worker->resolved->pdata[i];
		if (resolved->of == setting)
			return resolved->is;
	}
	return setting;
}

GPtrArray *
worker_settings(const Worker *worker, const Cell *cell)
{
	GPtrArray *settings = plan_settings(worker->plan, cell, CLASS_SERVER);

	for (guint i = 0; i < settings->len; i++)
		settings->pdata[i] =
		    (gpointer)worker_resolve(worker, settings->pdata[i]);
	return settings;
}

bool
worker_fact(Worker *worker, const char *kind, const char *name,
    const char *what, const char *value, GError **error)
{
	g_autofree char *key = g_strdup_printf("%s.%s.%s", kind, name, what);

	return store_fact(worker->store, "experiment", 0, key, value, error);
}

static void
resolved_free(ResolvedSetting *resolved)
{
	g_free(resolved->is->name);
	g_free(resolved->is->value);
	g_free(resolved->is);
	g_free(resolved);
}

static void
script_free(WorkerScript *script)
{
	g_free(script->key);
	g_free(script->path);
	g_free(script->sha256);
	g_free(script);
}

void
worker_init(Worker *worker)
{
	worker->resolved =
	    g_ptr_array_new_with_free_func((GDestroyNotify)resolved_free);
	worker->subjects = g_ptr_array_new();
	worker->hashes =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	worker->scripts =
	    g_ptr_array_new_with_free_func((GDestroyNotify)script_free);
}

void
worker_clear(Worker *worker)
{
	worker_disconnect(worker);
	g_ptr_array_unref(worker->subjects);
	g_ptr_array_unref(worker->resolved);
	g_hash_table_unref(worker->hashes);
	g_ptr_array_unref(worker->scripts);
	server_life_clear(&worker->life);
	g_free(worker->work_dir);
	g_free(worker->boot_id);
	g_free(worker->server_sha256);
	g_clear_error(&worker->end);
}

static Target *
make_target(Worker *worker, const Cancel *cancel, GError **error)
{
	const Host *host = worker_host(worker);
	g_autofree char *name = g_strdup_printf("hooks/os/%s.sh", host->os);
	g_autofree char *path =
	    matrix_find_file(worker_matrix(worker)->path, name);
	g_autofree char *safe = text_safe_name(host->name);
	g_autofree char *noise_name = g_strdup_printf("noise-%s.txt", safe);
	g_autofree char *noise = g_build_filename(
	    store_directory(worker->store), "raw", noise_name, NULL);

	if (path == NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s: there is no %s", host->name, name);
		return NULL;
	}
	g_autofree char *program =
	    file_read(path, OS_PROGRAM_BYTES, NULL, error);
	return program == NULL ? NULL
			       : target_new(host, program, noise, cancel);
}

/* Every fact of this boot, kept and at hand. */
static bool
learn_boot(Worker *worker, const VerbAnswer *facts, GError **error)
{
	const char *boot_id = verb_answer_get(facts, "boot_id");

	if (boot_id == NULL || *boot_id == '\0') {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "%s does not tell its boot id", worker_host(worker)->name);
		return false;
	}
	if (worker->boot_id != NULL && strcmp(worker->boot_id, boot_id) != 0) {
		log_error("%s: rebooted by itself: what ran there is gone",
		    worker_host(worker)->name);
		if (!store_event(worker->store, worker->index,
			"unexpected reboot", boot_id, error))
			return false;
		server_life_clear(&worker->life);
		g_clear_pointer(&worker->work_dir, g_free);
		worker->boot = 0;
	}
	g_free(worker->boot_id);
	worker->boot_id = g_strdup(boot_id);
	if (worker->boot != 0)
		return true;

	g_autofree char *kernel =
	    g_strdup_printf("%s %s", verb_answer_get(facts, "kernel"),
		verb_answer_get(facts, "kernel_version"));
	worker->boot = store_boot(
	    worker->store, worker->index, boot_id, kernel, false, error);
	if (worker->boot == 0)
		return false;
	for (guint i = 0; i < facts->keys->len; i++)
		if (!store_fact(worker->store, "boot", worker->boot,
			facts->keys->pdata[i], facts->values->pdata[i], error))
			return false;
	return true;
}

static bool
make_work_dir(Worker *worker, GError **error)
{
	if (worker->work_dir != NULL)
		return true;
	g_autoptr(VerbAnswer) answer = target_ask(
	    worker->target, worker_deadline(), error, "workdir", NULL);
	if (answer == NULL)
		return false;
	worker->work_dir = g_strdup(verb_answer_get(answer, "dir"));
	return prepare_scripts(worker, error);
}

bool
worker_connect(Worker *worker, const Cancel *cancel, GError **error)
{
	worker_disconnect(worker);
	worker->target = make_target(worker, cancel, error);
	if (worker->target == NULL)
		return false;
	g_autoptr(VerbAnswer) facts = target_ask(worker->target,
	    deadline_in(WORKER_CONNECT_MS), error, "facts", NULL);
	g_autoptr(GPtrArray) warnings = target_warnings(worker->target);
	for (guint i = 0; warnings != NULL && i < warnings->len; i++)
		log_info("%s: %s", worker_host(worker)->name,
		    (const char *)warnings->pdata[i]);
	if (facts == NULL || !learn_boot(worker, facts, error) ||
	    !store_fact(worker->store, "host", (int64_t)worker->index,
		"host_key", target_fingerprint(worker->target), error)) {
		worker_disconnect(worker);
		return false;
	}
	if (worker_matrix(worker)->server.kind != SERVER_NONE)
		worker->control = server_control_new(
		    worker->target, &worker_matrix(worker)->server);
	if (make_work_dir(worker, error))
		return true;
	worker_disconnect(worker);
	return false;
}

void
worker_disconnect(Worker *worker)
{
	g_clear_pointer(&worker->control, server_control_free);
	g_clear_pointer(&worker->target, target_free);
}

static VisitStatus
status_of(const GError *error)
{
	if (error == NULL)
		return VISIT_VALID;
	if (g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_VERIFY))
		return VISIT_INVALID;
	if (g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED))
		return VISIT_INTERRUPTED;
	return VISIT_FAILED;
}

static bool
ends_the_night(const GError *error)
{
	return g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE) ||
	    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED);
}

/* Begins, runs and ends one attempt; *status says how it ended. */
static bool
attempt_visit(Worker *worker, Visit *visit, int attempt, VisitStatus *status,
    GError **error)
{
	g_autoptr(GError) failure = NULL;

	visit->id = store_visit_begin(worker->store, worker->index,
	    visit->round, visit->block, visit->plan->server, worker->boot,
	    attempt, error);
	if (visit->id == 0)
		return false;
	(void)visit_run(worker, visit, &failure);
	*status = status_of(failure);
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	if (failure != NULL)
		log_error("%s: round %zu, %s: visit %s: %s",
		    worker_host(worker)->name, visit->round, visit->cell->name,
		    visit_status_name(*status), failure->message);
	if (!store_visit_end(worker->store, visit->id, *status,
		failure == NULL ? NULL : failure->message, error))
		return false;
	/* A session that failed once is not trusted with the next visit. */
	if (*status == VISIT_FAILED)
		worker_disconnect(worker);
	if (ends_the_night(failure)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	return true;
}

/* A failed visit is tried once more; an invalid one would be so again. */
static bool
run_visit(Worker *worker, Visit *visit, GError **error)
{
	VisitStatus status = VISIT_FAILED;

	for (int attempt = 1; attempt <= ATTEMPTS && status == VISIT_FAILED;
	     attempt++)
		if (!attempt_visit(worker, visit, attempt, &status, error))
			return false;
	worker->failures = status == VISIT_FAILED ? worker->failures + 1 : 0;
	progress_visit(worker->progress);
	return true;
}

static bool
give_up(Worker *worker, GError **error)
{
	if (worker->failures < FAILURES_IN_A_ROW)
		return false;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
	    "%d visits failed one after the other: this target is given up",
	    FAILURES_IN_A_ROW);
	(void)store_event(worker->store, worker->index, "given up",
	    "visits failed one after the other", NULL);
	return true;
}

static bool
run_round(
    Worker *worker, const PlanRound *round, GHashTable *done, GError **error)
{
	for (size_t b = 0; b < round->n_blocks; b++) {
		const PlanBlock *block = &round->blocks[b];
		for (size_t v = 0; v < block->n_visits; v++) {
			g_autofree char *key =
			    g_strdup_printf("%zu/%zu/%zu/%zu", worker->index,
				round->round, b, block->visits[v].server);
			if (g_hash_table_contains(done, key))
				continue;
			if (give_up(worker, error))
				return false;
			const Cell *cell = plan_server_cell(
			    worker->plan, block->visits[v].server);
			g_autoptr(GPtrArray) settings =
			    worker_settings(worker, cell);
			Visit visit = { .plan = &block->visits[v],
				.round = round->round,
				.block = b,
				.cell = cell,
				.settings = settings };
			if (!run_visit(worker, &visit, error))
				return false;
		}
	}
	return true;
}

static bool
run_night(Worker *worker, GError **error)
{
	g_autoptr(GHashTable) done = store_done(worker->store, error);

	if (done == NULL || !worker_connect(worker, worker->work, error) ||
	    !prepare_target(worker, error))
		return false;
	for (size_t r = 1; r <= worker->rounds; r++) {
		g_autoptr(PlanRound) round = plan_round(worker->plan, r);
		if (!run_round(worker, round, done, error))
			return false;
	}
	return true;
}

/* With a session of its own: the one before may have been cancelled. */
static void
finish(Worker *worker)
{
	g_autoptr(GError) failure = NULL;

	if (worker->boot_id == NULL)
		return; /* never got in: there is nothing to undo */
	if (!worker_connect(worker, worker->cleanup, &failure) ||
	    !prepare_finish(worker, &failure)) {
		log_error("%s: not everything could be undone: %s",
		    worker_host(worker)->name, failure->message);
		(void)store_event(worker->store, worker->index, "not undone",
		    failure->message, NULL);
	}
	worker_disconnect(worker);
}

void *
worker_main(void *argument)
{
	Worker *worker = argument;
	g_autoptr(GError) failure = NULL;

	if (!run_night(worker, &failure)) {
		log_error(
		    "%s: %s", worker_host(worker)->name, failure->message);
		(void)store_event(worker->store, worker->index, "ended",
		    failure->message, NULL);
	}
	finish(worker);
	worker->end = g_steal_pointer(&failure);
	return NULL;
}
