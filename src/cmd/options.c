#include <stdio.h>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"

static gboolean
quieter(const char *name, const char *value, gpointer data, GError **error)
{
	(void)name;
	(void)value;
	(void)data;
	(void)error;
	log_set_level(LOG_QUIET);
	return TRUE;
}

static gboolean
louder(const char *name, const char *value, gpointer data, GError **error)
{
	(void)name;
	(void)value;
	(void)data;
	(void)error;
	log_set_level(LOG_VERBOSE);
	return TRUE;
}

static const GOptionEntry common[] = {
	{ "quiet", 'q', G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK,
	    (gpointer)quieter, "Say only what went wrong", NULL },
	{ "verbose", 'v', G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK,
	    (gpointer)louder, "Say every step", NULL },
	{ 0 },
};

bool
cmd_options(const Command *command, const GOptionEntry *entries, int wanted,
    int *argc, char ***argv, int *status)
{
	g_autoptr(GOptionContext) context =
	    g_option_context_new(command->arguments);
	g_autoptr(GError) failure = NULL;
	g_autofree char *program = g_strdup_printf("abrun %s", command->name);

	g_set_prgname(program);
	g_option_context_set_summary(context, command->help);
	g_option_context_set_help_enabled(context, FALSE);
	if (entries != NULL)
		g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_add_main_entries(context, common, NULL);

	for (int i = 1; i < *argc; i++)
		if (g_strcmp0((*argv)[i], "--help") == 0 ||
		    g_strcmp0((*argv)[i], "-h") == 0) {
			g_autofree char *help =
			    g_option_context_get_help(context, TRUE, NULL);
			(void)fputs(help, stdout);
			*status = EXIT_OK;
			return false;
		}
	if (!g_option_context_parse(context, argc, argv, &failure)) {
		(void)fprintf(
		    stderr, "abrun %s: %s\n", command->name, failure->message);
		*status = EXIT_USAGE;
		return false;
	}
	/* GLib leaves it where what follows begins with a '-'. */
	if (*argc > 1 && g_strcmp0((*argv)[1], "--") == 0) {
		(*argv)++;
		(*argc)--;
	}
	const int given = *argc - 1;
	if (wanted < 0 ? given > -wanted : given != wanted) {
		(void)fprintf(stderr,
		    "usage: abrun %s [options] %s\n"
		    "(abrun %s --help tells more)\n",
		    command->name, command->arguments, command->name);
		*status = EXIT_USAGE;
		return false;
	}
	return true;
}

int
cmd_fail(const GError *error)
{
	g_autofree char *safe = text_printable_lines(error->message);

	(void)fprintf(stderr, "abrun: %s\n", safe);
	if (g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE))
		return EXIT_USAGE;
	if (g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE))
		return EXIT_NOT_STORED;
	return EXIT_NOTHING;
}
