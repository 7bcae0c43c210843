/*
 * Drives target/server.h from shell tests.
 *
 *     servertool OPTIONS ACTION...
 *
 * --set and --subject take KIND:NAME=VALUE, or KIND:VALUE for kinds without a
 * name; what is set is a subject too.  Actions, in order:
 *
 *     start        prints "started pid=PID start=START version=VERSION"
 *     prove        a line a proof: "proof VERDICT WHAT ABOUT: seen SEEN"
 *     stop         prints "stopped"
 *     forget       goes on as a program that knows of no server started
 *     query=SQL    prints "value: VALUE"
 *     sh=COMMAND   run here, with PID of the server in its environment; not
 *                  where none was started
 *     rounds       prints the round trips since the last time
 *
 * An error is printed as "error CODE: MESSAGE", with CODE as in base/error.h,
 * and the next action follows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/file.h"
#include "target/control.h"
#include "target/server.h"
#include "target/target.h"

enum { PROGRAM_BYTES = 1 << 20 };

typedef struct {
	Host host;
	Server server;
	char *program, *work_dir, *user;
	int cancel_ms, start_ms, stop_ms;
	char **set, **subject, **actions;
} Options;

typedef struct {
	const Options *options;
	GPtrArray *settings, *subjects;
	Target *target;
	ServerControl *control;
	ServerLife life;
	size_t rounds;
} Session;

static bool
check(bool ok, GError **error)
{
	static const char *const codes[] = { "USAGE", "HOST", "TIMEOUT",
		"FAILED", "VERIFY", "CANCELLED", "STORE" };

	if (ok)
		return true;
	printf("error %s: %s\n", codes[(*error)->code], (*error)->message);
	g_clear_error(error);
	return false;
}

static Setting *
read_setting(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ":", 2);
	Setting *setting = g_new0(Setting, 1);
	const char *equals = strchr(parts[1], '=');
	int kind = 0;

	while (kind < SETTING_KINDS &&
	    strcmp(setting_kind_name((SettingKind)kind), parts[0]) != 0)
		kind++;
	g_assert(kind < SETTING_KINDS);
	setting->kind = (SettingKind)kind;
	if (setting->kind == SETTING_PRELOAD ||
	    setting->kind == SETTING_CPUSET || equals == NULL) {
		setting->name = g_strdup("");
		setting->value = g_strdup(parts[1]);
	} else {
		setting->name = g_strndup(parts[1], (gsize)(equals - parts[1]));
		setting->value = g_strdup(equals + 1);
	}
	return setting;
}

static void
free_setting(gpointer data)
{
	Setting *setting = data;

	g_free(setting->name);
	g_free(setting->value);
	g_free(setting);
}

static GPtrArray *
read_settings(char **first, char **second)
{
	GPtrArray *settings = g_ptr_array_new_with_free_func(free_setting);

	for (char **text = first; text != NULL && *text != NULL; text++)
		g_ptr_array_add(settings, read_setting(*text));
	for (char **text = second; text != NULL && *text != NULL; text++)
		g_ptr_array_add(settings, read_setting(*text));
	return settings;
}

static void
start(Session *session)
{
	g_autoptr(GError) error = NULL;

	if (check(server_start(session->control, session->settings,
		      session->subjects, session->options->work_dir,
		      &session->life, &error) &&
		    server_identify(session->control, &session->life, &error),
		&error))
		printf("started pid=%" G_GINT64_FORMAT
		       " start=%s exe=%s version=%s\n",
		    session->life.pid, session->life.start, session->life.exe,
		    session->life.version);
}

static void
prove(Session *session)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GPtrArray) proofs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);

	server_prove_ask(call, &session->options->server, &session->life,
	    session->settings, session->subjects);
	if (!check(target_call(session->target, call, deadline_in(20000),
		       &answers, &error),
		&error) ||
	    !check(server_prove_judge(session->control, call, answers,
		       &session->life, session->settings, session->subjects,
		       proofs, &error),
		&error))
		return;
	for (guint i = 0; i < proofs->len; i++) {
		const Proof *proof = g_ptr_array_index(proofs, i);

		printf("proof %s %s %s: wanted %s, seen %s\n",
		    proof_verdict_name(proof->verdict), proof->what,
		    proof->about, proof->wanted, proof->seen);
	}
	g_autofree char *failures = proofs_failures(proofs);
	printf("holds: %s\n", failures == NULL ? "yes" : "no");
}

static void
query(Session *session, const char *sql)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *value =
	    server_query_value(session->control, sql, &error);

	if (check(value != NULL, &error))
		printf("value: %s\n", value);
}

static void
shell(const Session *session, const char *command)
{
	g_autofree char *pid =
	    g_strdup_printf("%" G_GINT64_FORMAT, session->life.pid);

	/* Process 0 would be our own group. */
	if (session->life.pid == 0) {
		printf("no server for: %s\n", command);
		return;
	}
	g_setenv("PID", pid, TRUE);
	(void)fflush(stdout);
	if (system(command) != 0)
		printf("failed: %s\n", command);
}

