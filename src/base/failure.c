#include "base/failure.h"

#include <string.h>

typedef struct {
	Failure failure;
} AbrunErrorPrivate;

static void
abrun_error_private_init(AbrunErrorPrivate *private)
{
	private->failure = FAILURE_NONE;
}

static void
abrun_error_private_copy(
    const AbrunErrorPrivate *private, AbrunErrorPrivate *copy)
{
	*copy = *private;
}

static void
abrun_error_private_clear(AbrunErrorPrivate *private)
{
	(void)private;
}

G_DEFINE_EXTENDED_ERROR(AbrunError, abrun_error)

typedef struct {
	const char *name, *meaning, *advice;
} FailureText;

static const FailureText texts[FAILURES] = {
	[FAILURE_HOST_LOST] = { "HOST_LOST",
	    "the host cannot be reached, or the link to it "
	    "broke",
	    "see that it runs and that its network and its "
	    "sshd answer, then run the matrix again: what "
	    "was measured stays" },
	[FAILURE_LOGIN_REFUSED] = { "LOGIN_REFUSED",
	    "the host does not let abrun in, or sudo does not",
	    "add the public key to authorized_keys there, or "
	    "name another one with key; for sudo, allow "
	    "/bin/sh without a password (NOPASSWD)" },
	[FAILURE_HOST_KEY] = { "HOST_KEY",
	    "the key that the host shows is not the one that "
	    "is known",
	    "find out whether it is the same machine; if it "
	    "was installed anew, take its old line out of "
	    "known_hosts or give its new fingerprint" },
	[FAILURE_NO_ANSWER] = { "NO_ANSWER",
	    "the host's answer to a step is missing or not "
	    "whole",
	    "look into raw/noise-HOST.txt for what its shell "
	    "said besides" },
	[FAILURE_NOT_SUPPORTED] = { "NOT_SUPPORTED",
	    "the host's system has no such thing",
	    "take the setting out of the matrix, or teach it "
	    "to the host's OS program" },
	[FAILURE_UNEXPECTED_REBOOT] = { "UNEXPECTED_REBOOT",
	    "the host was booted anew, and not by abrun",
	    "look in its logs for a crash, a watchdog or "
	    "upgrades that run by themselves" },
	[FAILURE_LOCKED] = { "LOCKED", "someone else works on the host",
	    "wait until they have ended; the lock names them" },
	[FAILURE_LEFT_CHANGED] = { "LEFT_CHANGED",
	    "an earlier run left the host changed",
	    "undo it with abrun restore, or let that run go on" },
	[FAILURE_GIVEN_UP] = { "GIVEN_UP",
	    "the target failed again and again, so the "
	    "others went on without it",
	    "mend what its last visits failed of and run the "
	    "matrix again: it goes on where it stopped" },
	[FAILURE_POWER_FAILED] = { "POWER_FAILED",
	    "none of the means that the matrix gives could turn the host off "
	    "and on",
	    "it may be off: turn it on by hand, and try by hand what the run's "
	    "events tell" },
	[FAILURE_QUARANTINED] = { "QUARANTINED",
	    "the host failed to boot for several blocks in a row, and is not "
	    "booted any more",
	    "mend what its boots failed of and run the matrix again: it goes "
	    "on where it stopped" },
	[FAILURE_WRONG_KERNEL] = { "WRONG_KERNEL",
	    "another kernel runs than the cell wants",
	    "see that the kernel is installed under that "
	    "name, and what the boot loader really started" },
	[FAILURE_BOOT_FAILED] = { "BOOT_FAILED",
	    "the host cannot be told to boot the kernel",
	    "the reason holds its words; try the same by hand on the host" },
	[FAILURE_HUNG_SHUTDOWN] = { "HUNG_SHUTDOWN",
	    "the host was asked to reboot and did not go down in time",
	    "look at its console for what does not end; a watchdog of its own "
	    "helps where that is seldom" },
	[FAILURE_BOOT_TIMEOUT] = { "BOOT_TIMEOUT",
	    "the host did not come back from a reboot in time",
	    "look at its console; if the kernel does not boot there, take it "
	    "out of the matrix" },
	[FAILURE_FELL_BACK] = { "FELL_BACK",
	    "the default kernel runs, or runs without its words, though "
	    "another boot was chosen and begun",
	    "the new kernel died as it booted: see the console, crash dumps "
	    "and the last messages of the boot before" },
	[FAILURE_BOOT_LOOP] = { "BOOT_LOOP", "the host boots again and again",
	    "look at its console; it is left alone until it is mended" },
	[FAILURE_ONCE_STUCK] = { "ONCE_STUCK",
	    "what was chosen for one boot is still chosen after it",
	    "the boot loader cannot write where the choice is kept: take it "
	    "back by hand, and give the host another way" },
	[FAILURE_WRONG_HOST] = { "WRONG_HOST",
	    "another machine answers at the host's address",
	    "see who has the address now, and that each host has one of its "
	    "own" },
	[FAILURE_SETTING_FAILED] = { "SETTING_FAILED",
	    "a setting of the cell cannot be made",
	    "try the same by hand on the host: the reason "
	    "holds its words" },
	[FAILURE_TUNABLE_LOST] = { "TUNABLE_LOST",
	    "a tunable is not, or is no longer, what the "
	    "cell wants",
	    "look for a daemon on the host that sets it, too" },
	[FAILURE_FOREIGN_CHANGE] = { "FOREIGN_CHANGE",
	    "someone changed what abrun had changed",
	    "find out who; abrun leaves it as it is now, and "
	    "measures no cell with it" },
	[FAILURE_UNDO_FAILED] = { "UNDO_FAILED",
	    "what abrun changed on the host cannot be put "
	    "back",
	    "mend the reason and run the matrix again: "
	    "undoing comes first" },
	[FAILURE_DURING_DIED] = { "DURING_DIED",
	    "a process that must live through the visit has died",
	    "read its last words in the reason; it must stay in the "
	    "foreground" },
	[FAILURE_EXPECT_FAILED] = { "EXPECT_FAILED",
	    "a fact that a level expects does not hold",
	    "compare the level's expect with the facts of "
	    "the host in the report" },
	[FAILURE_VERIFY_FAILED] = { "VERIFY_FAILED",
	    "a verify command of the matrix does not end "
	    "with status 0",
	    "run it by hand on the host" },
	[FAILURE_SERVER_EXITED] = { "SERVER_EXITED",
	    "the server ended, at its start or during the "
	    "visit, or was not started at all",
	    "read its last words in the reason and its log "
	    "on the host: often an option that it does not "
	    "know, or too little memory; of a service also "
	    "one that is not enabled" },
	[FAILURE_SERVER_SILENT] = { "SERVER_SILENT",
	    "the server does not answer, or not in time",
	    "read its log; give it more time if it recovers "
	    "or is slow to start" },
	[FAILURE_NO_TUNNEL] = { "NO_TUNNEL",
	    "the server listens, but sshd lets no connection "
	    "through to it",
	    "allow it in sshd_config and authorized_keys "
	    "there, as the reason says" },
	[FAILURE_SERVER_REFUSED] = { "SERVER_REFUSED",
	    "the server answers, but does not let abrun in, "
	    "or not do something",
	    "see the user and password that the matrix "
	    "gives, and the rights of that user" },
	[FAILURE_STALE_SERVER] = { "STALE_SERVER",
	    "another server answers than the one abrun "
	    "started",
	    "stop that one, or give this one a port and a "
	    "socket of its own" },
	[FAILURE_WRONG_LIBRARY] = { "WRONG_LIBRARY",
	    "a library that the cell wants is not mapped in "
	    "the process, or one that it does not want is",
	    "see that the path is right, and that the "
	    "program obeys LD_PRELOAD (no setuid, no static "
	    "linking)" },
	[FAILURE_WRONG_ENVIRONMENT] = { "WRONG_ENVIRONMENT",
	    "a variable of the process is not what the cell "
	    "wants",
	    "look for a wrapper script or a service manager "
	    "that sets it" },
	[FAILURE_WRONG_OPTION] = { "WRONG_OPTION",
	    "an option of the server is not what the cell "
	    "wants",
	    "see whether an option file or the server's own "
	    "limits change it" },
	[FAILURE_WRONG_CPUS] = { "WRONG_CPUS",
	    "the process may not run on just those CPUs that "
	    "the cell wants",
	    "look for a cpuset, a cgroup or a daemon that "
	    "moves it, and for CPUs that are offline" },
	[FAILURE_SOFTWARE_CHANGED] = { "SOFTWARE_CHANGED",
	    "a program, library or script is not the one "
	    "that the run began with",
	    "put the old one back, or start another run with "
	    "--new" },
	[FAILURE_PROOF_FAILED] = { "PROOF_FAILED", "a proof does not hold",
	    "compare what was wanted with what was seen" },
	[FAILURE_PROOF_UNKNOWN] = { "PROOF_UNKNOWN",
	    "what must be proved cannot be looked at",
	    "see that abrun may look there: it needs root, "
	    "or the rights of the process's owner" },
	[FAILURE_MISSING_TOOL] = { "MISSING_TOOL",
	    "a program is not found on the host",
	    "install it there, or give its path" },
	[FAILURE_MISSING_FILE] = { "MISSING_FILE",
	    "a file that the matrix names is not there, or "
	    "cannot be read",
	    "put it there, or give its right path" },
	[FAILURE_LOAD_FAILED] = { "LOAD_FAILED", "the load says that it failed",
	    "read its output below raw/; the same command "
	    "can be run by hand" },
	[FAILURE_TIMEOUT] = { "TIMEOUT",
	    "a step or a load did not end in its time and "
	    "was stopped",
	    "see what it waits for; if it is only slow, give "
	    "the load a longer timeout" },
	[FAILURE_NO_RESULT] = { "NO_RESULT",
	    "the load ended well, but its output holds no "
	    "figure",
	    "compare the output below raw/ with the "
	    "expressions of its definition" },
	[FAILURE_OUT_OF_RANGE] = { "OUT_OF_RANGE",
	    "a figure is outside the range that its "
	    "definition allows",
	    "look at the output below raw/: a counter may "
	    "have wrapped; if the figure is right, widen the "
	    "range" },
	[FAILURE_BAD_RESULT] = { "BAD_RESULT",
	    "the figures of the load cannot be read, or "
	    "contradict each other",
	    "compare the output below raw/ with its "
	    "definition" },
	[FAILURE_SETUP_FAILED] = { "SETUP_FAILED",
	    "setup, prepare, restore or cleanup of a load "
	    "failed",
	    "run the command by hand: the reason holds its "
	    "words" },
	[FAILURE_DATA_CHANGED] = { "DATA_CHANGED",
	    "the load's data are not what its setup made",
	    "look for who writes to the tables; a load that "
	    "writes needs a reset" },
	[FAILURE_STEP_FAILED] = { "STEP_FAILED",
	    "a step failed for a reason that has no name of "
	    "its own",
	    "read the reason" },
	[FAILURE_HOOK_FAILED] = { "HOOK_FAILED",
	    "a program of hooks/visit failed before the visit",
	    "run it by hand with the facts that it is given: see "
	    "abrun-hooks(7)" },
	[FAILURE_MATRIX_ERROR] = { "MATRIX_ERROR",
	    "the matrix asks for what cannot be had",
	    "correct it as the reason says" },
	[FAILURE_STORE_FAILED] = { "STORE_FAILED",
	    "a result cannot be kept, so everything was "
	    "stopped",
	    "make room on the disk of the run directory and "
	    "run the matrix again" },
	[FAILURE_INTERRUPTED] = { "INTERRUPTED", "a signal ended abrun",
	    "run the matrix again: it goes on where it "
	    "stopped" },
};

