#include "target/target.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/failure.h"
#include "base/quote.h"
#include "base/text.h"
#include "target/link.h"
#include "target/noise.h"
#include "target/nonce.h"

enum {
	/* An answer holds at most the two outputs of a load, escaped. */
	OUTPUT_BYTES = 32 << 20,
	/* Of a host's own words in a message. */
	WORDS_BYTES = 500,
};

struct Target {
	const Host *host;
	char *program;
	char *noise_path;
	const Cancel *cancel;
	TargetLink link;
	bool broke;    /* see target_broke() */
	char *boot_id; /* see target_set_boot() */
	GPtrArray *warnings;
	size_t round_trips;
};

Target *
target_new(const Host *host, const char *program, const char *noise_path,
    const Cancel *cancel)
{
	Target *target = g_new0(Target, 1);

	target->host = host;
	if (host->path != NULL) {
		g_autofree char *path = quote_sh(host->path);
		target->program =
		    g_strdup_printf("abrun_path=%s\n%s", path, program);
	} else {
		target->program = g_strdup(program);
	}
	target->noise_path = g_strdup(noise_path);
	target->cancel = cancel;
	target->warnings = g_ptr_array_new_with_free_func(g_free);
	target_link_init(&target->link, host, target->warnings);
	return target;
}

void
target_free(Target *target)
{
	if (target == NULL)
		return;
	target_link_clear(&target->link);
	g_ptr_array_unref(target->warnings);
	g_free(target->noise_path);
	g_free(target->program);
	g_free(target->boot_id);
	g_free(target);
}

const Host *
target_host(const Target *target)
{
	return target->host;
}

const Cancel *
target_cancel(const Target *target)
{
	return target->cancel;
}

void
target_set_cancel(Target *target, const Cancel *cancel)
{
	target->cancel = cancel;
}

const char *
target_shell(const Target *target)
{
	return target->host->sudo ? "exec sudo -n /bin/sh -s"
				  : "exec /bin/sh -s";
}

const char *
target_program_text(const Target *target)
{
	return target->program;
}

void
target_set_boot(Target *target, const char *boot_id)
{
	g_free(target->boot_id);
	target->boot_id = g_strdup(boot_id);
}

void
target_drop(Target *target)
{
	target_link_drop(&target->link);
}

const char *
target_fingerprint(const Target *target)
{
	return target->link.fingerprint;
}

bool
target_accepted_key(Target *target)
{
	const bool accepted = target->link.accepted_key;

	target->link.accepted_key = false;
	return accepted;
}

GPtrArray *
target_warnings(Target *target)
{
	GPtrArray *warnings = target->warnings;

	target->warnings = g_ptr_array_new_with_free_func(g_free);
	target->link.warnings = target->warnings;
	return warnings;
}

size_t
target_round_trips(const Target *target)
{
	return target->round_trips;
}

bool
target_broke(const Target *target)
{
	return target->broke;
}

/* Text with NUL bytes written so that no frame with them is whole. */
static char *
without_nul(const GString *text)
{
	GString *copy = g_string_sized_new(text->len + 1);
	const char *at = text->str;
	const char *end = text->str + text->len;

	while (at < end) {
		const size_t length = strnlen(at, (size_t)(end - at));
		g_string_append_len(copy, at, (gssize)length);
		at += length;
		if (at < end) {
			g_string_append(copy, "\\0");
			at++;
		}
	}
	return g_string_free(copy, FALSE);
}

/* That it cannot be written fails no call. */
static void
keep_noise(
    Target *target, const char *verb, const char *stream, const char *text)
{
	if (target->noise_path == NULL ||
	    noise_keep(
		target->noise_path, target->round_trips, verb, stream, text))
		return;
	g_ptr_array_add(target->warnings,
	    g_strdup_printf(
		"cannot write %s: %s", target->noise_path, g_strerror(errno)));
}

/* Refusals of sudo, in the order of its own habit of saying several. */
static const char *
sudo_refusal(const char *text)
{
	static const char *const refusals[] = {
		"a password is required",
		"a terminal is required to read the password",
		"you must have a tty",
		"is not in the sudoers file",
		"is not allowed to execute",
		"may not run sudo",
		"sudo: not found",
		"sudo: command not found",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++)
		if (strstr(text, refusals[i]) != NULL)
			return refusals[i];
	return NULL;
}

/* Why no frame came, though the command was started. */
static void
set_silent(const Target *target, const SshResult *result, const char *out,
    const char *err, GError **error)
{
	const char *name = target->host->name;
	const char *refusal = target->host->sudo ? sudo_refusal(err) : NULL;

	if (refusal != NULL) {
		failure_set(error, FAILURE_LOGIN_REFUSED, ABRUN_ERROR_HOST,
		    "%s: sudo -n was refused: %s; let this account run "
		    "/bin/sh without a password (NOPASSWD), or log in as root",
		    name, refusal);
		return;
	}
	g_autofree char *words =
	    text_printable(*err != '\0' ? err : out, WORDS_BYTES);
	failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_HOST,
	    "%s: asked /bin/sh for an answer, but it ended with %s %d and %s%s",
	    name, result->end == SSH_END_SIGNAL ? "signal" : "status",
	    result->status, *words == '\0' ? "said nothing" : "said: ", words);
}

