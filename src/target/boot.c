#include "target/boot.h"

#include <string.h>

#include "base/failure.h"

enum {
	CALL_MS = 30000,
	/* Between two looks: 1/2, 1, 2... s, not more than this later. */
	PAUSE_MS = 500,
	PAUSE_MAX_MS = 12000,
	/* A kernel that dies at once has died by then. */
	STABLE_MS = 2000,
};

/* A reboot that is under way; what BootWanted borrows of the host is here. */
typedef struct {
	Target *target;
	const BootOrder *order;
	BootWanted wanted;
	BootCourse course;
	char *old_boot, *machine, *host_key;
	int64_t asked_us;
	/* By the last look: */
	bool answered;
	bool has_cmdline;
} Reboot;

void
boot_result_clear(BootResult *result)
{
	g_clear_pointer(&result->boot_id, g_free);
	g_clear_pointer(&result->kernel_id, g_free);
}

static void
reboot_clear(Reboot *reboot)
{
	boot_course_clear(&reboot->course);
	g_free(reboot->old_boot);
	g_free(reboot->machine);
	g_free(reboot->host_key);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reboot, reboot_clear)

bool
boot_clear(Target *target, GError **error)
{
	g_autoptr(VerbAnswer) answer =
	    target_ask(target, deadline_in(CALL_MS), error, "boot_clear", NULL);

	return answer != NULL;
}

static void
want(Reboot *reboot)
{
	const BootOrder *order = reboot->order;

	reboot->wanted = (BootWanted){
		.old_boot = reboot->old_boot,
		.kernel = order->kernel,
		.fallback = order->fallback,
		.words = order->settings,
		.kernel_id = order->kernel_id,
		.machine = reboot->machine,
		.host_key = reboot->host_key,
		.down_ms = order->limit_ms,
		.up_ms = order->limit_ms,
		.stable_ms = STABLE_MS,
	};
}

/* What is there before.  A boot id that is not told would match any. */
static bool
look_before(Reboot *reboot, GError **error)
{
	g_autoptr(VerbAnswer) facts = target_ask(
	    reboot->target, deadline_in(CALL_MS), error, "facts", NULL);

	if (facts == NULL)
		return false;
	reboot->old_boot = g_strdup(verb_answer_get(facts, "boot_id"));
	reboot->machine = g_strdup(verb_answer_get(facts, "machine_id"));
	reboot->host_key = g_strdup(target_fingerprint(reboot->target));
	if (reboot->old_boot == NULL || *reboot->old_boot == '\0') {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "the host does not tell its boot id, so that no other "
		    "could be told from it");
		return false;
	}
	want(reboot);
	return true;
}

/* The default as it is needs no choice. */
static bool
choose(Reboot *reboot, GError **error)
{
	const BootOrder *order = reboot->order;
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autoptr(GPtrArray) answers = NULL;

	if (order->settings[0] == NULL &&
	    strcmp(order->kernel, order->fallback) == 0)
		return boot_clear(reboot->target, error);
	g_ptr_array_add(words, (gpointer)order->kernel);
	for (size_t i = 0; order->settings[i] != NULL; i++)
		g_ptr_array_add(words, (gpointer)order->settings[i]);
	g_ptr_array_add(words, NULL);
	verb_call_addv(call, "boot_once", (const char *const *)words->pdata);
	if (!target_call(
		reboot->target, call, deadline_in(CALL_MS), &answers, error))
		return false;
	const VerbAnswer *answer = answers->pdata[0];
	if (!verb_answer_check(answer, error))
		return false;
	const char *armed = verb_answer_get(answer, "armed");
	const char *once = verb_answer_get(answer, "once");
	if (g_strcmp0(armed, order->kernel) == 0 && g_strcmp0(once, "yes") == 0)
		return true;
	failure_set(error, FAILURE_BOOT_FAILED, ABRUN_ERROR_FAILED,
	    "kernel %s was to be chosen for the next boot, but %s is (once: "
	    "%s)",
	    order->kernel, armed == NULL ? "nothing" : armed,
	    once == NULL ? "not told" : once);
	return false;
}

