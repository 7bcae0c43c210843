/*
 * What an ssh_config file says about one host.  The reader is ours because
 * libssh 0.10's own refuses aliases with an underscore, drops a third of the
 * keywords in silence and turns on logging at LogLevel: here every keyword
 * that has no effect on us is either known to be harmless or is named.
 *
 * Understood: Host with * ? and !, Match all, host, originalhost, user and
 * localuser, Include with * ? and [], "quoted words", first value wins.
 */
#ifndef TARGET_SSH_CONFIG_H
#define TARGET_SSH_CONFIG_H

#include <glib.h>

typedef struct SshConfig SshConfig;

/*
 * Reads path for the host called alias.  user: the login name asked for, or
 * NULL; only Match looks at it.  NULL with ABRUN_ERROR_USAGE when a file
 * cannot be read or a line not be understood.
 */
SshConfig *ssh_config_read(
    const char *path, const char *alias, const char *user, GError **error);
void ssh_config_free(SshConfig *config);

/*
 * The value of a keyword (in lower case), or NULL.  It is the first word
 * after the keyword without its quotes; for proxycommand, rekeylimit,
 * userknownhostsfile and globalknownhostsfile the whole rest of the line.
 */
const char *ssh_config_get(const SshConfig *config, const char *keyword);
/* All IdentityFile values in order, as written; owned by config. */
const GPtrArray *ssh_config_identities(const SshConfig *config);
/*
 * Keywords that apply to this host and have no effect here, as "Name (FILE
 * line 7)"; owned by config.
 */
const GPtrArray *ssh_config_ignored(const SshConfig *config);

/*
 * A file among those read that another user could have written, or NULL: the
 * commands in it must not be run.  Owned by config.
 */
const char *ssh_config_exposed(const SshConfig *config);

/* The words of a line, quotes removed, comment cut; free the array. */
GPtrArray *ssh_config_words(const char *text, GError **error);
/* Whether name matches a list of patterns; a ! pattern that matches wins. */
gboolean ssh_config_match(
    const GPtrArray *patterns, guint first, const char *name);

/* "~" and "~/x" under the home directory; other paths as they are. */
char *ssh_path(const char *path);
/*
 * Replaces %h and the like; tokens is "hHOST", "pPORT"... and ends with NULL.
 * %% is a per cent sign; unknown tokens stay.
 */
char *ssh_config_expand(const char *text, const char *const *tokens);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(SshConfig, ssh_config_free)

#endif
