/*
 * known_hosts files: what they say about a host, and adding to them.  Read
 * by us and not by libssh, which takes a file that it cannot open for one
 * that does not know the host, and so would accept a changed key as new.
 */
#ifndef TARGET_SSH_KNOWN_H
#define TARGET_SSH_KNOWN_H

#include <stdbool.h>

#include <glib.h>
#include <libssh/libssh.h>

/* One line about the host. */
typedef struct {
	char *path;
	int line;
	bool revoked; /* @revoked */
	ssh_key key;
} SshKnownKey;

/*
 * All lines of these files (char *) about name, as SshKnownKey; unref the
 * array.  A file that is not there is empty; one that cannot be read is an
 * ABRUN_ERROR_HOST, since then nothing can be said about the host.
 */
GPtrArray *ssh_known_read(
    const GPtrArray *paths, const char *name, GError **error);

/*
 * Adds a line to path, making it and its directory where missing.  Safe
 * beside other threads and processes that do the same.
 */
bool ssh_known_add(
    const char *path, const char *name, ssh_key key, GError **error);

/* "ED25519 SHA256:..."; free it. */
char *ssh_key_words(ssh_key key);
/* "SHA256:..." without padding; free it. */
char *ssh_key_fingerprint(ssh_key key);

#endif
