#include "target/boot_judge.h"

#include <string.h>

#include "target/cmdline_proof.h"

/*
 * Memory tests of large machines take a quarter of an hour; below a minute a
 * slow file system check looks like a host that is dead.
 */
enum { LIMIT_MS = 15 * 60 * 1000, LIMIT_FLOOR_MS = 60 * 1000 };
/* A loader that goes round boots at least so often. */
enum { LOOP_BOOTS = 3 };
/* So many blocks in a row are no accident. */
enum { HOPELESS_BLOCKS = 2 };

void
boot_course_clear(BootCourse *course)
{
	g_clear_pointer(&course->boot_id, g_free);
	g_clear_pointer(&course->reason, g_free);
}

int64_t
boot_limit_ms(int64_t longest_ms, int64_t patience_ms)
{
	const int64_t limit_ms = longest_ms == 0
	    ? LIMIT_MS
	    : CLAMP(3 * longest_ms, LIMIT_FLOOR_MS, LIMIT_MS);

	return MIN(limit_ms, patience_ms);
}

bool
boot_failure_ends_host(Failure failure)
{
	static const Failure ends[] = { FAILURE_BOOT_LOOP, FAILURE_ONCE_STUCK,
		FAILURE_WRONG_HOST, FAILURE_HOST_KEY };

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++)
		if (failure == ends[i])
			return true;
	return false;
}

Failure
boot_failure_after(Failure first, Failure power)
{
	return boot_failure_ends_host(power) ? power : first;
}

bool
boot_is_hopeless(size_t blocks, size_t kernels, size_t all_kernels)
{
	return blocks >= HOPELESS_BLOCKS &&
	    (kernels >= HOPELESS_BLOCKS || all_kernels == 1);
}

static BootPhase G_GNUC_PRINTF(3, 4)
    end(BootCourse *course, Failure failure, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_free(course->reason);
	course->reason = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	course->failure = failure;
	course->phase = BOOT_ENDED;
	return course->phase;
}

static bool
differ(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) != 0;
}

static bool
is(const char *value, const char *word)
{
	return g_strcmp0(value, word) == 0;
}

static const char *
shown(const char *value)
{
	return value == NULL ? "not told" : value;
}

/* Nobody who answered was in another boot: has the old one time left? */
static BootPhase
wait_for_down(
    BootCourse *course, const BootWanted *wanted, const BootSeen *seen)
{
	if (seen->at_ms < wanted->down_ms)
		return course->phase;
	return end(course, FAILURE_HUNG_SHUTDOWN,
	    "asked to reboot, it still answers in boot %s after "
	    "%" G_GINT64_FORMAT " s",
	    wanted->old_boot, seen->at_ms / 1000);
}

static BootPhase
time_is_up(BootCourse *course, const BootWanted *wanted, const BootSeen *seen)
{
	const int64_t waited_s = (seen->at_ms - course->down_at_ms) / 1000;

	if (course->boot_id == NULL)
		return end(course, FAILURE_BOOT_TIMEOUT,
		    "asked to boot kernel %s, it did not come back within "
		    "%" G_GINT64_FORMAT " s",
		    wanted->kernel, waited_s);
	if (!seen->answered)
		return end(course, FAILURE_BOOT_TIMEOUT,
		    "asked to boot kernel %s, it was gone again after boot %s "
		    "and did not come back within %" G_GINT64_FORMAT " s",
		    wanted->kernel, course->boot_id, waited_s);
	if (!is(seen->finished, "yes"))
		return end(course, FAILURE_BOOT_TIMEOUT,
		    "boot %s is not over after %" G_GINT64_FORMAT " s: %s",
		    course->boot_id, waited_s,
		    seen->why == NULL ? "the host does not tell" : seen->why);
	return end(course, FAILURE_PROOF_UNKNOWN,
	    "asked to boot kernel %s, but what runs cannot be told: kernel "
	    "%s, next boot %s",
	    wanted->kernel, shown(seen->running), shown(seen->armed));
}

/* For what comes up there is a limit from when the old boot was not there. */
static BootPhase
wait_for_up(BootCourse *course, const BootWanted *wanted, const BootSeen *seen)
{
	if (course->phase != BOOT_SETTLES)
		course->phase = BOOT_COMES_UP;
	return seen->at_ms - course->down_at_ms < wanted->up_ms
	    ? course->phase
	    : time_is_up(course, wanted, seen);
}

static bool
is_another_host(
    BootCourse *course, const BootWanted *wanted, const BootSeen *seen)
{
	if (seen->failure == FAILURE_HOST_KEY) {
		(void)end(course, FAILURE_HOST_KEY,
		    "after a reboot its host key is another: the host was "
		    "installed anew, or another has its address");
		return true;
	}
	if (differ(wanted->host_key, seen->host_key)) {
		(void)end(course, FAILURE_HOST_KEY,
		    "after a reboot its host key is another: wanted %s, seen "
		    "%s",
		    wanted->host_key, seen->host_key);
		return true;
	}
	if (!differ(wanted->machine, seen->machine))
		return false;
	(void)end(course, FAILURE_WRONG_HOST,
	    "after a reboot another machine answers: machine id wanted %s, "
	    "seen %s",
	    wanted->machine, seen->machine);
	return true;
}

