/*
 * The line by which a remote command tells its process id: the first thing
 * on its standard error, possibly after noise of the login shell, and cut out
 * of what the caller sees.  Pure.
 */
#ifndef TARGET_SSH_MARK_H
#define TARGET_SSH_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

typedef struct {
	char *word;    /* random, so that no output can be taken for it */
	GString *held; /* bytes that may still be part of the mark */
	int64_t pid;   /* 0 until it is known */
	bool over;     /* found, or given up */
} SshMark;

void ssh_mark_init(SshMark *mark);
void ssh_mark_clear(SshMark *mark);

/*
 * The command line for the login shell, be it sh, bash, csh, tcsh, fish:
 * command in /bin/sh, which says the mark first and keeps the process id.
 * Free it.  NULL with ABRUN_ERROR_USAGE when command holds a newline.
 */
char *ssh_mark_wrap(const SshMark *mark, const char *command, GError **error);

/*
 * Takes bytes of standard error and gives in *output those that are output;
 * they are the mark's own until the next call.  Returns their number.
 */
size_t ssh_mark_filter(
    SshMark *mark, const char *data, size_t length, const char **output);
/* The same at the end of the stream: what is held cannot be a mark. */
size_t ssh_mark_rest(SshMark *mark, const char **output);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SshMark, ssh_mark_clear)

#endif
