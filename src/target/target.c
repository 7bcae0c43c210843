#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libssh/libssh.h>

#include "base/error.h"
#include "base/quote.h"
#include "base/text.h"

enum {
	/* An answer holds at most the two outputs of a load, escaped. */
	OUTPUT_BYTES = 32 << 20,
	/* Kept of what one call says outside its frames, and of a night. */
	NOISE_BYTES = 64 << 10,
	NOISE_FILE_BYTES = 16 << 20,
	/* Of a host's own words in a message. */
	WORDS_BYTES = 500,
	NONCE_BYTES = 16,
};

struct Target {
	const Host *host;
	char *program;
	char *noise_path;
	const Cancel *cancel;
	Ssh *ssh; /* NULL: not connected */
	char *fingerprint;
	bool accepted_key;
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
	return target;
}

void
target_free(Target *target)
{
	if (target == NULL)
		return;
	ssh_close(target->ssh);
	g_ptr_array_unref(target->warnings);
	g_free(target->fingerprint);
	g_free(target->noise_path);
	g_free(target->program);
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
target_fingerprint(const Target *target)
{
	return target->fingerprint;
}

bool
target_accepted_key(Target *target)
{
	const bool accepted = target->accepted_key;

	target->accepted_key = false;
	return accepted;
}

GPtrArray *
target_warnings(Target *target)
{
	GPtrArray *warnings = target->warnings;

	target->warnings = g_ptr_array_new_with_free_func(g_free);
	return warnings;
}

size_t
target_round_trips(const Target *target)
{
	return target->round_trips;
}

/* Hexadecimal, of the quality of keys: nobody can foresee a frame. */
static bool
make_nonce(char nonce[2 * NONCE_BYTES + 1], GError **error)
{
	unsigned char bytes[NONCE_BYTES];

	if (ssh_get_random(bytes, sizeof(bytes), 1) != 1) {
		g_set_error_literal(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "no random numbers are to be had");
		return false;
	}
	for (size_t i = 0; i < sizeof(bytes); i++)
		g_snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

static bool
connect_host(Target *target, Deadline deadline, GError **error)
{
	target->ssh = ssh_open(
	    target->host, deadline, target->cancel, target->warnings, error);
	if (target->ssh == NULL)
		return false;
	g_free(target->fingerprint);
	target->fingerprint = g_strdup(ssh_fingerprint(target->ssh));
	target->accepted_key =
	    target->accepted_key || ssh_key_is_new(target->ssh);
	return true;
}

static void
disconnect_host(Target *target)
{
	ssh_close(target->ssh);
	target->ssh = NULL;
}

/*
 * Runs the script.  A session that was open before may have died unseen: if
 * the script could not be started on it, a fresh one is tried, once.
 */
static bool
run_script(Target *target, const char *script, Deadline deadline,
    SshResult *result, GError **error)
{
	const char *command =
	    target->host->sudo ? "exec sudo -n /bin/sh -s" : "exec /bin/sh -s";

	if (target->ssh != NULL && !ssh_alive(target->ssh))
		disconnect_host(target);
	if (target->ssh != NULL) {
		g_autoptr(GError) stale = NULL;
		if (ssh_run(target->ssh, command, script, OUTPUT_BYTES,
			deadline, target->cancel, result, &stale))
			return true;
		disconnect_host(target);
		if (!g_error_matches(stale, ABRUN_ERROR, ABRUN_ERROR_HOST)) {
			g_propagate_error(error, g_steal_pointer(&stale));
			return false;
		}
	}
	if (!connect_host(target, deadline, error))
		return false;
	if (ssh_run(target->ssh, command, script, OUTPUT_BYTES, deadline,
		target->cancel, result, error))
		return true;
	disconnect_host(target);
	return false;
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

/* False with errno set; a file that is full enough is left as it is. */
static bool
append(const char *path, const GString *text)
{
	struct stat status;
	const int fd = open(
	    path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return false;
	const bool full =
	    fstat(fd, &status) == 0 && status.st_size > NOISE_FILE_BYTES;
	const bool wrote =
	    full || write(fd, text->str, text->len) == (ssize_t)text->len;
	return close(fd) == 0 && wrote;
}

/* Appends to the noise file; that it cannot be written fails no call. */
static void
keep_noise(
    Target *target, const char *verb, const char *stream, const char *text)
{
	if (target->noise_path == NULL || *text == '\0')
		return;
	const size_t length = strlen(text);
	const size_t kept = MIN(length, (size_t)NOISE_BYTES);
	g_autoptr(GString) entry = g_string_new(NULL);
	g_string_append_printf(
	    entry, "--- call %zu, %s, %s\n", target->round_trips, verb, stream);
	g_string_append_len(entry, text, (gssize)kept);
	if (kept < length)
		g_string_append_printf(
		    entry, "\n[%zu bytes more]", length - kept);
	if (entry->str[entry->len - 1] != '\n')
		g_string_append_c(entry, '\n');
	if (!append(target->noise_path, entry))
		g_ptr_array_add(target->warnings,
		    g_strdup_printf("cannot write %s: %s", target->noise_path,
			g_strerror(errno)));
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
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "%s: sudo -n was refused: %s; let this account run "
		    "/bin/sh without a password (NOPASSWD), or log in as root",
		    name, refusal);
		return;
	}
	g_autofree char *words =
	    text_printable(*err != '\0' ? err : out, WORDS_BYTES);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
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
	case SSH_END_EXIT:
	case SSH_END_SIGNAL:
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

bool
target_call(Target *target, const VerbCall *call, Deadline deadline,
    GPtrArray **answers, GError **error)
{
	char nonce[2 * NONCE_BYTES + 1];
	g_auto(SshResult) result = { 0 };

	g_return_val_if_fail(verb_call_length(call) > 0, false);
	if (!make_nonce(nonce, error))
		return false;
	g_autofree char *script =
	    verb_call_script(call, target->program, nonce);
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
	if (result.end == SSH_END_LOST)
		disconnect_host(target);
	if (!all_answered(got)) {
		if (!set_broken(target, call, &result, error))
			return false;
		if (strstr(out, nonce) == NULL) {
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
