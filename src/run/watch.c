#include "run/watch.h"

#include <string.h>

#include "analysis/others.h"
#include "base/log.h"

GPtrArray *
watch_ask_facts(Worker *worker, bool with_hazards, GError **error)
{
	const char *datadir = worker->server.datadir;
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	verb_call_add(call, "facts", NULL);
	if (with_hazards)
		verb_call_add(call, "hazards", NULL);
	if (with_hazards && datadir != NULL)
		verb_call_add(call, "space", datadir, NULL);
	if (!target_call(worker->target, call, deadline_in(WORKER_CONNECT_MS),
		&answers, error) ||
	    !verb_answer_check(answers->pdata[0], error))
		return NULL;
	return g_steal_pointer(&answers);
}

/* In step: "free_kb PATH" from path and free_kb. */
static void
add_space(const VerbAnswer *answer, GPtrArray *keys, GPtrArray *values)
{
	g_autoptr(GPtrArray) paths = verb_answer_all(answer, "path");
	g_autoptr(GPtrArray) free_kb = verb_answer_all(answer, "free_kb");

	for (guint i = 0; i < MIN(paths->len, free_kb->len); i++) {
		g_ptr_array_add(keys,
		    g_strdup_printf(
			"free_kb %s", (const char *)paths->pdata[i]));
		g_ptr_array_add(values, g_strdup(free_kb->pdata[i]));
	}
}

static bool
store(Worker *worker, const char *scope, int64_t id, const GPtrArray *keys,
    const GPtrArray *values, GError **error)
{
	return store_facts(worker->store, scope, id,
	    (const char *const *)keys->pdata,
	    (const char *const *)values->pdata, keys->len, error);
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

/* All that was answered, in step. */
static void
collect(const GPtrArray *answers, GPtrArray *keys, GPtrArray *values)
{
	for (guint i = 0; i < answers->len; i++) {
		const VerbAnswer *answer = answers->pdata[i];
		if (answer->status != VERB_DONE)
			continue;
		if (strcmp(answer->verb, "space") == 0) {
			add_space(answer, keys, values);
			continue;
		}
		for (guint j = 0; j < answer->keys->len; j++) {
			g_ptr_array_add(keys, g_strdup(answer->keys->pdata[j]));
			g_ptr_array_add(
			    values, g_strdup(answer->values->pdata[j]));
		}
	}
}

bool
watch_keep_boot(Worker *worker, const GPtrArray *answers, GError **error)
{
	g_autoptr(GPtrArray) keys = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);

	collect(answers, keys, values);
	for (guint i = keys->len; i-- > 0;)
		if (is_clock(worker, keys->pdata[i])) {
			g_ptr_array_remove_index(keys, i);
			g_ptr_array_remove_index(values, i);
		}
	return store(worker, "boot", worker->boot, keys, values, error);
}

GHashTable *
watch_table(const GPtrArray *answers)
{
	g_autoptr(GPtrArray) keys = g_ptr_array_new();
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	GHashTable *table =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	collect(answers, keys, values);
	for (guint i = 0; i < keys->len; i++)
		(void)g_hash_table_insert(
		    table, keys->pdata[i], values->pdata[i]);
	return table;
}

void
watch_gate(Worker *worker)
{
	worker->gate = worker_matrix(worker)->design.quiet_wait_ms > 0;
}

Deadline
watch_deadline(const Worker *worker)
{
	const int64_t wait = worker_matrix(worker)->design.quiet_wait_ms;

	return deadline_in(WORKER_CALL_MS + (worker->gate ? wait : 0));
}

void
watch_ask(Worker *worker, VerbCall *call)
{
	const Design *design = &worker_matrix(worker)->design;

	if (worker->gate) {
		g_autofree char *limit =
		    g_strdup_printf("%.0f", 10 * design->quiet_percent);
		g_autofree char *wait =
		    g_strdup_printf("%" G_GINT64_FORMAT, design->quiet_wait_ms);
		verb_call_add(call, "quiet", limit, wait, NULL);
	}
	verb_call_add(call, "watch", NULL);
}

void
watch_begin(Worker *worker)
{
	g_hash_table_remove_all(worker->watched);
}

/* again: a value that is there already is replaced. */
static void
remember(
    Worker *worker, const char *prefix, const VerbAnswer *answer, bool again)
{
	for (guint i = 0; i < answer->keys->len; i++) {
		char *key = g_strdup_printf(
		    "%s.%s", prefix, (const char *)answer->keys->pdata[i]);
		if (!again && g_hash_table_contains(worker->watched, key))
			g_free(key);
		else
			(void)g_hash_table_insert(worker->watched, key,
			    g_strdup(answer->values->pdata[i]));
	}
}

/* Of several starts in a visit the one that was not quiet counts. */
static void
look_at_gate(Worker *worker, const VerbAnswer *answer)
{
	worker->gate = false;
	(void)g_hash_table_remove(worker->watched, "noise");
	if (answer->status != VERB_DONE)
		return;
	const bool noisy =
	    g_strcmp0(verb_answer_get(answer, "quiet"), "no") == 0;
	remember(worker, "quiet", answer, noisy);
	if (!noisy)
		return;
	const char *busy = verb_answer_get(answer, "busy_permille");
	const char *waited = verb_answer_get(answer, "waited_ms");
	char *noise = g_strdup_printf(
	    "the host was not quiet before it: %.0f %% busy after %.0f s",
	    g_ascii_strtod(busy == NULL ? "" : busy, NULL) / 10,
	    g_ascii_strtod(waited == NULL ? "" : waited, NULL) / 1000);
	(void)g_hash_table_insert(worker->watched, g_strdup("noise"), noise);
	log_info("%s: %s", worker_host(worker)->name, noise);
}

void
watch_look(Worker *worker, const GPtrArray *answers, bool after)
{
	const VerbAnswer *answer = answers->pdata[answers->len - 1];

	if (worker->gate && answers->len > 1)
		look_at_gate(worker, answers->pdata[answers->len - 2]);
	if (answer->status == VERB_DONE)
		remember(worker, after ? "after" : "before", answer, after);
}

void
watch_flag(const Worker *worker, const StoreRun *run, GPtrArray *flags)
{
	const double limit = worker_matrix(worker)->design.others_percent;
	const char *noise = g_hash_table_lookup(worker->watched, "noise");

	if (others_disturb(run->others_ms, run->cpu_ms, limit))
		g_ptr_array_add(
		    flags, others_words(run->others_ms, run->cpu_ms, limit));
	if (noise != NULL)
		g_ptr_array_add(flags, g_strdup(noise));
}

bool
watch_keep(Worker *worker, const Visit *visit, GError **error)
{
	g_autoptr(GPtrArray) keys = g_ptr_array_new();
	g_autoptr(GPtrArray) values = g_ptr_array_new();
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, worker->watched);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		g_ptr_array_add(keys, key);
		g_ptr_array_add(values, value);
	}
	return store(worker, "visit", visit->id, keys, values, error);
}