/* False when it is one too many. */
static bool
note_boot(BootCourse *course, const BootSeen *seen)
{
	if (!is(course->boot_id, seen->boot_id)) {
		g_free(course->boot_id);
		course->boot_id = g_strdup(seen->boot_id);
		course->boots++;
		course->phase = BOOT_COMES_UP;
	}
	if (course->boots < LOOP_BOOTS)
		return true;
	(void)end(course, FAILURE_BOOT_LOOP,
	    "asked for one boot, it has booted %u times within "
	    "%" G_GINT64_FORMAT " s",
	    course->boots, seen->at_ms / 1000);
	return false;
}

/* A word that what runs was not given, as far as that is told; else NULL. */
static const char *
missing_word(const BootWanted *wanted, const BootSeen *seen)
{
	for (size_t i = 0; wanted->words != NULL && wanted->words[i] != NULL;
	     i++) {
		const char *word = wanted->words[i];
		if (seen->cmdline != NULL
			? !cmdline_proof_has(seen->cmdline, word)
			: seen->loader != NULL && differ(seen->loader[i], word))
			return word;
	}
	return NULL;
}

/*
 * The kernel that is wanted runs.  Where it is the default, too, only its words
 * tell the boot that was chosen from the one after it.
 */
static BootPhase
identify_words(
    BootCourse *course, const BootWanted *wanted, const BootSeen *seen)
{
	const char *word = is(wanted->kernel, wanted->fallback)
	    ? missing_word(wanted, seen)
	    : NULL;

	if (word == NULL)
		return course->phase = BOOT_READY;
	return end(course, FAILURE_FELL_BACK,
	    "asked to boot kernel %s with %s, but it runs without, as by "
	    "default: the boot with it died, and the one after it was the "
	    "default, or the loader did not pass it on",
	    wanted->kernel, word);
}

/* What runs, and that it was for once; both are told. */
static BootPhase
identify(BootCourse *course, const BootWanted *wanted, const BootSeen *seen)
{
	const bool pending =
	    !is(seen->armed, "none") && !is(seen->once, "consumed");
	const bool wanted_runs = is(seen->running, wanted->kernel);

	if (pending && (is(seen->once, "no") || wanted_runs))
		return end(course, FAILURE_ONCE_STUCK,
		    "kernel %s was chosen for one boot, and is still chosen "
		    "for the next",
		    seen->armed);
	if (wanted_runs && differ(wanted->kernel_id, seen->kernel_id))
		return end(course, FAILURE_WRONG_KERNEL,
		    "kernel %s is another than in its boot before: id wanted "
		    "%s, seen %s",
		    wanted->kernel, wanted->kernel_id, seen->kernel_id);
	if (wanted_runs)
		return identify_words(course, wanted, seen);
	if (is(seen->running, wanted->fallback) && !pending)
		return end(course, FAILURE_FELL_BACK,
		    "asked to boot kernel %s, but the default %s is running: "
		    "the new kernel died, and the boot after it was the "
		    "default",
		    wanted->kernel, seen->running);
	return end(course, FAILURE_WRONG_KERNEL,
	    "asked to boot kernel %s, but %s is running%s", wanted->kernel,
	    seen->running,
	    pending ? ": the boot loader has not looked at the choice" : "");
}

/* It answers in a boot that is over. */
static BootPhase
settle(BootCourse *course, const BootWanted *wanted, const BootSeen *seen)
{
	if (course->phase != BOOT_SETTLES) {
		course->phase = BOOT_SETTLES;
		course->since_ms = seen->at_ms;
	}
	/* Short, and bounded by itself. */
	if (seen->at_ms - course->since_ms < wanted->stable_ms)
		return course->phase;
	if (seen->running == NULL || seen->armed == NULL ||
	    (!is(seen->armed, "none") && seen->once == NULL))
		return wait_for_up(course, wanted, seen);
	return identify(course, wanted, seen);
}

BootPhase
boot_course_take(
    BootCourse *course, const BootWanted *wanted, const BootSeen *seen)
{
	const bool told =
	    seen->answered && seen->boot_id != NULL && *seen->boot_id != '\0';

	if (is_another_host(course, wanted, seen))
		return course->phase;
	if (told && strcmp(seen->boot_id, wanted->old_boot) == 0)
		return wait_for_down(course, wanted, seen);
	if (seen->answered && !told && course->down_at_ms == 0)
		return wait_for_down(course, wanted, seen);
	if (course->down_at_ms == 0)
		course->down_at_ms = MAX(seen->at_ms, 1);
	if (!told)
		return wait_for_up(course, wanted, seen);
	if (!note_boot(course, seen))
		return course->phase;
	if (is(seen->finished, "yes"))
		return settle(course, wanted, seen);
	course->phase = BOOT_COMES_UP;
	return wait_for_up(course, wanted, seen);
}

/*
 * What follows the default in "KERNEL NAME=VALUE...", whose name may have
 * blanks; NULL = it is another kernel.
 */
static const char *
rest_of_default(const char *wanted, const char *fallback)
{
	const size_t length = strlen(fallback);

	return strncmp(wanted, fallback, length) == 0 &&
		(wanted[length] == '\0' || wanted[length] == ' ')
	    ? wanted + length
	    : NULL;
}

bool
boot_has_settings(const char *wanted, const char *fallback)
{
	const char *rest = rest_of_default(wanted, fallback);

	return rest != NULL && *rest != '\0';
}

bool
boot_is_due_back(const char *wanted, const char *left_boot, const char *boot_id,
    const char *running, const char *fallback)
{
	/* It was chosen, and never booted. */
	if (g_strcmp0(left_boot, boot_id) == 0)
		return false;
	/* Settings of the loader cannot be seen: who runs the default with
	 * them looks like the default. */
	return strcmp(running, fallback) != 0 ||
	    rest_of_default(wanted, fallback) != NULL;
}
