#include "run/boots.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "run/boots_back.h"
#include "run/console.h"
#include "run/kernels.h"
#include "run/monitor.h"
#include "run/power_back.h"
#include "run/prepare.h"
#include "run/serve.h"
#include "run/workdir.h"
#include "target/boot.h"
#include "target/cmdline_proof.h"

/* A block whose boot was not had so often goes without. */
enum { BOOT_ATTEMPTS = 2 };

/* One boot, as a block wants it. */
typedef struct {
	const char *kernel; /* id; borrowed of worker->kernels */
	/* char *: NAME=VALUE of the loader, words of the kernel; NULL-ended */
	GPtrArray *settings;
	char *words; /* "ULE hw.x=1" */
} Want;

static void
want_clear(Want *want)
{
	if (want->settings != NULL)
		g_ptr_array_unref(want->settings);
	g_free(want->words);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Want, want_clear)

static void
want_of(const Worker *worker, const Cell *cell, Want *want)
{
	g_autoptr(GPtrArray) all =
	    plan_settings(worker->plan, cell, CLASS_BOOT);
	g_autoptr(GString) words = g_string_new(NULL);

	want->kernel = kernels_id(worker, KERNELS_DEFAULT);
	want->settings = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < all->len; i++) {
		const Setting *setting = all->pdata[i];
		if (setting->kind == SETTING_KERNEL)
			want->kernel = kernels_id(worker, setting->value);
		if (setting->kind == SETTING_LOADER)
			g_ptr_array_add(want->settings,
			    g_strdup_printf(
				"%s=%s", setting->name, setting->value));
		if (setting->kind == SETTING_CMDLINE) {
			g_autoptr(GPtrArray) line =
			    cmdline_proof_words(setting);
			g_ptr_array_extend_and_steal(
			    want->settings, g_steal_pointer(&line));
		}
	}
	g_string_append(words, want->kernel);
	for (guint i = 0; i < want->settings->len; i++)
		g_string_append_printf(
		    words, " %s", (const char *)want->settings->pdata[i]);
	g_ptr_array_add(want->settings, NULL);
	want->words = g_string_free(g_steal_pointer(&words), FALSE);
}

/* Ends cleanly, and puts back, all that a reboot would take away. */
static bool
quiesce(Worker *worker, GError **error)
{
	if (!serve_stop(worker, error) || !prepare_undo(worker, error) ||
	    !workdir_remove(worker, error))
		return false;
	monitors_forget(worker);
	server_life_clear(&worker->life);
	return true;
}

/* Once it has begun, a signal does not end it: nobody could restore. */
static bool
run_boot(Worker *worker, const Want *want, int64_t limit_ms, BootResult *result,
    GError **error)
{
	const BootOrder order = {
		.kernel = want->kernel,
		.fallback = kernels_id(worker, KERNELS_DEFAULT),
		.settings = (const char *const *)want->settings->pdata,
		.kernel_id = kernels_build(worker, want->kernel),
		.limit_ms = limit_ms,
	};

	target_set_cancel(worker->target, worker->cleanup);
	return boot_run(worker->target, &order, result, error);
}

/* The new boot, its facts and its row. */
static bool
meet(Worker *worker, const Want *want, const BootResult *result, GError **error)
{
	worker->made = true;
	const bool met = worker_connect(worker, worker->work, error);
	worker->made = false;
	if (!met ||
	    !kernels_keep_build(worker, want->kernel, result->kernel_id, error))
		return false;
	if (g_strcmp0(worker->boot_id, result->boot_id) == 0) {
		worker->kernel = want->kernel;
		return true;
	}
	failure_set(error, FAILURE_UNEXPECTED_REBOOT, ABRUN_ERROR_HOST,
	    "it booted again right after its boot: boot wanted %s, seen %s",
	    result->boot_id, worker->boot_id);
	return false;
}

/*
 * Where the power brings the host back, its default kernel runs and what is
 * left of the failure is this block's.
 */
static void
recover(Worker *worker, const BootResult *result, GError **failure)
{
	const char *fallback = kernels_id(worker, KERNELS_DEFAULT);
	const char *old_boot =
	    result->boot_id != NULL ? result->boot_id : worker->boot_id;
	g_autoptr(GError) why = *failure;
	g_autoptr(GError) power = NULL;
	const bool due = power_is_due(worker, why);
	const bool back =
	    due && power_recover(worker, fallback, old_boot, &power);

	if (g_error_matches(power, ABRUN_ERROR, ABRUN_ERROR_STORE) ||
	    g_error_matches(power, ABRUN_ERROR, ABRUN_ERROR_CANCELLED)) {
		*failure = g_steal_pointer(&power);
		return;
	}
	*failure = NULL;
	if (!due)
		*failure = g_steal_pointer(&why);
	else if (back)
		failure_set(failure, failure_of(why), ABRUN_ERROR_FAILED,
		    "%s; its power was cut, and its default kernel %s runs",
		    worker_reason(worker, why), fallback);
	else
		failure_set(failure,
		    boot_failure_after(failure_of(why), failure_of(power)),
		    ABRUN_ERROR_HOST, "%s; %s: %s", worker_reason(worker, why),
		    failure_name(failure_of(power)),
		    worker_reason(worker, power));
}

