#include "target/ssh_known.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/file.h"

enum { KNOWN_BYTES = 16 << 20 }; /* a large site's file has 100k lines */

static void
known_key_free(void *data)
{
	SshKnownKey *known = data;

	g_free(known->path);
	ssh_key_free(known->key);
	g_free(known);
}

/* The part of a line after its marker, or NULL if it says nothing to us. */
static const char *
after_marker(const char *line, bool *revoked)
{
	*revoked = g_str_has_prefix(line, "@revoked");
	if (line[0] == '\0' || line[0] == '#' || (line[0] == '@' && !*revoked))
		return NULL;
	if (*revoked) {
		line += strlen("@revoked");
		line += strspn(line, " \t");
	}
	return line;
}

static void
read_line(GPtrArray *found, char *line, const char *path, int number,
    const char *name)
{
	struct ssh_knownhosts_entry *entry = NULL;
	bool revoked = false;
	const char *rest = after_marker(g_strstrip(line), &revoked);

	/* A line of no use to libssh (a key type it lacks) is not about us. */
	if (rest == NULL ||
	    ssh_known_hosts_parse_line(name, rest, &entry) != SSH_OK)
		return;
	SshKnownKey *known = g_new0(SshKnownKey, 1);
	known->path = g_strdup(path);
	known->line = number;
	known->revoked = revoked;
	known->key = entry->publickey;
	entry->publickey = NULL;
	ssh_knownhosts_entry_free(entry);
	g_ptr_array_add(found, known);
}

GPtrArray *
ssh_known_read(const GPtrArray *paths, const char *name, GError **error)
{
	g_autoptr(GPtrArray) found =
	    g_ptr_array_new_with_free_func(known_key_free);

	for (guint i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);
		g_autoptr(GError) reason = NULL;
		if (access(path, F_OK) != 0 && errno == ENOENT)
			continue;
		if (strcmp(path, "/dev/null") == 0)
			continue;
		g_autofree char *text =
		    file_read(path, KNOWN_BYTES, NULL, &reason);
		if (text == NULL) {
			failure_set(error, FAILURE_HOST_KEY, ABRUN_ERROR_HOST,
			    "the key of %s cannot be checked: %s", name,
			    reason->message);
			return NULL;
		}
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		for (int k = 0; lines[k] != NULL; k++)
			read_line(found, lines[k], path, k + 1, name);
	}
	return g_steal_pointer(&found);
}

/* Appends the line, after a newline where the file lacks its last one. */
static bool
append(int fd, const char *line)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	char last = '\n';

	if (size > 0 && pread(fd, &last, 1, size - 1) != 1)
		return false;
	g_autofree char *text =
	    g_strconcat(last == '\n' ? "" : "\n", line, NULL);
	const size_t length = strlen(text);
	return write(fd, text, length) == (ssize_t)length && fsync(fd) == 0;
}

bool
ssh_known_add(const char *path, const char *name, ssh_key key, GError **error)
{
	g_autofree char *directory = g_path_get_dirname(path);
	char *base64 = NULL;

	(void)g_mkdir_with_parents(directory, 0700);
	if (ssh_pki_export_pubkey_base64(key, &base64) != SSH_OK) {
		failure_set(error, FAILURE_HOST_KEY, ABRUN_ERROR_HOST,
		    "the key of %s cannot be written as text", name);
		return false;
	}
	g_autofree char *line = g_strdup_printf("%s %s %s\n", name,
	    ssh_key_type_to_char(ssh_key_type(key)), base64);
	ssh_string_free_char(base64);
	const int fd =
	    open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	const bool ok = fd >= 0 && flock(fd, LOCK_EX) == 0 && append(fd, line);
	if (!ok)
		failure_set(error, FAILURE_HOST_KEY, ABRUN_ERROR_HOST,
		    "the new key of %s cannot be added to %s: %s", name, path,
		    g_strerror(errno));
	if (fd >= 0)
		(void)close(fd);
	return ok;
}

char *
ssh_key_fingerprint(ssh_key key)
{
	unsigned char *hash = NULL;
	size_t length = 0;

	if (ssh_get_publickey_hash(
		key, SSH_PUBLICKEY_HASH_SHA256, &hash, &length) != 0)
		return g_strdup("SHA256:unknown");
	char *text =
	    ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, length);
	char *copy = g_strdup(text == NULL ? "SHA256:unknown" : text);
	ssh_string_free_char(text);
	ssh_clean_pubkey_hash(&hash);
	return copy;
}

char *
ssh_key_words(ssh_key key)
{
	g_autofree char *fingerprint = ssh_key_fingerprint(key);

	return g_strdup_printf(
	    "%s %s", ssh_key_type_to_char(ssh_key_type(key)), fingerprint);
}
