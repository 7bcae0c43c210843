#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "target/control.h"

static const Command *const commands[] = { &cmd_run, &cmd_plan, &cmd_check,
	&cmd_report, &cmd_post, &cmd_status, &cmd_restore, &cmd_stat,
	&cmd_import };

/* In DESIGN's words, but not in this version. */
static const char *const later[] = { "compare", "history", NULL };

static void
print_help(FILE *to)
{
	(void)fputs("usage: abrun MATRIX\n"
		    "       abrun COMMAND [options] ARGUMENT...\n\n"
		    "Runs every cell of a matrix on real hosts, proves what "
		    "each cell was, and\nleaves a post.  abrun MATRIX is "
		    "short for abrun run MATRIX.\n\n",
	    to);
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		(void)fprintf(to, "  abrun %-7s %-17s  %s\n", commands[i]->name,
		    commands[i]->arguments, commands[i]->help);
	(void)fputs("\n  --help, --version; abrun COMMAND --help tells a "
		    "command's options.\n  The manual is abrun(1), the matrix "
		    "is abrun-matrix(5).\n",
	    to);
}

static const Command *
find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/*
 * A word that is no command is a matrix; one that cannot be a file's name
 * either is told as what it was meant for.
 */
static bool
is_mistyped(const char *word)
{
	const char *names[G_N_ELEMENTS(commands) + 1] = { NULL };

	if (word[0] == '-' || strpbrk(word, "/.") != NULL ||
	    g_file_test(word, G_FILE_TEST_EXISTS))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
		names[i] = commands[i]->name;
	const char *near = text_nearest(word, names);
	g_autofree char *shown = text_one_line(word, 60);
	g_autofree char *hint = near == NULL
	    ? g_strdup("; abrun --help tells what there is")
	    : g_strdup_printf(", did you mean \"%s\"?", near);
	(void)fprintf(stderr,
	    "abrun: there is no command and no matrix \"%s\"%s\n", shown, hint);
	return true;
}

static int
dispatch(int argc, char **argv)
{
	const char *first = argc > 1 ? argv[1] : NULL;

	if (first == NULL) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
		print_help(stdout);
		return EXIT_OK;
	}
	if (strcmp(first, "--version") == 0) {
		(void)puts("abrun " VERSION);
		return EXIT_OK;
	}
	if (g_strv_contains(later, first)) {
		(void)fprintf(stderr, "abrun: not yet: abrun %s\n", first);
		return EXIT_USAGE;
	}
	const Command *command = find(first);
	if (command != NULL)
		return command->run(argc - 1, argv + 1);
	return is_mistyped(first) ? EXIT_USAGE : cmd_run.run(argc, argv);
}

/*
 * Where a standard stream is closed, the next file opened would be taken for
 * it: a log line would go to a host, the post into the lock.  What stands in
 * for an output refuses to be written to, so that the loss is told.
 */
static bool
have_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			return false;
	return true;
}

int
main(int argc, char **argv)
{
	(void)umask(077);
	/* A write beyond a limit shall fail, not end us with hosts changed. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	if (!have_standard_streams())
		return EXIT_NOTHING;
	g_autoptr(GError) failure = NULL;
	if (!control_library_init(&failure)) {
		(void)fprintf(stderr, "abrun: %s\n", failure->message);
		return EXIT_NOTHING;
	}
	const int status = dispatch(argc, argv);
	control_library_end();
	/* A full disk under standard output must not look like success. */
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		(void)fputs("abrun: cannot write to standard output\n", stderr);
		return status == EXIT_OK ? EXIT_NOT_STORED : status;
	}
	return status;
}
