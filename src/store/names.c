#include "store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Files of one name below raw/. */
enum { MAX_FILES = 100000 };

/* "YYYYMMDD-HHMMSS" */
enum { STAMP_LENGTH = 15 };

/*
 * Splits the part of a directory's name behind "NAME-": true when it is a
 * time stamp, with "-2" and so on when several began in that second.
 */
static bool
parse_stamp(const char *text, int64_t *number)
{
	if (strlen(text) < STAMP_LENGTH)
		return false;
	for (int i = 0; i < STAMP_LENGTH; i++)
		if (i == 8 ? text[i] != '-' : !g_ascii_isdigit(text[i]))
			return false;
	const char *rest = text + STAMP_LENGTH;
	*number = 1;
	return *rest == '\0' ||
	    (*rest == '-' && g_ascii_isdigit(rest[1]) &&
		text_parse_int(rest + 1, 2, 1000000, number, NULL));
}

/*
 * Where the time stamp in a directory's name begins, or NULL: behind the
 * prefix, or behind any "-" if that is NULL.
 */
static const char *
find_stamp(const char *entry, const char *prefix, int64_t *number)
{
	if (prefix != NULL)
		return g_str_has_prefix(entry, prefix) &&
			parse_stamp(entry + strlen(prefix), number)
		    ? entry + strlen(prefix)
		    : NULL;
	for (const char *at = strchr(entry, '-'); at != NULL;
	     at = strchr(at + 1, '-'))
		if (at > entry && parse_stamp(at + 1, number))
			return at + 1;
	return NULL;
}

char *
store_newest(const char *parent, const char *name)
{
	g_autoptr(GDir) directory = g_dir_open(parent, 0, NULL);
	g_autofree char *safe = name == NULL ? NULL : text_safe_name(name);
	g_autofree char *prefix =
	    name == NULL ? NULL : g_strconcat(safe, "-", NULL);
	g_autofree char *newest = NULL;
	g_autofree char *newest_stamp = NULL;
	int64_t newest_number = 0;

	if (directory == NULL)
		return NULL;
	const char *entry;
	while ((entry = g_dir_read_name(directory)) != NULL) {
		int64_t number;
		const char *stamp = find_stamp(entry, prefix, &number);
		if (stamp == NULL)
			continue;
		const int order = newest == NULL
		    ? 1
		    : strncmp(stamp, newest_stamp, STAMP_LENGTH);
		g_autofree char *path = g_build_filename(parent, entry, NULL);
		if ((order > 0 || (order == 0 && number > newest_number)) &&
		    g_file_test(path, G_FILE_TEST_IS_DIR)) {
			g_free(newest);
			g_free(newest_stamp);
			newest = g_strdup(entry);
			newest_stamp = g_strdup(stamp);
			newest_number = number;
		}
	}
	return newest == NULL ? NULL : g_build_filename(parent, newest, NULL);
}

char *
store_raw_path(const Store *store, const char *name)
{
	g_autofree char *safe = text_safe_name(name);
	const char *dot = strrchr(safe, '.');
	const int stem = dot != NULL ? (int)(dot - safe) : (int)strlen(safe);
	char *path = g_build_filename(store->directory, STORE_RAW, safe, NULL);

	/* Made here and now, so that no other thread is given the same. */
	for (int i = 2; i < MAX_FILES; i++) {
		const int fd =
		    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0)
			(void)close(fd);
		/* Other failures are told by whoever writes the file. */
		if (fd >= 0 || errno != EEXIST)
			break;
		g_free(path);
		path = g_strdup_printf("%s/%s/%.*s-%d%s", store->directory,
		    STORE_RAW, stem, safe, i, dot != NULL ? dot : "");
	}
	return path;
}
