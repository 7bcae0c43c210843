#include "run/credentials.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quote.h"
#include "target/option_file.h"

static char *
find_password(const Server *server, GError **error)
{
	if (server->option_file != NULL)
		return option_file_password(server->option_file, error);
	if (server->password_env == NULL)
		return g_strdup("");
	const char *value = getenv(server->password_env);
	if (value == NULL)
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "the matrix takes the password from the variable %s, "
		    "which is not set",
		    server->password_env);
	return g_strdup(value);
}

static void
wipe(char *secret)
{
	explicit_bzero(secret, strlen(secret));
	g_free(secret);
}

static char *
credentials_path(const Worker *worker)
{
	return g_build_filename(worker->work_dir, "credentials", NULL);
}

bool
credentials_put(Worker *worker, GError **error)
{
	char *password = find_password(&worker_matrix(worker)->server, error);

	worker->has_password = false;
	if (password == NULL)
		return false;
	if (*password == '\0') {
		g_free(password);
		return true;
	}
	g_autofree char *path = credentials_path(worker);
	char *quoted = quote_sh(password);
	char *text = g_strdup_printf("export MYSQL_PWD=%s\n", quoted);
	g_autoptr(VerbAnswer) answer = target_ask(worker->target,
	    worker_deadline(), error, "put", path, "0600", text, NULL);
	wipe(text);
	wipe(quoted);
	wipe(password);
	worker->has_password = answer != NULL;
	return worker->has_password;
}

char *
credentials_command(const Worker *worker, const char *command)
{
	if (!worker->has_password)
		return g_strdup(command);
	g_autofree char *path = credentials_path(worker);
	g_autofree char *quoted = quote_sh(path);
	return g_strdup_printf(". %s\n%s", quoted, command);
}
