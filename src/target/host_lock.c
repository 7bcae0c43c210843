#include "target/host_lock.h"

#include <string.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/text.h"
#include "target/lock_judge.h"
#include "target/nonce.h"
#include "target/ssh_hold.h"

enum {
	LEASE_S = 180,    /* the holder wakes three times in it */
	TRIES = 4,        /* others may be faster each time, but not for ever */
	WORDS_BYTES = 300 /* of a host's own words */
};

struct HostLock {
	SshHold *hold;
};

static VerbCall *
make_call(const char *old, const char *token, const char *directory)
{
	VerbCall *call = verb_call_new();
	g_autofree char *lease = g_strdup_printf("%d", LEASE_S);
	g_autofree char *pid = g_strdup_printf("%ld", (long)getpid());

	verb_call_add(call, "lock_hold", old, lease, token, g_get_host_name(),
	    g_get_user_name(), pid, directory, NULL);
	return call;
}

/* Why there is no whole answer. */
static void
set_silent(const Target *target, const GString *out, const GString *err,
    GError **error)
{
	g_autofree char *words =
	    text_one_line(err->len > 0 ? err->str : out->str, WORDS_BYTES);

	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
	    "%s: asked for the lock of the host, but it %s%s",
	    target_host(target)->name,
	    *words == '\0' ? "said nothing" : "said: ", words);
}

/*
 * Asks once: a hold that lives, or with none the answer of a host that is
 * locked; false when it could not be asked.
 */
static bool
ask(Target *target, const VerbCall *call, Deadline deadline, SshHold **hold,
    VerbAnswer **answer, GError **error)
{
	g_autofree char *nonce = verb_nonce(error);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GString) err = g_string_new(NULL);

	if (nonce == NULL)
		return false;
	g_autofree char *script =
	    verb_call_script(call, target_program_text(target), nonce);
	g_autofree char *last = g_strdup_printf("END %s ", nonce);
	g_autoptr(SshHold) got =
	    ssh_hold_open(target_host(target), target_shell(target), script,
		last, deadline, target_cancel(target), out, err, error);
	if (got == NULL)
		return false;
	g_autoptr(GPtrArray) answers =
	    verb_answers_parse(call, nonce, out->str, NULL);
	const VerbAnswer *first = answers->pdata[0];
	if (!first->whole) {
		set_silent(target, out, err, error);
		return false;
	}
	const bool locked = first->status == VERB_FAILED &&
	    verb_answer_get(first, "generation") != NULL;
	if (!locked && !verb_answer_check(first, error)) {
		g_prefix_error(error, "%s: ", target_host(target)->name);
		return false;
	}
	*answer = g_ptr_array_steal_index(answers, 0);
	*hold = locked ? NULL : g_steal_pointer(&got);
	return true;
}

static void
set_held(const Target *target, const char *who, GError **error)
{
	failure_set(error, FAILURE_LOCKED, ABRUN_ERROR_HOST,
	    "%s: in use by another abrun: %s; begin when that has ended",
	    target_host(target)->name, who);
}

HostLock *
host_lock_take(Target *target, const char *token, const char *directory,
    Deadline deadline, char **told, GError **error)
{
	g_autofree char *old = g_strdup("0");
	g_autofree char *words = NULL;

	for (int i = 0; i < TRIES; i++) {
		g_autoptr(VerbCall) call = make_call(old, token, directory);
		g_autoptr(VerbAnswer) answer = NULL;
		SshHold *hold = NULL;
		if (!ask(target, call, deadline, &hold, &answer, error))
			return NULL;
		if (hold != NULL) {
			HostLock *lock = g_new0(HostLock, 1);
			lock->hold = hold;
			if (told != NULL)
				*told = g_steal_pointer(&words);
			return lock;
		}
		g_clear_pointer(&words, g_free);
		if (lock_judge(answer, token, &words) == LOCK_HELD) {
			set_held(target, words, error);
			return NULL;
		}
		g_free(old);
		old = g_strdup(verb_answer_get(answer, "generation"));
	}
	set_held(target, "several begin at the same time", error);
	return NULL;
}

bool
host_lock_held(HostLock *lock)
{
	return ssh_hold_lives(lock->hold);
}

void
host_lock_free(HostLock *lock)
{
	if (lock == NULL)
		return;
	ssh_hold_close(lock->hold);
	g_free(lock);
}
