/*
 * Drives target/target.h from shell tests.
 *
 *     targettool OPTIONS VERB [ARG...] [, VERB [ARG...]]...
 *
 * Calls the verbs in one call on the alias --ssh of --config, --repeat times
 * on one target, in boot --boot.  With --kernel it boots that instead, and
 * waits
 * --timeout for each of both ways; the words are settings of the loader, after
 * the id of the default, and "ready" or the name of the end is told.  Prints
 * each answer as the program does by hand, escapes left out where a terminal
 * can show the character: "verb STATUS", or "verb STATUS torn", then "
 * key=value"; at the end "round trips: N". Errors are printed as "error: CODE:
 * MESSAGE", warnings as "warning: MESSAGE"; the exit status is 0 unless there
 * was an error.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/failure.h"
#include "base/file.h"
#include "base/text.h"
#include "canceller.h"
#include "target/boot.h"
#include "target/target.h"

enum { PROGRAM_BYTES = 1 << 20, VALUE_BYTES = 1 << 20 };

typedef struct {
	char *ssh, *config, *program, *noise, *path, *between, *boot, *kernel;
	gboolean sudo;
	int timeout_ms, cancel_ms, repeat;
	char **words;
} Options;

static int
fail(const GError *error)
{
	printf("error: %d: %s\n", error->code, error->message);
	return 1;
}

static VerbCall *
read_call(char *const *words)
{
	VerbCall *call = verb_call_new();

	while (*words != NULL) {
		g_autoptr(GPtrArray) arguments = g_ptr_array_new();
		const char *verb = *words++;

		while (*words != NULL && strcmp(*words, ",") != 0)
			g_ptr_array_add(arguments, *words++);
		g_ptr_array_add(arguments, NULL);
		verb_call_addv(
		    call, verb, (const char *const *)arguments->pdata);
		if (*words != NULL)
			words++;
	}
	return call;
}

static void
print_answers(const GPtrArray *answers)
{
	for (guint i = 0; i < answers->len; i++) {
		const VerbAnswer *answer = g_ptr_array_index(answers, i);

		printf("%s %d%s\n", answer->verb, (int)answer->status,
		    answer->whole ? "" : " torn");
		for (guint k = 0; k < answer->keys->len; k++) {
			g_autofree char *value = text_printable(
			    g_ptr_array_index(answer->values, k), VALUE_BYTES);
			printf("  %s=%s\n",
			    (const char *)g_ptr_array_index(answer->keys, k),
			    value);
		}
	}
}

static void
print_warnings(Target *target)
{
	g_autoptr(GPtrArray) warnings = target_warnings(target);

	for (guint i = 0; i < warnings->len; i++)
		printf("warning: %s\n",
		    (const char *)g_ptr_array_index(warnings, i));
}

static int
call_all(Target *target, const Options *options)
{
	g_autoptr(VerbCall) call = read_call(options->words);
	int status = 0;

	for (int i = 0; i < options->repeat; i++) {
		g_autoptr(GPtrArray) answers = NULL;
		g_autoptr(GError) error = NULL;

		if (i > 0 && options->between != NULL &&
		    !g_spawn_command_line_sync(
			options->between, NULL, NULL, NULL, &error))
			return fail(error);
		if (target_call(target, call, deadline_in(options->timeout_ms),
			&answers, &error))
			print_answers(answers);
		else
			status = fail(error);
		print_warnings(target);
	}
	printf("round trips: %zu\n", target_round_trips(target));
	printf("fingerprint: %s\n",
	    target_fingerprint(target) == NULL ? "none"
					       : target_fingerprint(target));
	return status;
}

static int
boot(Target *target, const Options *options)
{
	const BootOrder order = {
		.kernel = options->kernel,
		.fallback = options->words[0],
		.settings = (const char *const *)options->words + 1,
		.limit_ms = options->timeout_ms,
	};
	g_auto(BootResult) result = { 0 };
	g_autoptr(GError) error = NULL;

	if (boot_run(target, &order, &result, &error)) {
		printf("ready: build %s\n", result.kernel_id);
		return 0;
	}
	printf("%s: %s\n", failure_name(failure_of(error)), error->message);
	return fail(error);
}

static int
run(const Options *options)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Cancel) cancel = cancel_new(&error);
	g_autofree char *program = cancel == NULL
	    ? NULL
	    : file_read(options->program, PROGRAM_BYTES, NULL, &error);

	if (program == NULL)
		return fail(error);
	const Host host = {
		.name = options->ssh,
		.ssh = options->ssh,
		.ssh_config = options->config,
		.sudo = options->sudo,
		.path = options->path,
	};
	g_autoptr(Target) target =
	    target_new(&host, program, options->noise, cancel);
	target_set_boot(target, options->boot);
	Canceller canceller = {
		.cancel = cancel,
		.after_ms = options->cancel_ms,
	};
	canceller_start(&canceller);
	const int status = options->kernel != NULL ? boot(target, options)
						   : call_all(target, options);
	canceller_join(&canceller);
	return status;
}

int
main(int argc, char **argv)
{
	Options o = { .timeout_ms = 20000, .repeat = 1 };
	const GOptionEntry entries[] = {
		{ "ssh", 0, 0, G_OPTION_ARG_STRING, &o.ssh, NULL, NULL },
		{ "config", 0, 0, G_OPTION_ARG_STRING, &o.config, NULL, NULL },
		{ "program", 0, 0, G_OPTION_ARG_STRING, &o.program, NULL,
		    NULL },
		{ "noise", 0, 0, G_OPTION_ARG_STRING, &o.noise, NULL, NULL },
		{ "path", 0, 0, G_OPTION_ARG_STRING, &o.path, NULL, NULL },
		{ "between", 0, 0, G_OPTION_ARG_STRING, &o.between, NULL,
		    NULL },
		{ "boot", 0, 0, G_OPTION_ARG_STRING, &o.boot, NULL, NULL },
		{ "kernel", 0, 0, G_OPTION_ARG_STRING, &o.kernel, NULL, NULL },
		{ "sudo", 0, 0, G_OPTION_ARG_NONE, &o.sudo, NULL, NULL },
		{ "timeout", 0, 0, G_OPTION_ARG_INT, &o.timeout_ms, NULL,
		    NULL },
		{ "cancel", 0, 0, G_OPTION_ARG_INT, &o.cancel_ms, NULL, NULL },
		{ "repeat", 0, 0, G_OPTION_ARG_INT, &o.repeat, NULL, NULL },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.words,
		    NULL, NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GError) error = NULL;
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);

	(void)signal(SIGPIPE, SIG_IGN);
	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_set_strict_posix(context, TRUE);
	if (!g_option_context_parse(context, &argc, &argv, &error) ||
	    o.words == NULL || o.ssh == NULL || o.program == NULL) {
		fprintf(stderr, "targettool: %s\n",
		    error == NULL ? "--ssh, --program and verbs are needed"
				  : error->message);
		return 2;
	}
	const int status = run(&o);
	char *const owned[] = { o.ssh, o.config, o.program, o.noise, o.path,
		o.between, o.boot, o.kernel };
	for (size_t i = 0; i < G_N_ELEMENTS(owned); i++)
		g_free(owned[i]);
	g_strfreev(o.words);
	return status;
}
