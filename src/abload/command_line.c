#include "abload/command_line.h"

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* An option of ours, and where its word goes. */
typedef struct {
	const char *name, *help, *value; /* no value: a flag */
	size_t offset;
	char letter; /* 0: none */
} Row;

#define TEXT(name, member, help, value)                                        \
	{                                                                      \
		name, help, value, offsetof(CommandLine, member), 0            \
	}
#define FLAG(name, member, help, letter)                                       \
	{                                                                      \
		name, help, NULL, offsetof(CommandLine, member), letter        \
	}

static const Row of_smack[] = {
	{ "db-type", "Kind of server: mysql", "mysql",
	    offsetof(CommandLine, database_type), 'd' },
	{ "datadir", "Where data files are looked for", "DIR",
	    offsetof(CommandLine, datadir), 'D' },
	FLAG("version", version, "Say the version", 'V'),
	FLAG("help", help, "Say this", 'h'),
};

static const Row ours[] = {
	TEXT("clients", clients, "So many, whatever the script says", "N"),
	TEXT("rounds", rounds, "So many of each client", "N"),
	TEXT("duration", duration, "So long, instead of rounds", "TIME"),
	TEXT("warmup", warmup, "So long before it counts", "TIME"),
	TEXT("warmup-rounds", warmup_rounds, "So many before it counts", "N"),
	TEXT("rate", rate, "Queries a second, due one after the other", "N"),
	TEXT("arrival", arrival, "uniform or poisson, with --rate", "WORD"),
	TEXT("protocol", protocol, "text or prepared", "WORD"),
	TEXT("seed", seed, "Of all that is drawn (1)", "N"),
	TEXT("interval", interval, "A row of the series each so long", "TIME"),
	TEXT("retries", retries, "Of a query that lost a lock (3)", "N"),
	TEXT("timeout", timeout, "For a login or an answer (60)", "SECONDS"),
	TEXT("host", host, "Where the server is", "NAME"),
	TEXT("port", port, "Its port", "N"),
	TEXT("socket", socket, "Its socket", "FILE"),
	TEXT("user", user, "As whom", "NAME"),
	TEXT("db", db, "In which database", "NAME"),
	TEXT("option-file", option_file, "Whose [client] group counts", "FILE"),
	TEXT("password-env", password_env, "Variable of the password", "NAME"),
	TEXT("engine", engine, "Of tables that are made", "NAME"),
	TEXT("output", output, "table, json or both", "WORD"),
	TEXT("out", out, "Where the JSON goes, too", "FILE"),
	FLAG("prepare", prepare, "Make the tables anew, and no more", 0),
	FLAG("check", check, "Look at tables and words, and no more", 0),
	FLAG("cleanup", cleanup, "Drop the tables, and no more", 0),
	FLAG("strict", strict, "What is passed over is a mistake", 0),
	FLAG("compat-bugs", compat, "As the original, bugs and all", 0),
	FLAG("allow-shell", allow_shell, "Let a script run commands", 0),
	FLAG("allow-misses", allow_misses, "No row found is no failure", 0),
	FLAG("quiet", quiet, "No warnings", 'q'),
};

static void
add_rows(GArray *entries, const Row *rows, size_t n, CommandLine *words)
{
	for (size_t i = 0; i < n; i++) {
		const GOptionEntry entry = {
			.long_name = rows[i].name,
			.short_name = rows[i].letter,
			.arg = rows[i].value == NULL ? G_OPTION_ARG_NONE
						     : G_OPTION_ARG_STRING,
			.arg_data = (char *)words + rows[i].offset,
			.description = rows[i].help,
			.arg_description = rows[i].value,
		};
		g_array_append_val(entries, entry);
	}
}

static GOptionContext *
make_context(GArray *entries, CommandLine *words, bool smack)
{
	GOptionContext *context =
	    g_option_context_new("FILE.smack [ARGUMENT...]");
	const GOptionEntry rest = { .long_name = G_OPTION_REMAINING,
		.arg = G_OPTION_ARG_FILENAME_ARRAY,
		.arg_data = &words->rest };

	add_rows(entries, of_smack, G_N_ELEMENTS(of_smack), words);
	if (!smack)
		add_rows(entries, ours, G_N_ELEMENTS(ours), words);
	g_array_append_val(entries, rest);
	g_option_context_set_summary(context,
	    "Runs a super-smack script against a server, and says what came "
	    "of it.");
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(
	    context, (const GOptionEntry *)(void *)entries->data, NULL);
	return context;
}

bool
command_line_read(
    CommandLine *words, int argc, char **argv, bool smack, GError **error)
{
	/* Ends with zeros, as GLib wants it. */
	g_autoptr(GArray) entries =
	    g_array_new(TRUE, TRUE, sizeof(GOptionEntry));
	g_autoptr(GOptionContext) context = make_context(entries, words, smack);
	g_auto(GStrv) copy = g_strdupv(argv);
	g_autoptr(GError) wrong = NULL;

	(void)argc;
	g_set_prgname(smack ? "super-smack" : "abload");
	if (!g_option_context_parse_strv(context, &copy, &wrong)) {
		g_set_error_literal(
		    error, ABRUN_ERROR, ABRUN_ERROR_USAGE, wrong->message);
		return false;
	}
	/* Not by GLib, which prints in the locale's character set. */
	g_autofree char *help =
	    words->help ? g_option_context_get_help(context, TRUE, NULL) : NULL;
	if (help != NULL)
		(void)fputs(help, stdout);
	return true;
}

void
command_line_clear(CommandLine *words)
{
	const Row *const tables[] = { of_smack, ours };
	const size_t lengths[] = { G_N_ELEMENTS(of_smack), G_N_ELEMENTS(ours) };

	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++)
		for (size_t k = 0; k < lengths[i]; k++)
			if (tables[i][k].value != NULL)
				g_free(*(char **)(void *)((char *)words +
				    tables[i][k].offset));
	g_strfreev(words->rest);
}