/* Why a call that was started gave no whole answer; false. */
static bool
set_broken(const Target *target, const VerbCall *call, const SshResult *result,
    GError **error)
{
	const char *name = target->host->name;
	const char *verb = verb_call_verb(call, 0);

	switch (result->end) {
	case SSH_END_TIMEOUT:
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_TIMEOUT,
		    "%s: no answer to %s in time%s", name, verb,
		    result->killed ? "; it was killed there"
				   : "; it may still run there");
		return false;
	case SSH_END_CANCEL:
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_CANCELLED,
		    "%s: stopped while waiting for %s%s", name, verb,
		    result->killed ? "" : "; it may still run there");
		return false;
	case SSH_END_LOST:
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "%s: the link broke during %s; whether it was carried out "
		    "is not known",
		    name, verb);
		return false;
	case SSH_END_SIGNAL:
		/* As at a shutdown, before the link breaks. */
		if (!target->broke)
			return true;
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "%s: its program was killed by signal %s during %s; "
		    "whether it was carried out is not known",
		    name, result->signal == NULL ? "?" : result->signal, verb);
		return false;
	case SSH_END_EXIT:
		return true;
	}
	g_assert_not_reached();
}

/* Whether a frame of each verb came whole. */
static bool
all_answered(const GPtrArray *answers)
{
	for (guint i = 0; i < answers->len; i++)
		if (!((const VerbAnswer *)answers->pdata[i])->whole)
			return false;
	return true;
}

/* False on a host that has booted meanwhile, whose session is dropped. */
static bool
same_boot(Target *target, Deadline deadline, GError **error)
{
	/* Of sessions opened for this question it is not asked again. */
	g_autofree char *wanted = g_steal_pointer(&target->boot_id);
	if (wanted == NULL)
		return true;
	g_autoptr(VerbAnswer) answer =
	    target_ask(target, deadline, error, "boot_id", NULL);
	target->broke = false; /* what was asked for is not begun */
	const char *seen =
	    answer == NULL ? NULL : verb_answer_get(answer, "boot_id");
	const bool same = g_strcmp0(seen, wanted) == 0;

	target->boot_id = g_steal_pointer(&wanted);
	if (same)
		return true;
	target_link_drop(&target->link);
	if (answer != NULL)
		failure_set(error, FAILURE_UNEXPECTED_REBOOT, ABRUN_ERROR_HOST,
		    "%s: it has booted since it was last spoken to: boot "
		    "wanted %s, seen %s",
		    target->host->name, target->boot_id,
		    seen == NULL ? "none" : seen);
	return false;
}

/* The script, over a session in the boot that is wanted. */
static bool
run_script(Target *target, const char *script, Deadline deadline,
    SshResult *result, GError **error)
{
	TargetLink *link = &target->link;

	for (;;) {
		g_autoptr(GError) failure = NULL;
		bool fresh;
		if (!target_link_open(
			link, deadline, target->cancel, &fresh, error) ||
		    (fresh && !same_boot(target, deadline, error)))
			return false;
		if (target_link_run(link, target_shell(target), script,
			OUTPUT_BYTES, deadline, target->cancel, result,
			&failure))
			return true;
		if (fresh || link->host->local ||
		    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_HOST)) {
			g_propagate_error(error, g_steal_pointer(&failure));
			return false;
		}
	}
}

bool
target_call(Target *target, const VerbCall *call, Deadline deadline,
    GPtrArray **answers, GError **error)
{
	g_autofree char *nonce = verb_nonce(error);
	g_auto(SshResult) result = { 0 };

	g_return_val_if_fail(verb_call_length(call) > 0, false);
	if (nonce == NULL)
		return false;
	g_autofree char *script =
	    verb_call_script(call, target->program, nonce);
	target->broke = false;
	if (!run_script(target, script, deadline, &result, error))
		return false;
	target->round_trips++;

	g_autofree char *out = without_nul(result.out);
	g_autofree char *err = without_nul(result.err);
	g_autoptr(GString) noise = g_string_new(NULL);
	g_autoptr(GPtrArray) got = verb_answers_parse(call, nonce, out, noise);
	keep_noise(
	    target, verb_call_verb(call, 0), "standard output", noise->str);
	keep_noise(target, verb_call_verb(call, 0), "standard error", err);
	const bool whole = all_answered(got);
	const bool begun = strstr(out, nonce) != NULL;
	target->broke = !whole &&
	    (result.end == SSH_END_LOST ||
		(result.end == SSH_END_SIGNAL && begun));
	if (target->broke || result.end == SSH_END_LOST)
		target_link_drop(&target->link);
	if (!whole) {
		if (!set_broken(target, call, &result, error))
			return false;
		if (!begun) {
			set_silent(target, &result, out, err, error);
			return false;
		}
	}
	*answers = g_steal_pointer(&got);
	return true;
}

VerbAnswer *
target_ask(
    Target *target, Deadline deadline, GError **error, const char *verb, ...)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autoptr(GPtrArray) answers = NULL;
	const char *word;
	va_list arguments;

	va_start(arguments, verb);
	while ((word = va_arg(arguments, const char *)) != NULL)
		g_ptr_array_add(words, (gpointer)word);
	va_end(arguments);
	g_ptr_array_add(words, NULL);
	verb_call_addv(call, verb, (const char *const *)words->pdata);
	if (!target_call(target, call, deadline, &answers, error))
		return NULL;

	if (!verb_answer_check(g_ptr_array_index(answers, 0), error)) {
		g_prefix_error(error, "%s: ", target->host->name);
		return NULL;
	}
	return g_ptr_array_steal_index(answers, 0);
}
