#include "run/worker.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/client.h"
#include "run/credentials.h"
#include "run/during.h"
#include "run/journal.h"
#include "run/lock.h"
#include "run/lost.h"
#include "run/night.h"
#include "run/scripts.h"
#include "run/watch.h"
#include "run/workdir.h"

const Matrix *
worker_matrix(const Worker *worker)
{
	return worker->plan->matrix;
}

const Host *
worker_host(const Worker *worker)
{
	return matrix_host_number(worker_matrix(worker), worker->index);
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
	g_autoptr(GPtrArray) of =
	    plan_settings(worker->plan, cell, CLASS_SERVER);
	GPtrArray *settings = g_ptr_array_new();

	for (guint i = 0; i < of->len; i++) {
		const guint before = settings->len;
		for (guint j = 0; j < worker->resolved->len; j++) {
			const ResolvedSetting *one = worker->resolved->pdata[j];
			if (one->of == of->pdata[i])
				g_ptr_array_add(settings, one->is);
		}
		if (settings->len == before)
			g_ptr_array_add(settings, of->pdata[i]);
	}
	return settings;
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
	worker->kernels =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	worker->kernel_files =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	worker->hashes =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	worker->before =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	worker->watched =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	worker->missed = g_ptr_array_new_with_free_func(g_free);
	worker->during = g_ptr_array_new_with_free_func(during_free);
	worker->monitors = g_ptr_array_new_with_free_func(g_free);
	worker->state = state_log_new(worker_matrix(worker));
	worker->scripts =
	    g_ptr_array_new_with_free_func((GDestroyNotify)script_free);
	if (!client_is_one(worker))
		client_init(worker);
}

void
worker_clear(Worker *worker)
{
	worker_disconnect(worker);
	host_lock_free(worker->lock);
	g_free(worker->lock_token);
	client_clear(worker);
	g_ptr_array_unref(worker->subjects);
	g_ptr_array_unref(worker->resolved);
	g_hash_table_unref(worker->kernels);
	g_hash_table_unref(worker->kernel_files);
	g_hash_table_unref(worker->hashes);
	g_hash_table_unref(worker->before);
	g_hash_table_unref(worker->watched);
	g_ptr_array_unref(worker->scripts);
	g_ptr_array_unref(worker->during);
	g_ptr_array_unref(worker->missed);
	g_ptr_array_unref(worker->monitors);
	state_log_free(worker->state);
	server_life_clear(&worker->life);
	g_free(worker->work_dir);
	g_clear_pointer(&worker->facts, g_hash_table_unref);
	g_free(worker->boot_id);
	g_free(worker->server_sha256);
	for (size_t i = 0; i < G_N_ELEMENTS(worker->server_commands); i++)
		g_free(worker->server_commands[i]);
	g_clear_error(&worker->end);
}

Target *
worker_target(Worker *worker, const Cancel *cancel, GError **error)
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

/* What was left there before is ended first: it may hold what we need. */
static bool
make_work_dir(Worker *worker, GError **error)
{
	if (!workdir_clear_old(worker, error))
		return false;
	return worker->work_dir != NULL ||
	    (workdir_make(worker, error) &&
		(client_is_apart(worker) ||
		    (scripts_put(worker, error) &&
			credentials_put(worker, error))));
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
	worker->target = worker_target(worker, cancel, error);
	if (worker->target == NULL)
		return false;
	/* Of a client host a night keeps none. */
	const bool with_hazards =
	    worker->boot == 0 && (worker->rehearsal || !client_is_one(worker));
	g_autoptr(GPtrArray) answers =
	    watch_ask_facts(worker, with_hazards, error);
	g_autoptr(GPtrArray) warnings = target_warnings(worker->target);
	for (guint i = 0; warnings != NULL && i < warnings->len; i++)
		log_info("%s: %s", worker_host(worker)->name,
		    (const char *)warnings->pdata[i]);
	if (answers == NULL || !tell_new_key(worker, error) ||
	    !lock_host(worker, error) ||
	    !worker_learn_boot(worker, answers, with_hazards, error)) {
		worker_disconnect(worker);
		return false;
	}
	g_clear_pointer(&worker->facts, g_hash_table_unref);
	worker->facts = watch_table(answers);
	if (worker_matrix(worker)->server.kind != SERVER_NONE &&
	    !client_is_one(worker))
		worker->control =
		    server_control_new(worker->target, &worker->server);
	return true;
}

/* On the controller there is no host key. */
static bool
keep_key(Worker *worker, GError **error)
{
	const char *key = target_fingerprint(worker->target);

	return key == NULL ||
	    store_fact(worker->store, "host", (int64_t)worker->index,
		"host_key", key, error);
}

bool
worker_connect_alone(Worker *worker, const Cancel *cancel, GError **error)
{
	if (!open_session(worker, cancel, error))
		return false;
	if ((worker_host(worker)->local || journal_check(worker, error)) &&
	    keep_key(worker, error) && make_work_dir(worker, error)) {
		const char *key = target_fingerprint(worker->target);
		log_verbose(
		    "%s: logged in, host key %s, boot %s, working in %s",
		    worker_host(worker)->name, key == NULL ? "none" : key,
		    worker->boot_id, worker->work_dir);
		return true;
	}
	worker_disconnect(worker);
	return false;
}

bool
worker_connect(Worker *worker, const Cancel *cancel, GError **error)
{
	if (!worker_connect_alone(worker, cancel, error))
		return false;
	if (client_connect(worker, cancel, error))
		return true;
	worker_disconnect(worker);
	return false;
}

void
worker_disconnect(Worker *worker)
{
	g_clear_pointer(&worker->control, server_control_free);
	g_clear_pointer(&worker->target, target_free);
	if (client_is_apart(worker))
		worker_disconnect(worker->client);
}

void *
worker_main(void *argument)
{
	Worker *worker = argument;

	if (!night_run(worker, &worker->end)) {
		if (g_error_matches(
			worker->end, ABRUN_ERROR, ABRUN_ERROR_STORE))
			worker_give_up_storing(worker);
		lost_tell_end(worker);
	}
	meeting_leave(worker->meeting, worker->index,
	    worker->end != NULL &&
		!g_error_matches(
		    worker->end, ABRUN_ERROR, ABRUN_ERROR_CANCELLED));
	worker_finish(worker);
	return NULL;
}