/*
 * Only a refusal is one: a host that goes down may well not answer, and what
 * was not answered may have been done.
 */
static bool
ask_for_it(Reboot *reboot, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GError) failure = NULL;

	verb_call_add(call, "reboot", NULL);
	reboot->asked_us = deadline_now_us();
	if (!target_call(reboot->target, call, deadline_in(CALL_MS), &answers,
		&failure)) {
		if (!g_error_matches(
			failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED))
			return true;
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	const VerbAnswer *answer = answers->pdata[0];
	return !answer->whole || verb_answer_check(answer, error);
}

/* Before the host goes down: all that fails here leaves it as it is. */
static bool
begin(Reboot *reboot, GError **error)
{
	GError *failure = NULL;

	if (!look_before(reboot, error))
		return false;
	if (choose(reboot, &failure) && ask_for_it(reboot, &failure))
		return true;
	(void)boot_clear(reboot->target, NULL);
	if (failure_of(failure) == FAILURE_STEP_FAILED)
		failure_mark(&failure, FAILURE_BOOT_FAILED);
	g_propagate_error(error, failure);
	return false;
}

/*
 * Where the kernel has no command line, its loader has an environment; by that
 * the default with settings is told from the default.
 */
static void
ask_loader(const Reboot *reboot, VerbCall *call)
{
	const char *const *settings = reboot->order->settings;

	if (strcmp(reboot->order->kernel, reboot->order->fallback) != 0)
		return;
	for (size_t i = 0; settings[i] != NULL; i++) {
		g_autofree char *name =
		    g_strndup(settings[i], strcspn(settings[i], "="));
		verb_call_add(call, "get", "loader", name, NULL);
	}
}

/* All that is to be known in one call; what takes long comes last. */
static bool
ask(Reboot *reboot, Deadline deadline, GPtrArray **answers, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();

	verb_call_add(call, "boot_id", NULL);
	verb_call_add(call, "boot_finished", NULL);
	verb_call_add(call, "boot_state", NULL);
	if (reboot->course.phase == BOOT_SETTLES) {
		verb_call_add(call, "facts", NULL);
		if (!reboot->has_cmdline)
			ask_loader(reboot, call);
	}
	return target_call(reboot->target, call, deadline, answers, error);
}

static bool
is_absent(const GPtrArray *answers, guint index)
{
	return answers != NULL && index < answers->len &&
	    ((const VerbAnswer *)answers->pdata[index])->status == VERB_ABSENT;
}

static const char *
told(const GPtrArray *answers, guint index, const char *key)
{
	if (answers == NULL || index >= answers->len)
		return NULL;
	const VerbAnswer *answer = answers->pdata[index];
	return answer->status == VERB_DONE ? verb_answer_get(answer, key)
					   : NULL;
}

/* What the answers from that one on are to ask_loader(), as BootSeen has it. */
static GPtrArray *
loader_told(const Reboot *reboot, const GPtrArray *answers, guint first)
{
	const char *const *settings = reboot->order->settings;
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; settings[i] != NULL; i++) {
		const int length = (int)strcspn(settings[i], "=");
		const char *value = told(answers, first + i, "value");
		char *seen = NULL;
		if (value != NULL)
			seen = g_strdup_printf(
			    "%.*s=%s", length, settings[i], value);
		else if (is_absent(answers, first + i))
			seen = g_strndup(settings[i], (size_t)length);
		g_ptr_array_add(all, seen);
	}
	return all;
}

