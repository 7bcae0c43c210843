#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Closes on scope exit; -1 is nothing. */
static void
close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

char *
file_read(const char *path, size_t max_bytes, size_t *length, GError **error)
{
	__attribute__((cleanup(close_fd))) int fd =
	    open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "cannot read %s: %s", path, g_strerror(errno));
		return NULL;
	}
	if (!S_ISREG(status.st_mode)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "cannot read %s: it is not a regular file", path);
		return NULL;
	}

	GString *data = g_string_sized_new((gsize)status.st_size + 1);
	char block[65536];
	ssize_t got;
	while ((got = read(fd, block, sizeof(block))) > 0 &&
	    data->len <= max_bytes)
		g_string_append_len(data, block, got);
	if (got < 0 || data->len > max_bytes) {
		if (got < 0)
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "cannot read %s: %s", path, g_strerror(errno));
		else
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "%s is larger than %zu bytes", path, max_bytes);
		(void)g_string_free(data, TRUE);
		return NULL;
	}
	if (length != NULL)
		*length = data->len;
	return g_string_free(data, FALSE);
}

static bool
write_all(int fd, const char *data, size_t length)
{
	while (length > 0) {
		const ssize_t done = write(fd, data, length);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		data += done;
		length -= (size_t)done;
	}
	return true;
}

static bool
sync_directory(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	__attribute__((cleanup(close_fd))) int fd =
	    open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 && fsync(fd) == 0;
}

bool
file_write(
    const char *path, const char *data, size_t length, int mode, GError **error)
{
	g_autofree char *temporary = g_strdup_printf("%s.new", path);
	__attribute__((cleanup(close_fd))) int fd = open(temporary,
	    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
	    (mode_t)mode);

	if (fd >= 0 && write_all(fd, data, length) && fsync(fd) == 0 &&
	    rename(temporary, path) == 0 && sync_directory(path))
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
	    "cannot write %s: %s", path, g_strerror(errno));
	(void)unlink(temporary);
	return false;
}
