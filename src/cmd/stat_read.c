#include "cmd/stat_read.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

enum { CHUNK_BYTES = 65536 };

static bool
read_all(int fd, Numbers *numbers, GError **error)
{
	char chunk[CHUNK_BYTES];

	for (;;) {
		const ssize_t got = read(fd, chunk, sizeof chunk);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "cannot read it: %s", g_strerror(errno));
			return false;
		}
		if (got == 0)
			return numbers_end(numbers, error);
		if (!numbers_feed(numbers, chunk, (size_t)got, error))
			return false;
	}
}

bool
stat_read(const char *path, Numbers *numbers, GError **error)
{
	const bool standard = strcmp(path, "-") == 0;
	const int fd =
	    standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "cannot open %s: %s", path, g_strerror(errno));
		return false;
	}
	const bool ok = read_all(fd, numbers, error);
	if (!standard)
		(void)close(fd);
	if (!ok)
		g_prefix_error(error, "%s: ", standard ? STAT_STDIN : path);
	return ok;
}
