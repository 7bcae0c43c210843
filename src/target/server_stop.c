#include "target/server.h"

#include <string.h>

#include "base/deadline.h"
#include "base/text.h"
#include "target/server_control.h"

enum {
	/*
	 * Of one that has never answered, and so holds nothing: a mariadbd
	 * that gets TERM while it starts may neither go on nor end.
	 */
	GIVE_UP_MS = 10000,
	STOP_MARGIN_MS = 10000, /* beyond what the verbs themselves wait */
	ENDED_BYTES = 400,      /* of a list of processes */
};

static bool
is_own_life(const ServerControl *control, const ServerLife *life)
{
	return control->running && control->life.pid == life->pid &&
	    g_strcmp0(control->life.start, life->start) == 0;
}

/* The user's stop command, then the end of the process, if it is known. */
static void
add_stop_command(const ServerControl *control, VerbCall *call, const char *pid,
    const char *start, const char *wait)
{
	verb_call_add(call, "server_run", control->work_dir, "stop", wait, "",
	    "0", control->server->stop, NULL);
	if (start != NULL)
		verb_call_add(call, "server_gone", pid, start, wait, NULL);
}

/* The service manager's stop, then the same. */
static void
add_stop_service(const ServerControl *control, VerbCall *call, const char *pid,
    const char *start, const char *wait)
{
	verb_call_add(
	    call, "service_stop", control->server->service, wait, NULL);
	if (start != NULL)
		verb_call_add(call, "server_gone", pid, start, wait, NULL);
}

void
server_add_stop(ServerControl *control, VerbCall *call, const ServerLife *life)
{
	g_autofree char *pid = g_strdup_printf("%" G_GINT64_FORMAT, life->pid);
	const int64_t whole = control->server->stop_timeout_ms;
	g_autofree char *wait = g_strdup_printf("%" G_GINT64_FORMAT,
	    control->given_up ? MIN(whole, GIVE_UP_MS) : whole);

	control_disconnect(control->sql);
	if (control->server->kind == SERVER_OTHER)
		add_stop_command(control, call, pid, life->start, wait);
	else if (control->server->kind == SERVER_SERVICE)
		add_stop_service(control, call, pid, life->start, wait);
	else
		verb_call_add(call, "server_stop", pid, life->start, wait,
		    control->server->socket, NULL);
}

Deadline
server_stop_deadline(const ServerControl *control)
{
	return deadline_in(
	    2 * control->server->stop_timeout_ms + STOP_MARGIN_MS);
}

/* Says what the stop command said where that is why the process lives on. */
static bool
command_stopped(
    const VerbAnswer *command, const VerbAnswer *gone, GError **error)
{
	if (gone != NULL && gone->status == VERB_DONE)
		return true;
	if (!verb_answer_check(command, error)) {
		g_prefix_error(error, "it could not be stopped: ");
		return false;
	}
	if (gone == NULL || verb_answer_check(gone, error))
		return true;
	g_prefix_error(error, "after its stop: ");
	return false;
}

static void
keep_ended(ServerControl *control, const VerbAnswer *answer)
{
	g_autoptr(GPtrArray) left = verb_answer_all(answer, "left");

	if (control->ended != NULL)
		g_ptr_array_unref(control->ended);
	control->ended = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < left->len; i++)
		g_ptr_array_add(control->ended, g_strdup(left->pdata[i]));
}

char *
server_ended_too(const ServerControl *control)
{
	g_autoptr(GString) text = g_string_new(NULL);

	if (control->ended == NULL || control->ended->len == 0)
		return NULL;
	for (guint i = 0; i < control->ended->len; i++)
		g_string_append_printf(text, "%s%s", i == 0 ? "" : ", ",
		    (const char *)control->ended->pdata[i]);
	return text_printable(text->str, ENDED_BYTES);
}

bool
server_stopped(ServerControl *control, const ServerLife *life,
    const GPtrArray *answers, GError **error)
{
	const bool command = control->server->kind != SERVER_COMMAND;
	const VerbAnswer *first = g_ptr_array_index(answers, 0);
	const VerbAnswer *last = !command ? first
	    : life->start == NULL         ? NULL
					  : g_ptr_array_index(answers, 1);
	const VerbAnswer *end = last != NULL ? last : first;

	keep_ended(control, first);
	if (is_own_life(control, life) &&
	    (end->status == VERB_DONE ||
		g_strcmp0(verb_answer_get(end, "ended"), "kill") == 0))
		control->running = false;
	if (command ? command_stopped(first, last, error)
		    : verb_answer_check(first, error))
		return true;
	if (life->pid != 0)
		g_prefix_error(
		    error, "the server, pid %" G_GINT64_FORMAT ": ", life->pid);
	return false;
}

bool
server_stop(ServerControl *control, const ServerLife *life, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	/* Of a start that is not known to be over only its command knows. */
	if (life->start == NULL && !is_own_life(control, life))
		return true;
	server_add_stop(control, call, life);
	return target_call(control->target, call, server_stop_deadline(control),
		   &answers, error) &&
	    server_stopped(control, life, answers, error);
}
