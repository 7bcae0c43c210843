#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "target/control.h"

static const Command *const commands[] = { &cmd_run, &cmd_plan, &cmd_report,
	&cmd_post, &cmd_status };

/* In DESIGN's words, but not in this version. */
static const char *const later[] = { "check", "stat", "compare", "history",
	"import", "restore", NULL };

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
		(void)fprintf(to, "  abrun %-6s %-9s  %s\n", commands[i]->name,
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
	return cmd_run.run(argc, argv);
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
