#include "target/server_control.h"

#include <string.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/failure.h"
#include "base/text.h"
#include "target/server_proof.h"
#include "target/startup.h"

enum {
	TRY_MS = 5000, /* one attempt to connect */
	POLL_FIRST_MS = 20,
	POLL_VERBS_MS = 100, /* a look by verbs costs the host more */
	POLL_LAST_MS = 250,
	POLL_QUICK_MS = 2000, /* for so long at the first pace */
	LOOK_FIRST_MS = 1500, /* at the process, while nobody answers */
	LOOK_LAST_MS = 2000,
	LOG_BYTES = 16384,
};

/* What the server says of itself in its first answer. */
typedef struct {
	char *version;
	int64_t uptime_s;
} FirstAnswer;

static bool
ask_once(ServerControl *control, Deadline deadline, FirstAnswer *answer,
    GError **error)
{
	g_autoptr(GPtrArray) version = NULL;
	g_autoptr(GPtrArray) uptime = NULL;

	if (!control_connect(control->sql, NULL, deadline, error))
		return false;
	version = control_rows(control->sql, "SELECT @@version", error);
	if (version != NULL)
		uptime = control_rows(
		    control->sql, "SHOW GLOBAL STATUS LIKE 'Uptime'", error);
	control_disconnect(control->sql);
	if (uptime == NULL)
		return false;
	if (version->len != 1 || uptime->len != 1 ||
	    g_strv_length(g_ptr_array_index(uptime, 0)) != 2) {
		failure_set(error, FAILURE_PROOF_UNKNOWN, ABRUN_ERROR_VERIFY,
		    "the server tells neither version nor uptime");
		return false;
	}

	char *const *uptime_row = g_ptr_array_index(uptime, 0);
	char *const *version_row = g_ptr_array_index(version, 0);

	if (!text_parse_int(
		uptime_row[1], 0, INT64_MAX, &answer->uptime_s, error))
		return false;
	answer->version = g_strdup(version_row[0]);
	return true;
}

/* Whether an error of asking says that it is too early. */
static bool
may_come(const GError *error)
{
	return g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_HOST) ||
	    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_TIMEOUT);
}

/*
 * One attempt.  Where it is not ready yet *trouble says why; false only when
 * waiting is no use.
 */