static bool
tell_failure(Worker *worker, const Visit *visit, const Want *want,
    const GError *failure, GError **error)
{
	g_autofree char *text = g_strdup_printf("round %zu, kernel %s: %s: %s",
	    visit->round, want->words, failure_name(failure_of(failure)),
	    worker_reason(worker, failure));

	log_error("%s: boot failed: %s", worker_host(worker)->name, text);
	return store_event(
	    worker->store, worker->index, "boot failed", text, error);
}

/* That we are to stop says nothing about the kernel. */
static bool
failed_to_boot(const GError *failure)
{
	return failure != NULL &&
	    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED) &&
	    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE);
}

/* One attempt; *counts is whether its row in the store says that it failed. */
static bool
make(Worker *worker, const Visit *visit, const Want *want,
    const StoreReboots *known, bool *counts, GError **error)
{
	g_auto(BootResult) result = { 0 };
	Console console;
	GError *failure = NULL;

	if (!quiesce(worker, error) ||
	    !boots_intend(worker, want->words, error))
		return false;
	worker->rebooted = true;
	const int64_t id = store_reboot_begin(worker->store, worker->index,
	    visit->round, visit->block, want->words, error);
	if (id == 0)
		return false;
	log_info("%s: round %zu: booting kernel %s", worker_host(worker)->name,
	    visit->round, want->words);
	progress_now(worker->progress, worker_host(worker)->name, "booting");
	g_autofree char *what = g_strdup_printf(
	    "round%zu-block%zu", visit->round, visit->block + 1);
	console_open(worker, what, &console);
	const bool booted = run_boot(
	    worker, want, boots_limit_ms(worker, known), &result, &failure);
	console_close(worker, &console, failed_to_boot(failure));
	if (!booted)
		recover(worker, &result, &failure);
	boots_forget(worker);
	if (booted && meet(worker, want, &result, &failure)) {
		log_verbose("%s: kernel %s runs after %" G_GINT64_FORMAT
			    " ms, boot %s",
		    worker_host(worker)->name, want->words, result.took_ms,
		    worker->boot_id);
		return store_reboot_end(worker->store, id, worker->boot,
		    result.took_ms, FAILURE_NONE, NULL, error);
	}
	g_autoptr(GError) told = failure;
	*counts = failed_to_boot(told);
	if (*counts &&
	    (!store_reboot_end(worker->store, id, 0, result.took_ms,
		 failure_of(told), worker_reason(worker, told), error) ||
		!tell_failure(worker, visit, want, told, error)))
		return false;
	g_propagate_error(error, g_steal_pointer(&told));
	return false;
}

bool
boots_are_over(const Worker *worker)
{
	return boot_is_hopeless(
	    worker->missed_blocks, worker->missed->len, worker->plan->n_boots);
}

/* Whether this block has its boot, or else goes without. */
static void
count_block(Worker *worker, const Want *want, bool had)
{
	if (had) {
		worker->missed_blocks = 0;
		g_ptr_array_set_size(worker->missed, 0);
		return;
	}
	worker->missed_blocks++;
	if (!g_ptr_array_find_with_equal_func(
		worker->missed, want->words, g_str_equal, NULL))
		g_ptr_array_add(worker->missed, g_strdup(want->words));
}

bool
boots_have(Worker *worker, const Visit *visit, GError **error)
{
	const bool lazy = worker_matrix(worker)->design.boot == BOOT_LAZY;
	g_auto(Want) want = { 0 };
	StoreReboots known;

	worker->no_boot = false;
	if (!kernels_are_booted(worker->plan))
		return true;
	want_of(worker, visit->cell, &want);
	if (!store_reboots(worker->store, worker->index, visit->round,
		visit->block, worker->boot, want.words, &known, error))
		return false;
	if (lazy ? known.same : known.serves) {
		worker->kernel = want.kernel;
		return true;
	}
	if (known.failed < BOOT_ATTEMPTS) {
		bool counts = false;
		const bool had =
		    make(worker, visit, &want, &known, &counts, error);
		if (had || (counts && known.failed + 1 == BOOT_ATTEMPTS))
			count_block(worker, &want, had);
		return had;
	}
	worker->no_boot = true;
	failure_set(error, known.failure, ABRUN_ERROR_FAILED,
	    "the boot of its block was not had in %zu attempts", known.failed);
	return false;
}
