#include "run/power_back.h"

#include "base/failure.h"
#include "base/log.h"
#include "run/boots_back.h"
#include "run/console.h"
#include "run/kernels.h"
#include "run/monitor.h"
#include "run/power.h"
#include "target/boot.h"

/* There are means, and they have not failed before. */
static bool
is_left(const Worker *worker)
{
	return power_is_known(worker_host(worker)) && !worker->powerless;
}

PowerNeed
power_need(Worker *worker, const Cancel *cancel, GError **why)
{
	GError *failure = NULL;

	if (!is_left(worker))
		return POWER_NO_WAY;
	if (worker_connect_alone(worker, cancel, &failure))
		return POWER_NOT_NEEDED;
	const bool lost = failure_of(failure) == FAILURE_HOST_LOST;
	g_propagate_error(why, failure);
	return lost ? POWER_LAST_WAY : POWER_OTHER_WAY;
}

bool
power_is_due(const Worker *worker, const GError *failure)
{
	return is_left(worker) &&
	    (failure_of(failure) == FAILURE_BOOT_TIMEOUT ||
		failure_of(failure) == FAILURE_HUNG_SHUTDOWN);
}

/*
 * Another kernel than the default can only be one that was chosen, and the
 * default may be one that was chosen with settings.
 */
static bool
boot_default(
    Worker *worker, const BootOrder *order, BootResult *result, GError **error)
{
	const int64_t id = store_reboot_begin(
	    worker->store, worker->index, 0, 0, order->kernel, error);
	g_autoptr(GError) failure = NULL;

	if (id == 0)
		return false;
	boot_result_clear(result);
	const bool booted = boot_run(worker->target, order, result, &failure);
	if (!store_reboot_end(worker->store, id, 0, result->took_ms,
		failure_of(failure), booted ? NULL : failure->message, error))
		return false;
	if (!booted)
		g_propagate_error(error, g_steal_pointer(&failure));
	return booted;
}

/* The boot after the power is there again, with its row in the store. */
static bool
follow(Worker *worker, const BootOrder *order, const char *old_boot,
    const char *means, BootResult *result, GError **error)
{
	const char *machine = worker->facts == NULL
	    ? NULL
	    : g_hash_table_lookup(worker->facts, "machine_id");
	g_autofree char *key =
	    store_host_fact(worker->store, worker->index, "host_key");
	g_autofree char *how =
	    g_strdup_printf("its power was cut by %s", means);
	g_autoptr(GError) failure = NULL;
	const int64_t id = store_reboot_begin(
	    worker->store, worker->index, 0, 0, order->kernel, error);

	if (id == 0)
		return false;
	const bool back = boot_follow(
	    worker->target, order, old_boot, machine, key, result, &failure);
	if (!store_reboot_end(worker->store, id, 0, result->took_ms,
		failure_of(failure), back ? how : failure->message, error))
		return false;
	/* The power went before the loader had looked at the choice. */
	if (back ? boots_had_settings(worker, order->kernel)
		 : failure_of(failure) == FAILURE_WRONG_KERNEL)
		return boot_default(worker, order, result, error);
	if (back)
		return true;
	g_propagate_error(error, g_steal_pointer(&failure));
	return false;
}

static bool
tell_back(Worker *worker, const BootOrder *order, const BootResult *result,
    GError **error)
{
	g_autofree char *text =
	    g_strdup_printf("back on its default kernel %s, boot %s",
		order->kernel, result->boot_id);

	log_info("%s: power: %s", worker_host(worker)->name, text);
	return store_event(
	    worker->store, worker->index, POWER_EVENT, text, error);
}

/* What of its last boot is not there any more. */
static void
forget_life(Worker *worker)
{
	/* abrun restore has none. */
	if (worker->monitors != NULL)
		monitors_forget(worker);
	server_life_clear(&worker->life);
	g_clear_pointer(&worker->work_dir, g_free);
}

static bool
recover(
    Worker *worker, const char *fallback, const char *old_boot, GError **error)
{
	static const char *const none[] = { NULL };
	g_auto(BootResult) result = { 0 };
	const char *means = NULL;
	StoreReboots known;
	Console console;

	if (!store_reboots(
		worker->store, worker->index, 0, 0, 0, fallback, &known, error))
		return false;
	const BootOrder order = {
		.kernel = fallback,
		.fallback = fallback,
		.settings = none,
		.limit_ms = boots_limit_ms(worker, &known),
	};
	if (worker->progress != NULL)
		progress_now(worker->progress, worker_host(worker)->name,
		    "cutting its power");
	console_open(worker, "power", &console);
	const bool back = power_cycle(worker, &means, error) &&
	    follow(worker, &order, old_boot, means, &result, error);
	console_close(worker, &console, !back);
	if (!back || !tell_back(worker, &order, &result, error))
		return false;
	g_free(worker->boot_id);
	worker->boot_id = g_steal_pointer(&result.boot_id);
	target_set_boot(worker->target, worker->boot_id);
	worker->made = true;
	return boots_are_back(worker, error);
}

/* What was not tried to its end has not failed. */
static bool
end_with(Worker *worker, GError *failure, GError **error)
{
	worker->powerless = failure != NULL &&
	    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE) &&
	    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED);
	forget_life(worker);
	if (failure == NULL)
		return true;
	g_propagate_error(error, failure);
	return false;
}

bool
power_recover(
    Worker *worker, const char *fallback, const char *old_boot, GError **error)
{
	GError *failure = NULL;

	(void)recover(worker, fallback, old_boot, &failure);
	return end_with(worker, failure, error);
}

/* Of a matrix that boots nothing no default is known, and none is promised. */
static bool
bring_back(Worker *worker, const char *old_boot, GError **error)
{
	const char *fallback = kernels_id(worker, KERNELS_DEFAULT);
	const char *means = NULL;

	worker->target = worker_target(worker, worker->cleanup, error);
	if (worker->target == NULL)
		return false;
	return fallback != NULL ? recover(worker, fallback, old_boot, error)
				: power_cycle(worker, &means, error);
}

bool
power_bring_back(Worker *worker, GError **error)
{
	g_autofree char *old_boot = g_strdup(worker->boot_id);
	GError *failure = NULL;

	boots_forget(worker);
	(void)bring_back(worker, old_boot, &failure);
	boots_forget(worker);
	return end_with(worker, failure, error);
}