static void
act(Session *session, const char *action)
{
	g_autoptr(GError) error = NULL;
	size_t rounds = target_round_trips(session->target);

	if (strcmp(action, "start") == 0)
		start(session);
	else if (strcmp(action, "prove") == 0)
		prove(session);
	else if (strcmp(action, "stop") == 0) {
		if (check(server_stop(session->control, &session->life, &error),
			&error))
			printf("stopped\n");
	} else if (strcmp(action, "forget") == 0) {
		server_control_free(session->control);
		session->control = server_control_new(
		    session->target, &session->options->server);
	} else if (g_str_has_prefix(action, "query="))
		query(session, action + strlen("query="));
	else if (g_str_has_prefix(action, "sh="))
		shell(session, action + strlen("sh="));
	else if (strcmp(action, "rounds") == 0) {
		printf("rounds: %zu\n", rounds - session->rounds);
		session->rounds = rounds;
	} else
		printf("what is %s?\n", action);
	(void)fflush(stdout);
}

static bool
read_options(Options *options, int *argc, char ***argv)
{
	Host *host = &options->host;
	Server *server = &options->server;
	g_autoptr(GError) error = NULL;
	const GOptionEntry entries[] = {
#define WORD(name, where) { name, 0, 0, G_OPTION_ARG_STRING, where, NULL, NULL }
		WORD("config", &host->ssh_config),
		WORD("address", &host->address),
		WORD("program", &options->program),
		WORD("work-dir", &options->work_dir),
		WORD("command", &server->command),
		WORD("datadir", &server->datadir),
		WORD("socket", &server->socket),
		WORD("user", &options->user),
		WORD("run-as", &server->run_as),
		WORD("option-file", &server->option_file),
		WORD("password-env", &server->password_env),
#undef WORD
		{ "port", 0, 0, G_OPTION_ARG_INT, &server->port, NULL, NULL },
		{ "start-ms", 0, 0, G_OPTION_ARG_INT, &options->start_ms, NULL,
		    NULL },
		{ "stop-ms", 0, 0, G_OPTION_ARG_INT, &options->stop_ms, NULL,
		    NULL },
		{ "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->set, NULL,
		    NULL },
		{ "subject", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->subject,
		    NULL, NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY,
		    &options->actions, NULL, NULL },
		{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);

	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, argc, argv, &error)) {
		printf("%s\n", error->message);
		return false;
	}
	return options->actions != NULL && options->program != NULL;
}

static void
free_options(Options *options)
{
	char *const words[] = { options->host.ssh_config, options->host.address,
		options->program, options->work_dir, options->server.command,
		options->server.datadir, options->server.socket, options->user,
		options->server.run_as, options->server.option_file,
		options->server.password_env };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		g_free(words[i]);
	g_strfreev(options->set);
	g_strfreev(options->subject);
	g_strfreev(options->actions);
}

int
main(int argc, char **argv)
{
	Options options = { .start_ms = 20000, .stop_ms = 10000 };
	g_autofree char *program = NULL;
	g_autoptr(Cancel) cancel = cancel_new(NULL);
	Session session = { .options = &options };
	size_t length = 0;

	options.host.name = (char *)"lab";
	options.host.ssh = (char *)"lab";
	options.server.kind = SERVER_COMMAND;
	options.server.mysqld = true;
	options.server.db = (char *)"test";
	if (!read_options(&options, &argc, &argv))
		return 2;
	options.server.user =
	    options.user != NULL ? options.user : (char *)"root";
	options.server.start_timeout_ms = options.start_ms;
	options.server.stop_timeout_ms = options.stop_ms;
	program = file_read(options.program, PROGRAM_BYTES, &length, NULL);
	if (program == NULL || !control_library_init(NULL))
		return 2;
	session.settings = read_settings(options.set, NULL);
	session.subjects = read_settings(options.set, options.subject);
	session.target = target_new(&options.host, program, NULL, cancel);
	session.control = server_control_new(session.target, &options.server);
	for (char **action = options.actions; *action != NULL; action++)
		act(&session, *action);
	server_control_free(session.control);
	target_free(session.target);
	server_life_clear(&session.life);
	free_options(&options);
	g_ptr_array_unref(session.settings);
	g_ptr_array_unref(session.subjects);
	control_library_end();
	return 0;
}
