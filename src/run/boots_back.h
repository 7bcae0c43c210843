/*
 * The way back to the default kernel: an undo row before the first choice, and
 * one last boot.
 */
#ifndef RUN_BOOTS_BACK_H
#define RUN_BOOTS_BACK_H

#include <stdbool.h>
#include <stdint.h>

#include "run/worker.h"

/* Kind of that row: from the default kernel to another. */
#define BOOT_KIND "kernel"

/* For a boot that is about to be chosen; takes the place of earlier ones. */
bool boots_intend(Worker *worker, const char *wanted, GError **error);

/* Whatever boot is there next is met as a new one. */
void boots_forget(Worker *worker);

/* An earlier night has chosen a kernel, and may have died as it booted it. */
bool boots_are_open(const Worker *worker);

/* The default kernel runs, as it was: what was chosen is undone. */
bool boots_are_back(Worker *worker, GError **error);

/*
 * Whether the default was chosen last with settings, or that is not known: a
 * boot which nobody asked for may have had them.
 */
bool boots_had_settings(const Worker *worker, const char *fallback);

/* How long a boot of this host may take: see boot_limit_ms(). */
int64_t boots_limit_ms(const Worker *worker, const StoreReboots *known);

/*
 * Boots the default kernel, where something else was booted or chosen.  All
 * else has been undone.  The session is then in the new boot.
 */
bool boots_put_back(Worker *worker, GError **error);

#endif
