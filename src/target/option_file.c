#include "target/option_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

enum { FILE_BYTES = 1 << 20 }; /* written by hand */

bool
option_file_check(const char *path, GError **error)
{
	struct stat info;
	const char *trouble = NULL;

	if (stat(path, &info) != 0)
		trouble = g_strerror(errno);
	else if (!S_ISREG(info.st_mode))
		trouble = "it is no regular file";
	else if (info.st_uid != geteuid())
		trouble = "it must belong to the user who runs abrun";
	else if ((info.st_mode & 077) != 0)
		trouble = "others may read it: chmod 600 it";
	if (trouble == NULL)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "server.option_file %s is not used: %s", path, trouble);
	return false;
}

static bool
is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* The library takes any quote off the end of what began with one. */
static void
take_off_quotes(char *value)
{
	if (!is_quote(*value))
		return;
	memmove(value, value + 1, strlen(value));
	const size_t length = strlen(value);
	if (length > 0 && is_quote(value[length - 1]))
		value[length - 1] = '\0';
}

static void
unescape(char *value)
{
	static const char letters[] = "ntrbs\\\"'";
	static const char meant[] = "\n\t\r\b \\\"'";
	char *to = value;

	for (const char *from = value; *from != '\0'; from++) {
		const char *letter = *from == '\\' && from[1] != '\0'
		    ? strchr(letters, from[1])
		    : NULL;
		if (letter == NULL) {
			*to++ = *from;
			continue;
		}
		*to++ = meant[letter - letters];
		from++;
	}
	*to = '\0';
}

/* The value in the line, which is changed; NULL for another option. */
static char *
password_in(char *line)
{
	static const char name[] = "password";

	if (!g_str_has_prefix(line, name))
		return NULL;
	char *rest = line + strlen(name);
	rest += strspn(rest, " \t");
	if (*rest != '=')
		return NULL;
	char *value = g_strstrip(rest + 1);
	take_off_quotes(value);
	unescape(value);
	return value;
}

static bool
is_group_of_clients(const char *line)
{
	static const char *const groups[] = { "[client]", "[client-server]",
		"[client-mariadb]" };

	for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
		if (g_str_has_prefix(line, groups[i]))
			return true;
	return false;
}

/* Where the last password for clients stands in the text, which is changed. */
static const char *
find_password(char *text)
{
	const char *password = "";
	bool ours = false;

	for (char *line = text, *next; line != NULL; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		g_strstrip(line);
		if (*line == '[')
			ours = is_group_of_clients(line);
		const char *found = ours ? password_in(line) : NULL;
		if (found != NULL)
			password = found;
	}
	return password;
}

char *
option_file_password(const char *path, GError **error)
{
	size_t length = 0;

	if (!option_file_check(path, error))
		return NULL;
	char *text = file_read(path, FILE_BYTES, &length, error);
	if (text == NULL)
		return NULL;
	char *password = g_strdup(find_password(text));
	explicit_bzero(text, length);
	g_free(text);
	return password;
}
