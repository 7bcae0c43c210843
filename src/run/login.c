#include "run/login.h"

#include <string.h>

#include "base/error.h"

/* A key and where its text is in a Host. */
typedef struct {
	const char *key;
	size_t offset;
	bool path; /* of this machine */
} Field;

static const Field fields[] = {
	{ "login_name", G_STRUCT_OFFSET(Host, name), false },
	{ "login_ssh", G_STRUCT_OFFSET(Host, ssh), false },
	{ "login_ssh_config", G_STRUCT_OFFSET(Host, ssh_config), true },
	{ "login_key", G_STRUCT_OFFSET(Host, key), true },
	{ "login_known_hosts", G_STRUCT_OFFSET(Host, known_hosts), true },
	{ "login_fingerprint", G_STRUCT_OFFSET(Host, fingerprint), false },
	{ "login_os", G_STRUCT_OFFSET(Host, os), false },
	{ "login_path", G_STRUCT_OFFSET(Host, path), false },
};

#define MATRIX "login_matrix"
#define SUDO "login_sudo"

static char **
place(const Host *host, const Field *field)
{
	return (char **)((char *)(gpointer)host + field->offset);
}

static bool
keep(Store *store, size_t index, const char *key, const char *value,
    GError **error)
{
	return store_fact(store, "host", (int64_t)index, key, value, error);
}

bool
login_keep(Store *store, size_t index, const Host *host,
    const char *matrix_path, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		const char *value = *place(host, &fields[i]);
		if (value == NULL)
			continue;
		g_autofree char *whole = fields[i].path && *value != '~'
		    ? g_canonicalize_filename(value, NULL)
		    : g_strdup(value);
		if (!keep(store, index, fields[i].key, whole, error))
			return false;
	}
	g_autofree char *path = g_canonicalize_filename(matrix_path, NULL);
	return keep(store, index, SUDO, host->sudo ? "yes" : "no", error) &&
	    keep(store, index, MATRIX, path, error);
}

Login *
login_read(Store *store, size_t index, GError **error)
{
	g_autoptr(Login) login = g_new0(Login, 1);

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		*place(&login->host, &fields[i]) =
		    store_host_fact(store, index, fields[i].key);
	g_autofree char *sudo = store_host_fact(store, index, SUDO);
	login->host.sudo = g_strcmp0(sudo, "yes") == 0;
	login->matrix_path = store_host_fact(store, index, MATRIX);
	if (login->host.name != NULL && login->host.ssh != NULL &&
	    login->host.os != NULL)
		return g_steal_pointer(&login);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s does not tell how to log in to its host %zu: name the host "
	    "itself, abrun restore [user@]host",
	    store_directory(store), index);
	return NULL;
}

void
login_free(Login *login)
{
	if (login == NULL)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		g_free(*place(&login->host, &fields[i]));
	g_free(login->matrix_path);
	g_free(login);
}
