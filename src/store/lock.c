#include "store/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/text.h"

enum {
	/* What a lock file says fits in this many bytes. */
	LOCK_BYTES = 512,
	/* store_holder() has the lock for a moment, too. */
	LOCK_TRIES = 5,
	LOCK_NAP_MS = 20,
};

/* Who holds the lock, as it wrote itself; free it. */
static char *
read_holder(int fd)
{
	char text[LOCK_BYTES + 1];
	const ssize_t got = pread(fd, text, LOCK_BYTES, 0);

	if (got <= 0)
		return g_strdup("that has not said who it is");
	text[got] = '\0';
	g_strchomp(text);
	return text_printable(text, LOCK_BYTES);
}

static bool
write_holder(int fd)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *since = g_date_time_format(now, "%Y-%m-%d %H:%M:%S");
	g_autofree char *text =
	    g_strdup_printf("process %ld of %.64s on %.256s since %s UTC\n",
		(long)getpid(), g_get_user_name(), g_get_host_name(), since);
	const size_t length = strlen(text);

	return ftruncate(fd, 0) == 0 &&
	    pwrite(fd, text, length, 0) == (ssize_t)length && fsync(fd) == 0;
}

static bool
take(int fd)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK)
			return false;
		(void)cancel_sleep(NULL, deadline_in(LOCK_NAP_MS), NULL);
	}
	errno = EWOULDBLOCK;
	return false;
}

int
directory_lock(const char *directory, GError **error)
{
	g_autofree char *path = g_build_filename(directory, STORE_LOCK, NULL);
	const int fd =
	    open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot lock %s: %s: %s", directory, path,
		    g_strerror(errno));
		return -1;
	}
	if (take(fd)) {
		if (write_holder(fd))
			return fd;
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot write %s: %s", path, g_strerror(errno));
	} else if (errno == EWOULDBLOCK) {
		g_autofree char *holder = read_holder(fd);
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "%s is in use by another abrun: %s", directory, holder);
	} else
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot lock %s: %s", path, g_strerror(errno));
	(void)close(fd);
	return -1;
}

char *
store_holder(const char *directory)
{
	g_autofree char *path = g_build_filename(directory, STORE_LOCK, NULL);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char *holder = NULL;

	if (fd < 0)
		return NULL;
	if (flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		holder = read_holder(fd);
	(void)close(fd);
	return holder;
}

bool
directory_sync(const char *directory)
{
	const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return false;
	const bool ok = fsync(fd) == 0;
	(void)close(fd);
	return ok;
}
