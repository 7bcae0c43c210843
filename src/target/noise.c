#include "target/noise.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>

/* Kept of one call, and of a night. */
enum { CALL_BYTES = 64 << 10, FILE_BYTES = 16 << 20 };

/* A file that is full enough is left as it is. */
static bool
append(const char *path, const GString *text)
{
	struct stat status;
	const int fd = open(
	    path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return false;
	const bool full =
	    fstat(fd, &status) == 0 && status.st_size > FILE_BYTES;
	const bool wrote =
	    full || write(fd, text->str, text->len) == (ssize_t)text->len;
	return close(fd) == 0 && wrote;
}

bool
noise_keep(const char *path, size_t call, const char *verb, const char *stream,
    const char *text)
{
	if (*text == '\0')
		return true;
	const size_t length = strlen(text);
	const size_t kept = MIN(length, (size_t)CALL_BYTES);
	g_autoptr(GString) entry = g_string_new(NULL);
	g_string_append_printf(
	    entry, "--- call %zu, %s, %s\n", call, verb, stream);
	g_string_append_len(entry, text, (gssize)kept);
	if (kept < length)
		g_string_append_printf(
		    entry, "\n[%zu bytes more]", length - kept);
	if (entry->str[entry->len - 1] != '\n')
		g_string_append_c(entry, '\n');
	return append(path, entry);
}
