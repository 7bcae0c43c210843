#include "run/worker.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "run/client.h"
#include "run/watch.h"

/* Software that changed between two nights of a run is another experiment. */
static bool
is_as_before(
    const Worker *worker, const char *key, const char *value, GError **error)
{
	const char *before = g_hash_table_lookup(worker->before, key);

	if (before == NULL || strcmp(before, value) == 0)
		return true;
	failure_set(error, FAILURE_SOFTWARE_CHANGED, ABRUN_ERROR_VERIFY,
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
	return worker->client == worker ||
	    worker_remember(worker->client, error);
}

/* Of a client host boots are no units, so its facts are the host's. */
static bool
keep_client_facts(Worker *worker, const VerbAnswer *facts, GError **error)
{
	static const char *const clocks[] = { "time", "uptime_s", NULL };

	for (guint i = 0; i < facts->keys->len; i++)
		if (!g_strv_contains(clocks, facts->keys->pdata[i]) &&
		    !store_fact(worker->store, "host", (int64_t)worker->index,
			facts->keys->pdata[i], facts->values->pdata[i], error))
			return false;
	return true;
}

/* A boot begins, as far as we know it. */
static bool
keep_boot(Worker *worker, const GPtrArray *answers, GError **error)
{
	const VerbAnswer *facts = answers->pdata[0];
	const char *release = verb_answer_get(facts, "kernel");
	const char *version = verb_answer_get(facts, "kernel_version");
	g_autofree char *kernel =
	    g_strdup_printf("%s %s", release != NULL ? release : "unknown",
		version != NULL ? version : "");

	g_strchomp(kernel);
	worker->boot = store_boot(worker->store, worker->index, worker->boot_id,
	    kernel, worker->made, error);
	worker->made = false;
	return worker->boot != 0 && watch_keep_boot(worker, answers, error);
}

bool
worker_learn_boot(
    Worker *worker, const GPtrArray *answers, bool with_hazards, GError **error)
{
	const VerbAnswer *facts = answers->pdata[0];
	const char *boot_id = verb_answer_get(facts, "boot_id");

	if (boot_id == NULL || *boot_id == '\0') {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "%s does not tell its boot id", worker_host(worker)->name);
		return false;
	}
	if (worker->boot_id != NULL && strcmp(worker->boot_id, boot_id) != 0) {
		g_autofree char *text = g_strdup_printf(
		    "boot %s is gone, boot %s runs", worker->boot_id, boot_id);
		log_error("%s: rebooted by itself: %s",
		    worker_host(worker)->name, text);
		if (!store_event(worker->store, worker->index,
			"unexpected reboot", text, error))
			return false;
		server_life_clear(&worker->life);
		g_clear_pointer(&worker->work_dir, g_free);
		worker->boot = 0;
	}
	g_free(worker->boot_id);
	worker->boot_id = g_strdup(boot_id);
	target_set_boot(worker->target, boot_id);
	if (worker->boot != 0)
		return true;
	if (client_is_one(worker)) {
		worker->boot = -1; /* known, and no row */
		return keep_client_facts(worker, facts, error);
	}
	if (with_hazards)
		return keep_boot(worker, answers, error);
	g_autoptr(GPtrArray) all = watch_ask_facts(worker, true, error);
	return all != NULL && keep_boot(worker, all, error);
}
