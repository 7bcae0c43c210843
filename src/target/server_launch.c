#include "target/server_control.h"

#include <string.h>

#include "base/deadline.h"
#include "base/failure.h"
#include "base/text.h"
#include "target/startup.h"

enum { LAUNCH_MARGIN_MS = 10000 }; /* beyond what a start command may take */

/* The words CPUSET N ENV1...ENVN COMMAND, which end a verb's; NULL comes last.
 */
static void
add_cell(GPtrArray *words, const GPtrArray *settings, const char *command)
{
	g_autoptr(GPtrArray) environment = startup_environment(settings);

	g_ptr_array_add(words, g_strdup(startup_cpus(settings)));
	g_ptr_array_add(words, g_strdup_printf("%u", environment->len));
	for (guint i = 0; i < environment->len; i++)
		g_ptr_array_add(
		    words, g_strdup(g_ptr_array_index(environment, i)));
	g_ptr_array_add(words, g_strdup(command));
	g_ptr_array_add(words, NULL);
}

/* The server itself, executed by us. */
static void
add_command(
    const ServerControl *control, VerbCall *call, const GPtrArray *settings)
{
	const Server *server = control->server;
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *command = startup_command(server, settings);

	g_ptr_array_add(words, g_strdup(control->work_dir));
	g_ptr_array_add(
	    words, g_strdup(server->run_as == NULL ? "" : server->run_as));
	add_cell(words, settings, command);
	verb_call_addv(call, "server_start", (const char *const *)words->pdata);
}

/* The user's start command, which may leave the server behind. */
static void
add_start_command(
    const ServerControl *control, VerbCall *call, const GPtrArray *settings)
{
	const Server *server = control->server;
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(words, g_strdup(control->work_dir));
	g_ptr_array_add(words, g_strdup("start"));
	g_ptr_array_add(words,
	    g_strdup_printf("%" G_GINT64_FORMAT, server->start_timeout_ms));
	add_cell(words, settings, server->start);
	verb_call_addv(call, "server_run", (const char *const *)words->pdata);
}

/* The cell's options of a mysqld, for the variable that units take. */
static char *
options_text(const GPtrArray *settings, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = g_ptr_array_index(settings, i);

		if (setting->kind != SETTING_MYSQLD)
			continue;
		if (strpbrk(setting->value, " \t\n") != NULL) {
			failure_set(error, FAILURE_MATRIX_ERROR,
			    ABRUN_ERROR_USAGE,
			    "mysqld %s=%s: the options of a service cannot "
			    "hold blanks",
			    setting->name, setting->value);
			return NULL;
		}
		g_string_append_printf(text, "%s--%s=%s",
		    text->len == 0 ? "" : " ", setting->name, setting->value);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* A service of the host, which is stopped. */
static bool
add_service(const ServerControl *control, VerbCall *call,
    const GPtrArray *settings, GError **error)
{
	const Server *server = control->server;
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *options = options_text(settings, error);

	if (options == NULL)
		return false;
	g_ptr_array_add(words, g_strdup(server->service));
	g_ptr_array_add(words,
	    g_strdup_printf("%" G_GINT64_FORMAT, server->start_timeout_ms));
	add_cell(words, settings, "-");
	/* Behind the CPUs. */
	g_ptr_array_insert(words, 3, g_strdup(options));
	verb_call_addv(
	    call, "service_start", (const char *const *)words->pdata);
	return true;
}

static bool
learn_command(ServerControl *control, const VerbAnswer *started, GError **error)
{
	const char *pid = verb_answer_get(started, "pid");
	const char *start = verb_answer_get(started, "start");

	if (!verb_answer_check(started, error))
		return false;
	if (pid == NULL || start == NULL ||
	    !text_parse_int(pid, 1, INT32_MAX, &control->life.pid, NULL)) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_VERIFY,
		    "the server was started, but the answer does not tell "
		    "which process it is");
		return false;
	}
	control->life.start = g_strdup(start);
	control->running = true;
	return true;
}

/* When it was started, by the clock that starts of processes are told in. */
static bool
learn_start_command(
    ServerControl *control, const VerbAnswer *started, GError **error)
{
	const char *clock = verb_answer_get(started, "clock");
	GError *failure = NULL;

	if (!verb_answer_check(started, &failure)) {
		if (control->server->kind == SERVER_OTHER)
			g_prefix_error(&failure, "server.start: ");
		if (failure_of(failure) == FAILURE_STEP_FAILED)
			failure_mark(&failure, FAILURE_SERVER_EXITED);
		g_propagate_error(error, failure);
		return false;
	}
	control->life.invocation =
	    g_strdup(verb_answer_get(started, "invocation"));
	control->life.environment_files =
	    g_strdup(verb_answer_get(started, "environment_files"));
	if (clock != NULL &&
	    text_parse_int(clock, 0, INT64_MAX, &control->clock, NULL))
		return true;
	failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_VERIFY,
	    "the server was started, but the answer does not tell when");
	return false;
}

static bool
learn_boot(ServerControl *control, const VerbAnswer *boot, GError **error)
{
	const char *boot_id = verb_answer_get(boot, "boot_id");

	if (!verb_answer_check(boot, error))
		return false;
	if (boot_id == NULL) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_VERIFY,
		    "the server was started, but the answer does not tell on "
		    "which boot");
		return false;
	}
	control->life.boot_id = g_strdup(boot_id);
	return true;
}

bool
server_launch(ServerControl *control, const GPtrArray *settings, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	const bool command = control->server->kind == SERVER_COMMAND;

	if (command)
		add_command(control, call, settings);
	else if (control->server->kind == SERVER_OTHER)
		add_start_command(control, call, settings);
	else if (!add_service(control, call, settings, error))
		return false;
	verb_call_add(call, "boot_id", NULL);
	control->started_us = deadline_now_us();
	control->clock = 0;
	server_life_clear(&control->life);
	/* Also one that failed may have left a server behind. */
	control->running = !command;
	if (!target_call(control->target, call,
		deadline_in(
		    control->server->start_timeout_ms + LAUNCH_MARGIN_MS),
		&answers, error))
		return false;
	return (command ? learn_command(control, answers->pdata[0], error)
			: learn_start_command(
			      control, answers->pdata[0], error)) &&
	    learn_boot(control, answers->pdata[1], error);
}
