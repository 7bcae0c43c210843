/*
 * A reboot of a live host into one kernel, once: chosen, asked for, waited for
 * by sessions of their own, and proved.  What it comes to is judged by
 * boot_judge.h.  For one thread.
 */
#ifndef TARGET_BOOT_H
#define TARGET_BOOT_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "target/boot_judge.h"
#include "target/target.h"

typedef struct {
	const char *kernel;   /* id, as verb kernel has it */
	const char *fallback; /* the default's; may be the same */
	/* NAME=VALUE of the loader, or words of the kernel; ends in NULL */
	const char *const *settings;
	const char *kernel_id; /* of an earlier boot of it; NULL = none */
	int64_t limit_ms;      /* each for going down and for coming up */
} BootOrder;

/* Clear with boot_result_clear(). */
typedef struct {
	char *boot_id;   /* of the last new boot that was seen; NULL = none */
	char *kernel_id; /* of what runs; NULL = not told */
	int64_t took_ms; /* since the reboot was asked for */
} BootResult;

void boot_result_clear(BootResult *result);

/*
 * Nothing of ours may run on the host that must end cleanly.  False with the
 * name of what it came to: ABRUN_ERROR_HOST where the host is not there or
 * nothing more may be asked of it, else _FAILED.  The choice is taken back
 * wherever the host still answers.  What it waits for obeys the target's
 * cancel, which then leaves a host that reboots.
 */
bool boot_run(
    Target *target, const BootOrder *order, BootResult *result, GError **error);
/*
 * The same for a boot that was begun by other means, such as its power, into
 * the default.  old_boot is what ran before, NULL if that is not known; machine
 * and host key are held against these, unless they are NULL.
 */
bool boot_follow(Target *target, const BootOrder *order, const char *old_boot,
    const char *machine, const char *host_key, BootResult *result,
    GError **error);
/* Takes a choice back. */
bool boot_clear(Target *target, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BootResult, boot_result_clear)

#endif
