#include "run/worker.h"

#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "run/credentials.h"
#include "run/night.h"
#include "run/prepare.h"
#include "run/scripts.h"
#include "run/workdir.h"

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

const char *
worker_reason(const Worker *worker, const GError *error)
{
	const char *name = worker_host(worker)->name;
	const char *text = error->message;

	if (g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED))
		return "interrupted by a signal";
	if (g_str_has_prefix(text, name) &&
	    g_str_has_prefix(text + strlen(name), ": "))
		text += strlen(name) + strlen(": ");
	return text;
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

/* Software that changed between two nights of a run is another experiment. */
static bool
is_as_before(
    const Worker *worker, const char *key, const char *value, GError **error)
{
	const char *before = g_hash_table_lookup(worker->before, key);

	if (before == NULL || strcmp(before, value) == 0)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_VERIFY,
	    "%s was %s when this run began and is %s now: put it back as it "
	    "was, or start another run with --new",
	    key, before, value);
	return false;
}

bool
worker_fact(Worker *worker, const char *kind, const char *name,
    const char *what, const char *value, GError **error)
{
	g_autofree char *key = name == NULL
	    ? g_strdup_printf("%s.%s", kind, what)
	    : g_strdup_printf("%s.%s.%s", kind, name, what);

	if (strcmp(what, "sha256") == 0 &&
	    !is_as_before(worker, key, value, error))
		return false;
	return store_fact(
	    worker->store, "host", (int64_t)worker->index, key, value, error);
}

bool
worker_remember(Worker *worker, GError **error)
{
	g_autoptr(StoreData) data = store_read(worker->store, error);

	if (data == NULL)
		return false;
	for (guint i = 0; i < data->facts->len; i++) {
		const DataFact *fact = data->facts->pdata[i];
		if (strcmp(fact->scope, "host") == 0 &&
		    fact->id == (int64_t)worker->index)
			(void)g_hash_table_insert(worker->before,
			    g_strdup(fact->key), g_strdup(fact->value));
	}
	for (guint i = 0; i < data->boots->len; i++) {
		const DataBoot *boot = data->boots->pdata[i];
		if (boot->target == worker->index)
			(void)g_hash_table_insert(worker->before,
			    g_strdup_printf("boot %s", boot->boot_id),
			    g_strdup(boot->kernel));
	}
	return true;
}

static void
resolved_free(ResolvedSetting *resolved)
{
	g_free(resolved->is->name);
	g_free(resolved->is->apply);
	g_free(resolved->is->undo);
	g_free(resolved->is->verify);
	g_free(resolved->is->value);
	g_free(resolved->is);
	g_free(resolved);
}

static void
script_free(WorkerScript *script)
{
	g_free(script->key);
	g_free(script->path);
	g_free(script->name);
	g_free(script);
}

void
worker_init(Worker *worker)
{
	worker->server = worker_matrix(worker)->server;
	worker->resolved =
	    g_ptr_array_new_with_free_func((GDestroyNotify)resolved_free);
	worker->subjects = g_ptr_array_new();
	worker->hashes =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	worker->before =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	worker->state = state_log_new(worker_matrix(worker));
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
	g_hash_table_unref(worker->before);
	g_ptr_array_unref(worker->scripts);
	state_log_free(worker->state);
	server_life_clear(&worker->life);
	g_free(worker->work_dir);
	g_free(worker->boot_id);
	g_free(worker->server_sha256);
	g_free(worker->server_command);
	g_clear_error(&worker->end);
}

static Target *
make_target(Worker *worker, const Cancel *cancel, GError **error)
{
	const Host *host = worker_host(worker);
	g_autofree char *safe = text_safe_name(host->name);
	g_autofree char *noise_name = g_strdup_printf("noise-%s.txt", safe);
	g_autofree char *noise = g_build_filename(
	    store_directory(worker->store), "raw", noise_name, NULL);

	g_autofree char *program =
	    target_program(worker_matrix(worker)->path, host->os, error);
	return program == NULL ? NULL
			       : target_new(host, program, noise, cancel);
}

/* Of a boot met before, that its clocks have gone on is no news. */
static bool
is_clock(const Worker *worker, const char *key)
{
	static const char *const clocks[] = { "time", "uptime_s", NULL };
	g_autofree char *boot = g_strdup_printf("boot %s", worker->boot_id);

	return g_strv_contains(clocks, key) &&
	    g_hash_table_contains(worker->before, boot);
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

	const char *release = verb_answer_get(facts, "kernel");
	const char *version = verb_answer_get(facts, "kernel_version");
	g_autofree char *kernel =
	    g_strdup_printf("%s %s", release != NULL ? release : "unknown",
		version != NULL ? version : "");
	g_strchomp(kernel);
	worker->boot = store_boot(
	    worker->store, worker->index, boot_id, kernel, false, error);
	if (worker->boot == 0)
		return false;
	for (guint i = 0; i < facts->keys->len; i++)
		if (!is_clock(worker, facts->keys->pdata[i]) &&
		    !store_fact(worker->store, "boot", worker->boot,
			facts->keys->pdata[i], facts->values->pdata[i], error))
			return false;
	return true;
}