/* One look, by a session of its own; false when we are to stop. */
static bool
look(Reboot *reboot, BootResult *result, GError **error)
{
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GError) failure = NULL;

	target_drop(reboot->target);
	const bool answered =
	    ask(reboot, deadline_in(MIN(CALL_MS, reboot->order->limit_ms)),
		&answers, &failure);
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	result->took_ms = (deadline_now_us() - reboot->asked_us) / 1000;
	reboot->answered = answered;
	const char *cmdline = told(answers, 2, "cmdline");
	g_autoptr(GPtrArray) loader = loader_told(reboot, answers, 4);
	const BootSeen seen = {
		.at_ms = result->took_ms,
		.answered = answered,
		.failure = failure_of(failure),
		.boot_id = told(answers, 0, "boot_id"),
		.finished = told(answers, 1, "finished"),
		.why = told(answers, 1, "why"),
		.running = told(answers, 2, "running"),
		.armed = told(answers, 2, "armed"),
		.once = told(answers, 2, "once"),
		.cmdline = cmdline,
		.loader = (const char *const *)loader->pdata,
		.machine = told(answers, 3, "machine_id"),
		.kernel_id = told(answers, 3, "kernel_id"),
		.host_key =
		    answered ? target_fingerprint(reboot->target) : NULL,
	};
	reboot->has_cmdline = cmdline != NULL;
	(void)boot_course_take(&reboot->course, &reboot->wanted, &seen);
	g_free(result->kernel_id);
	result->kernel_id = g_strdup(seen.kernel_id);
	return true;
}

/* Each wait is bounded by the limits of reboot->wanted. */
static bool
wait_for_it(Reboot *reboot, BootResult *result, GError **error)
{
	const BootCourse *course = &reboot->course;
	/* Of a short limit a large part is not slept away. */
	const int64_t longest_ms =
	    CLAMP(reboot->order->limit_ms / 4, PAUSE_MS, PAUSE_MAX_MS);
	int64_t pause_ms = PAUSE_MS;

	while (course->phase != BOOT_READY && course->phase != BOOT_ENDED) {
		const bool settles = course->phase == BOOT_SETTLES;
		if (!cancel_sleep(target_cancel(reboot->target),
			deadline_in(settles ? STABLE_MS : pause_ms), error) ||
		    !look(reboot, result, error))
			return false;
		pause_ms = MIN(2 * pause_ms, longest_ms);
	}
	result->boot_id = g_strdup(course->boot_id);
	return true;
}

/* What was for one boot is not left lying about, however it ended. */
static bool
finish(Reboot *reboot, GError **error)
{
	const BootCourse *course = &reboot->course;
	const bool there = reboot->answered &&
	    course->failure != FAILURE_HOST_KEY &&
	    course->failure != FAILURE_WRONG_HOST;
	g_autoptr(GError) failure = NULL;
	const bool cleared = there && boot_clear(reboot->target, &failure);

	if (course->phase == BOOT_ENDED) {
		const bool is_host = course->failure == FAILURE_BOOT_TIMEOUT ||
		    boot_failure_ends_host(course->failure);
		failure_set(error, course->failure,
		    is_host ? ABRUN_ERROR_HOST : ABRUN_ERROR_FAILED, "%s",
		    course->reason);
		return false;
	}
	if (!cleared)
		g_propagate_error(error, g_steal_pointer(&failure));
	return cleared;
}

bool
boot_run(
    Target *target, const BootOrder *order, BootResult *result, GError **error)
{
	g_auto(Reboot) reboot = { .target = target, .order = order };

	target_set_boot(target, NULL);
	return begin(&reboot, error) && wait_for_it(&reboot, result, error) &&
	    finish(&reboot, error);
}

bool
boot_follow(Target *target, const BootOrder *order, const char *old_boot,
    const char *machine, const char *host_key, BootResult *result,
    GError **error)
{
	g_auto(Reboot) reboot = { .target = target,
		.order = order,
		.old_boot = g_strdup(old_boot == NULL ? "" : old_boot),
		.machine = g_strdup(machine),
		.host_key = g_strdup(host_key),
		.asked_us = deadline_now_us() };

	target_set_boot(target, NULL);
	want(&reboot);
	return wait_for_it(&reboot, result, error) && finish(&reboot, error);
}
