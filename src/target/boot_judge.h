/*
 * What a reboot comes to, by what was seen of the host since it was asked for:
 * the next thing to wait for, and the end with its name.  Pure.
 *
 * That a host does not answer proves nothing, and neither does an answer: a
 * boot is another one when its id is, and what is not told is never "changed".
 */
#ifndef TARGET_BOOT_JUDGE_H
#define TARGET_BOOT_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/failure.h"

/* What the boot must be; strings are borrowed. */
typedef struct {
	const char *old_boot; /* id of the boot that was asked to end */
	const char *kernel;   /* id of the one to run, as verb kernel has it */
	const char *fallback; /* id of the default */
	/* Its words and NAME=VALUE, up to NULL; NULL = none */
	const char *const *words;
	const char *kernel_id; /* of an earlier boot of it; NULL = none */
	const char *machine;   /* machine_id of the host; NULL = not told */
	const char *host_key;  /* its fingerprint; NULL = not told */
	int64_t down_ms;       /* for the old boot to end */
	int64_t up_ms;         /* from then on until the boot is over */
	int64_t stable_ms;     /* this long it stays that boot */
} BootWanted;

/* One look; NULL = not told.  Strings are borrowed. */
typedef struct {
	int64_t at_ms;        /* since the reboot was asked for */
	bool answered;        /* in frames */
	Failure failure;      /* why it did not */
	const char *boot_id;  /* of verb boot_id */
	const char *finished; /* of verb boot_finished */
	const char *why;
	const char *running, *armed, *once, *cmdline; /* of verb boot_state */
	/*
	 * Of verb get, for each of the wanted words: NAME=VALUE as the loader
	 * was given it, or NAME where it was given none; NULL = none told.
	 */
	const char *const *loader;
	const char *machine, *kernel_id; /* of verb facts */
	const char *host_key;
} BootSeen;

typedef enum {
	BOOT_GOES_DOWN, /* the old boot may still be there */
	BOOT_COMES_UP,  /* another has not begun, or is not over */
	BOOT_SETTLES,   /* it is over, and may not last */
	BOOT_READY,     /* all of it is as it must be */
	BOOT_ENDED,     /* it came to something else: failure and reason */
} BootPhase;

/* How far it is; init with { 0 }, free with boot_course_clear(). */
typedef struct {
	BootPhase phase;
	int64_t down_at_ms; /* when the old boot was first not there; 0 = not */
	int64_t since_ms;   /* BOOT_SETTLES began */
	char *boot_id;      /* of the last new boot; NULL = none was seen */
	unsigned boots;     /* how many new ones were seen */
	Failure failure;    /* of BOOT_ENDED */
	char *reason;       /* what was wanted and what was seen */
} BootCourse;

void boot_course_clear(BootCourse *course);

/* Takes a look in; nothing more is to be taken in after READY and ENDED. */
BootPhase boot_course_take(
    BootCourse *course, const BootWanted *wanted, const BootSeen *seen);

/*
 * Whether a host is not to be booted any more: since the last boot that was had
 * whole blocks went without theirs, of several kernels, or of the only one that
 * the matrix has.  One kernel that does not boot does not cost the others.
 */
bool boot_is_hopeless(size_t blocks, size_t kernels, size_t all_kernels);

/* A host of which nothing more is to be asked of this night. */
bool boot_failure_ends_host(Failure failure);
/*
 * What a boot failed of whose host its power did not bring back: the first
 * failure, unless what was seen after that ends the host.
 */
Failure boot_failure_after(Failure first, Failure power);

/*
 * How long to wait for a boot: three times what the longest before took, of
 * which 0 knows none; never above what a machine with much memory needs, and
 * the host's patience.
 */
int64_t boot_limit_ms(int64_t longest_ms, int64_t patience_ms);

/*
 * Whether a host that was left with "KERNEL NAME=VALUE..." chosen, or booted,
 * must boot once more to be on its default as it was.  left_boot is the boot
 * in which that was chosen, boot_id that of now.
 */
bool boot_is_due_back(const char *wanted, const char *left_boot,
    const char *boot_id, const char *running, const char *fallback);
/* Whether that is the default with settings, as which the default looks. */
bool boot_has_settings(const char *wanted, const char *fallback);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BootCourse, boot_course_clear)

#endif