/* What was left there before is ended first: it may hold what we need. */
static bool
make_work_dir(Worker *worker, GError **error)
{
	if (!workdir_clear_old(worker, error))
		return false;
	return worker->work_dir != NULL ||
	    (workdir_make(worker, error) && scripts_put(worker, error) &&
		credentials_put(worker, error));
}

/* A key that nobody vouched for is told, here and in the report. */
static bool
tell_new_key(Worker *worker, GError **error)
{
	const char *fingerprint = target_fingerprint(worker->target);

	if (!target_accepted_key(worker->target))
		return true;
	log_info("%s: its host key was not known and is accepted as new: %s",
	    worker_host(worker)->name, fingerprint);
	return store_event(worker->store, worker->index,
	    "new host key accepted", fingerprint, error);
}

/* A session, and the boot it is in. */
static bool
open_session(Worker *worker, const Cancel *cancel, GError **error)
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
	if (facts == NULL || !tell_new_key(worker, error) ||
	    !learn_boot(worker, facts, error)) {
		worker_disconnect(worker);
		return false;
	}
	if (worker_matrix(worker)->server.kind != SERVER_NONE)
		worker->control =
		    server_control_new(worker->target, &worker->server);
	return true;
}

bool
worker_connect(Worker *worker, const Cancel *cancel, GError **error)
{
	if (!open_session(worker, cancel, error))
		return false;
	if (store_fact(worker->store, "host", (int64_t)worker->index,
		"host_key", target_fingerprint(worker->target), error) &&
	    make_work_dir(worker, error)) {
		log_verbose(
		    "%s: logged in, host key %s, boot %s, working in %s",
		    worker_host(worker)->name,
		    target_fingerprint(worker->target), worker->boot_id,
		    worker->work_dir);
		return true;
	}
	worker_disconnect(worker);
	return false;
}

void
worker_disconnect(Worker *worker)
{
	g_clear_pointer(&worker->control, server_control_free);
	g_clear_pointer(&worker->target, target_free);
}

/*
 * What cannot be stored ends the night of all targets.  That the hosts are
 * left as they were is worth more than a note of it.
 */
static void
give_up_storing(Worker *worker)
{
	g_autoptr(GError) failure = NULL;

	cancel_request(worker->work);
	if (!store_go_on_in_memory(worker->store, &failure))
		log_error("%s: %s", worker_host(worker)->name,
		    worker_reason(worker, failure));
}

/* With a session of its own: the one before may have been cancelled. */
static bool
put_back(Worker *worker, GError **error)
{
	return worker_connect(worker, worker->cleanup, error) &&
	    prepare_finish(worker, error);
}

static void
finish(Worker *worker)
{
	g_autoptr(GError) failure = NULL;

	/* Never got in, or no further: there is nothing to undo. */
	if (worker->boot_id == NULL ||
	    (worker->work_dir == NULL && !store_undo_due(worker->store)))
		return;
	if (!put_back(worker, &failure) &&
	    g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE)) {
		give_up_storing(worker);
		if (worker->end == NULL)
			worker->end = g_steal_pointer(&failure);
		g_clear_error(&failure);
		(void)put_back(worker, &failure);
	}
	if (failure != NULL) {
		log_error("%s: not everything could be undone: %s",
		    worker_host(worker)->name, worker_reason(worker, failure));
		(void)store_event(worker->store, worker->index, "not undone",
		    worker_reason(worker, failure), NULL);
	}
	worker_disconnect(worker);
}

void *
worker_main(void *argument)
{
	Worker *worker = argument;

	if (!night_run(worker, &worker->end)) {
		/* Of a signal, main has told. */
		if (!g_error_matches(
			worker->end, ABRUN_ERROR, ABRUN_ERROR_CANCELLED))
			log_error("%s: %s", worker_host(worker)->name,
			    worker_reason(worker, worker->end));
		if (g_error_matches(
			worker->end, ABRUN_ERROR, ABRUN_ERROR_STORE))
			give_up_storing(worker);
		(void)store_event(worker->store, worker->index, "ended",
		    worker_reason(worker, worker->end), NULL);
	}
	finish(worker);
	return NULL;
}
