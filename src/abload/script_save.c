#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "abload/script_work.h"
#include "base/error.h"

static void
write_row(char **fields, unsigned n, void *data)
{
	FILE *to = data;

	for (unsigned i = 0; i < n; i++)
		(void)fprintf(
		    to, "%s\t", fields[i] == NULL ? "NULL" : fields[i]);
	(void)fputc('\n', to);
}

bool
script_save(const Login *login, const char *sql, const char *to, GError **error)
{
	const bool here = strcmp(to, "-") == 0;
	g_autoptr(Connection) connection = connection_open(login, error);

	if (connection == NULL)
		return false;
	FILE *file = here ? stdout : fopen(to, "we");
	if (file == NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot write %s: %s", to, g_strerror(errno));
		return false;
	}
	const bool well =
	    connection_rows(connection, sql, write_row, file, error);
	const bool written = (here ? fflush(file) : fclose(file)) == 0;
	if (well && !written)
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "cannot write %s: %s", to, g_strerror(errno));
	return well && written;
}
