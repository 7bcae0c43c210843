#include "run/credentials.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quote.h"

/* The password of an option file's group [client], NULL if it has none. */
static char *
option_file_password(const char *path, GError **error)
{
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autoptr(GError) failure = NULL;

	if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &failure)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "cannot read the option file %s: %s", path,
		    failure->message);
		return NULL;
	}
	/* A group without password is fine: the user may need none. */
	char *password = g_key_file_get_value(file, "client", "password", NULL);
	if (password == NULL)
		return g_strdup("");
	/* The client library takes a pair of quotes off, GLib does not. */
	const size_t length = strlen(password);
	const char quote = *password;
	if (length > 1 && (quote == '"' || quote == '\'') &&
	    password[length - 1] == quote) {
		password[length - 1] = '\0';
		memmove(password, password + 1, length - 1);
	}
	return password;
}

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
