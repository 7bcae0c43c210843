#include "run/boots_back.h"

#include "base/failure.h"
#include "base/log.h"
#include "run/console.h"
#include "run/journal.h"
#include "run/kernels.h"
#include "run/power_back.h"
#include "target/boot.h"

int64_t
boots_limit_ms(const Worker *worker, const StoreReboots *known)
{
	const int64_t patience_ms = worker_host(worker)->patience_ms;

	/* A login that was stored tells none. */
	return boot_limit_ms(
	    known->longest_ms, patience_ms > 0 ? patience_ms : INT64_MAX);
}

/* Newest first. */
static GPtrArray *
rows_of(const Worker *worker, GError **error)
{
	GPtrArray *rows = store_undo_open(worker->store, worker->index, error);

	for (guint i = rows == NULL ? 0 : rows->len; i-- > 0;)
		if (strcmp(((const StoreUndo *)rows->pdata[i])->kind,
			BOOT_KIND) != 0)
			g_ptr_array_remove_index(rows, i);
	return rows;
}

static bool
close_rows(Worker *worker, const GPtrArray *rows, GError **error)
{
	for (guint i = 0; i < rows->len; i++)
		if (!store_undo_set(worker->store,
			((const StoreUndo *)rows->pdata[i])->id, UNDO_UNDONE,
			error))
			return false;
	return true;
}

bool
boots_are_open(const Worker *worker)
{
	g_autoptr(GPtrArray) rows = rows_of(worker, NULL);

	return rows != NULL && rows->len > 0;
}

bool
boots_are_back(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) rows = rows_of(worker, error);

	return rows != NULL && close_rows(worker, rows, error);
}

void
boots_forget(Worker *worker)
{
	worker_disconnect(worker);
	/* Its holder was a process there, of which no end may have come. */
	host_lock_free(worker->lock);
	worker->lock = NULL;
	g_clear_pointer(&worker->boot_id, g_free);
	worker->boot = 0;
	worker->kernel = NULL;
}

/* Before anything is chosen; what it was is the default all night. */
bool
boots_intend(Worker *worker, const char *wanted, GError **error)
{
	g_autoptr(GPtrArray) before = rows_of(worker, error);
	StoreUndo row = {
		.target = worker->index,
		.kind = (char *)BOOT_KIND,
		.name = (char *)"",
		.old_value = (char *)kernels_id(worker, KERNELS_DEFAULT),
		.new_value = (char *)wanted,
		.scope = (char *)"disk",
		.boot_id = worker->boot_id,
	};

	if (before == NULL)
		return false;
	row.id = store_undo_intend(worker->store, &row, error);
	return row.id != 0 &&
	    journal_put_now(worker->store, worker->target, &row, error) &&
	    store_undo_set(worker->store, row.id, UNDO_DONE, error) &&
	    close_rows(worker, before, error);
}

bool
boots_had_settings(const Worker *worker, const char *fallback)
{
	g_autoptr(GPtrArray) rows = rows_of(worker, NULL);

	if (rows == NULL)
		return true;
	return rows->len > 0 &&
	    boot_has_settings(
		((const StoreUndo *)rows->pdata[0])->new_value, fallback);
}

/* What is chosen goes; *due is whether the default must be booted. */
static bool
look_back(Worker *worker, const StoreUndo *row, char **fallback, bool *due,
    GError **error)
{
	if (!boot_clear(worker->target, error))
		return false;
	g_autoptr(VerbAnswer) answer = target_ask(
	    worker->target, worker_deadline(), error, "boot_state", NULL);
	if (answer == NULL)
		return false;
	const char *running = verb_answer_get(answer, "running");
	*fallback = g_strdup(verb_answer_get(answer, "default"));
	if (running != NULL && *fallback != NULL) {
		*due = boot_is_due_back(row->new_value, row->boot_id,
		    worker->boot_id, running, *fallback);
		return true;
	}
	failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
	    "which kernel runs, and which is the default, is not told");
	return false;
}

static bool
boot_back(Worker *worker, const char *fallback, GError **error)
{
	static const char *const none[] = { NULL };
	g_auto(BootResult) result = { 0 };
	Console console;
	StoreReboots known;

	if (!store_reboots(
		worker->store, worker->index, 0, 0, 0, fallback, &known, error))
		return false;
	const BootOrder order = {
		.kernel = fallback,
		.fallback = fallback,
		.settings = none,
		.limit_ms = boots_limit_ms(worker, &known),
	};
	const int64_t id = store_reboot_begin(
	    worker->store, worker->index, 0, 0, fallback, error);
	if (id == 0)
		return false;
	log_info("%s: booting its default kernel %s", worker_host(worker)->name,
	    fallback);
	g_autoptr(GError) failure = NULL;
	console_open(worker, "back", &console);
	const bool booted = boot_run(worker->target, &order, &result, &failure);
	console_close(worker, &console, !booted);
	if (!store_reboot_end(worker->store, id, 0, result.took_ms,
		failure_of(failure), booted ? NULL : failure->message, error))
		return false;
	if (!booted && power_is_due(worker, failure))
		return power_recover(worker, fallback,
		    result.boot_id != NULL ? result.boot_id : worker->boot_id,
		    error);
	if (!booted) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	g_free(worker->boot_id);
	worker->boot_id = g_steal_pointer(&result.boot_id);
	target_set_boot(worker->target, worker->boot_id);
	return true;
}

bool
boots_put_back(Worker *worker, GError **error)
{
	g_autoptr(GPtrArray) rows = rows_of(worker, error);
	g_autofree char *fallback = NULL;
	bool due = false;

	if (rows == NULL)
		return false;
	return rows->len == 0 ||
	    (look_back(worker, rows->pdata[0], &fallback, &due, error) &&
		(!due || boot_back(worker, fallback, error)) &&
		close_rows(worker, rows, error));
}
