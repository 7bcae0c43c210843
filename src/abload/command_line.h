/*
 * The words of abload's command line, before they are numbers and choices;
 * inside options.c only.
 */
#ifndef ABLOAD_COMMAND_LINE_H
#define ABLOAD_COMMAND_LINE_H

#include <stdbool.h>

#include <glib.h>

/* NULL and FALSE: not given. */
typedef struct {
	char *clients, *rounds, *duration, *warmup, *warmup_rounds, *rate,
	    *arrival, *protocol, *seed, *interval, *retries, *timeout, *host,
	    *port, *socket, *user, *db, *option_file, *password_env, *engine,
	    *output, *out, *datadir, *database_type;
	gboolean prepare, check, cleanup, strict, compat, allow_shell,
	    allow_misses, quiet, version, help;
	char **rest; /* the script and its arguments, or NULL */
} CommandLine;

/*
 * smack: of super-smack's options only.  Prints the help where it is asked
 * for.  ABRUN_ERROR_USAGE.
 */
bool command_line_read(
    CommandLine *words, int argc, char **argv, bool smack, GError **error);
void command_line_clear(CommandLine *words);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CommandLine, command_line_clear)

#endif
