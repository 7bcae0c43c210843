/*
 * The commands of abrun.  One file a command: options, then calls into the
 * floors below.  Exit statuses as in abrun(1).
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>

#include <glib.h>

enum {
	EXIT_OK = 0,
	EXIT_NOTHING = 1,
	EXIT_USAGE = 2,
	EXIT_SOME_FAILED = 3,
	EXIT_NOT_STORED = 4,
	EXIT_INTERRUPTED = 130,
};

typedef struct {
	const char *name;
	const char *arguments; /* "MATRIX" */
	const char *help;      /* one line */
	/* argv[0] is the command's name; returns the exit status. */
	int (*run)(int argc, char **argv);
} Command;

extern const Command cmd_run;
extern const Command cmd_plan;
extern const Command cmd_check;
extern const Command cmd_report;
extern const Command cmd_post;
extern const Command cmd_restore;
extern const Command cmd_status;
extern const Command cmd_stat;
extern const Command cmd_import;

/*
 * Parses options (GOptionEntry, ended by an empty one) and -q, -v, --help of
 * a command.  False with *status set when the command ends here.  What is
 * left in argv are the arguments; wanted says how many there must be, or if
 * it is below 0 how many there may be at most.
 */
bool cmd_options(const Command *command, const GOptionEntry *entries,
    int wanted, int *argc, char ***argv, int *status);

/* Tells an error as the command's last word; the exit status for it. */
int cmd_fail(const GError *error);

#endif