static bool
try_once(ServerControl *control, Deadline deadline, FirstAnswer *answer,
    char **trouble, GError **error)
{
	g_autoptr(GError) failure = NULL;
	bool ready = false;

	*trouble = NULL;
	if ((control->server->ready != NULL || !control->server->mysqld) &&
	    !server_look_ready(control, deadline, &ready, trouble, error))
		return false;
	if (*trouble != NULL || !control->server->mysqld)
		return true;
	if (ask_once(control, deadline, answer, &failure))
		return true;
	if (!may_come(failure)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	*trouble = g_strdup(failure->message);
	return true;
}

/* A look at the process, while nobody answers. */
typedef struct {
	char *said;     /* by its log, so far */
	bool listening; /* it listens at the address that is asked */
} Look;

static void
look_clear(Look *look)
{
	g_free(look->said);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Look, look_clear)

static bool
is_listening(const VerbAnswer *owner, const char *pid)
{
	return owner->status == VERB_DONE &&
	    g_strcmp0(verb_answer_get(owner, "pid"), pid) == 0;
}

/* Not where it cannot be told. */
static bool
lives_on(const ServerControl *control, const VerbAnswer *process)
{
	const char *start = verb_answer_get(process, "start");

	return process->status != VERB_ABSENT &&
	    (process->status != VERB_DONE || start == NULL ||
		strcmp(start, control->life.start) == 0);
}

/* False with what its log says when the process is gone. */
static bool
still_alive(
    ServerControl *control, const char *work_dir, Look *look, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autofree char *pid =
	    g_strdup_printf("%" G_GINT64_FORMAT, control->life.pid);
	g_autofree char *bytes = g_strdup_printf("%d", LOG_BYTES);
	const bool known = control->life.start != NULL;

	verb_call_add(call, "server_log", work_dir, bytes, NULL);
	if (known)
		verb_call_add(call, "process", pid, NULL);
	/* The socket, if there is one, is what is asked. */
	server_add_owners(call, control->server);
	if (!target_call(control->target, call, deadline_in(SERVER_CALL_MS),
		&answers, error))
		return false;

	const char *log = verb_answer_get(g_ptr_array_index(answers, 0), "log");
	g_autofree char *said = startup_reason(log == NULL ? "" : log);

	if (!known || lives_on(control, g_ptr_array_index(answers, 1))) {
		g_free(look->said);
		look->said = g_steal_pointer(&said);
		look->listening = known && answers->len > 2 &&
		    is_listening(g_ptr_array_index(answers, 2), pid);
		return true;
	}
	control->running = false;
	failure_set(error, FAILURE_SERVER_EXITED, ABRUN_ERROR_FAILED,
	    "the server exited before it answered: %s", said);
	return false;
}

/* It listens since the last look, but sshd passes nothing on to it. */
static bool
is_shut_out(const ServerControl *control, const char *trouble, GError **error)
{
	failure_set(error, FAILURE_NO_TUNNEL, ABRUN_ERROR_HOST,
	    "the server listens at %s, but no connection is let through to "
	    "it: allow it in sshd_config (AllowTcpForwarding, "
	    "AllowStreamLocalForwarding, DisableForwarding, PermitOpen) and "
	    "authorized_keys, and see that this login may open the socket "
	    "(%s)",
	    control_address(control->sql), trouble);
	return false;
}

/* Waits for the first answer; what it says goes to *answer. */
static bool
wait_for_answer(ServerControl *control, const char *work_dir, Deadline deadline,
    FirstAnswer *answer, GError **error)
{
	int64_t look_ms = LOOK_FIRST_MS;
	int64_t pause_ms =
	    control->server->mysqld ? POLL_FIRST_MS : POLL_VERBS_MS;
	Deadline next = deadline_in(look_ms);
	const Deadline quick = deadline_in(POLL_QUICK_MS);
	g_auto(Look) look = { 0 };

	for (;;) {
		g_autofree char *trouble = NULL;

		if (!try_once(control,
			deadline_min(deadline, deadline_in(TRY_MS)), answer,
			&trouble, error))
			return false;
		if (trouble == NULL)
			return true;
		if (deadline_passed(next) || deadline_passed(deadline)) {
			if (look.listening && control_refused(control->sql))
				return is_shut_out(control, trouble, error);
			if (!still_alive(control, work_dir, &look, error))
				return false;
			look_ms = MIN(2 * look_ms, LOOK_LAST_MS);
			next = deadline_in(look_ms);
		}
		if (deadline_passed(deadline)) {
			failure_set(error, FAILURE_SERVER_SILENT,
			    ABRUN_ERROR_TIMEOUT,
			    "the server did not answer in time: %s; its "
			    "log: %s",
			    trouble, look.said);
			return false;
		}
		if (!cancel_sleep(target_cancel(control->target),
			deadline_min(deadline, deadline_in(pause_ms)), error))
			return false;
		if (deadline_passed(quick))
			pause_ms = MIN(2 * pause_ms, POLL_LAST_MS);
	}
}

bool
server_wait_until_ready(ServerControl *control, const char *work_dir,
    Deadline deadline, ServerLife *life, GError **error)
{
	FirstAnswer answer = { 0 };

	if (!wait_for_answer(control, work_dir, deadline, &answer, error))
		return false;
	if (!server_adopt(control, error)) {
		g_free(answer.version);
		return false;
	}
	life->version = answer.version;
	life->ready_ms = (deadline_now_us() - control->started_us) / 1000;
	if (control->server->mysqld &&
	    answer.uptime_s > server_uptime_limit(control)) {
		failure_set(error, FAILURE_STALE_SERVER, ABRUN_ERROR_VERIFY,
		    "the server that answers at %s has been up for "
		    "%" G_GINT64_FORMAT " s, longer than the one just started",
		    control_address(control->sql), answer.uptime_s);
		return false;
	}
	life->pid = control->life.pid;
	life->start = g_strdup(control->life.start);
	life->boot_id = g_strdup(control->life.boot_id);
	life->invocation = g_strdup(control->life.invocation);
	life->environment_files = g_strdup(control->life.environment_files);
	life->exe_identity = g_strdup(control->known_identity);
	return true;
}