const char *
failure_name(Failure failure)
{
	return texts[failure].name;
}

const char *
failure_meaning(Failure failure)
{
	return texts[failure].meaning;
}

const char *
failure_advice(Failure failure)
{
	return texts[failure].advice;
}

Failure
failure_named(const char *name)
{
	for (int i = FAILURE_NONE + 1; name != NULL && i < FAILURES; i++)
		if (strcmp(texts[i].name, name) == 0)
			return (Failure)i;
	return FAILURE_NONE;
}

void
failure_set(
    GError **error, Failure failure, AbrunError code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	GError *made =
	    g_error_new_valist(ABRUN_ERROR, (gint)code, format, arguments);
	va_end(arguments);
	abrun_error_get_private(made)->failure = failure;
	g_propagate_error(error, made);
}

void
failure_mark(GError **error, Failure failure)
{
	if (error == NULL || *error == NULL || (*error)->domain != ABRUN_ERROR)
		return;
	AbrunErrorPrivate *private = abrun_error_get_private(*error);
	if (private->failure == FAILURE_NONE)
	private->failure = failure;
}

/* What is known of an error that only has a code. */
static Failure
failure_of_code(AbrunError code)
{
	switch (code) {
	case ABRUN_ERROR_USAGE:
		return FAILURE_MATRIX_ERROR;
	case ABRUN_ERROR_HOST:
		return FAILURE_HOST_LOST;
	case ABRUN_ERROR_TIMEOUT:
		return FAILURE_TIMEOUT;
	case ABRUN_ERROR_FAILED:
		return FAILURE_STEP_FAILED;
	case ABRUN_ERROR_VERIFY:
		return FAILURE_PROOF_FAILED;
	case ABRUN_ERROR_CANCELLED:
		return FAILURE_INTERRUPTED;
	case ABRUN_ERROR_STORE:
		return FAILURE_STORE_FAILED;
	}
	g_assert_not_reached();
}

Failure
failure_of(const GError *error)
{
	if (error == NULL)
		return FAILURE_NONE;
	if (error->domain != ABRUN_ERROR)
		return FAILURE_STEP_FAILED;
	const AbrunErrorPrivate *private = abrun_error_get_private(error);
	return private->failure != FAILURE_NONE
	    ? private->failure
	    : failure_of_code((AbrunError)error->code);
}
