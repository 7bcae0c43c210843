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
/* A line each. */
#define POWER "login_power"
#define POWER_TIMEOUT "login_power_timeout_ms"
#define POWER_REST "login_power_rest_ms"
#define PATIENCE "login_patience_ms"

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

static bool
keep_ms(Store *store, size_t index, const char *key, int64_t ms, GError **error)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, ms);

	return keep(store, index, key, text, error);
}

static bool
keep_power(Store *store, size_t index, const Host *host, GError **error)
{
	g_autoptr(GString) lines = g_string_new(NULL);

	/* None, too: an earlier night may have had some. */
	for (guint i = 0; host->power != NULL && i < host->power->len; i++)
		g_string_append_printf(lines, "%s%s", i == 0 ? "" : "\n",
		    (const char *)host->power->pdata[i]);
	return keep(store, index, POWER, lines->str, error) &&
	    keep_ms(
		store, index, POWER_TIMEOUT, host->power_timeout_ms, error) &&
	    keep_ms(store, index, POWER_REST, host->power_rest_ms, error);
}

static int64_t
read_ms(Store *store, size_t index, const char *key)
{
	g_autofree char *text = store_host_fact(store, index, key);

	return text == NULL ? 0 : g_ascii_strtoll(text, NULL, 10);
}

static void
read_power(Store *store, size_t index, Host *host)
{
	g_autofree char *lines = store_host_fact(store, index, POWER);
	g_auto(GStrv) words = g_strsplit(lines == NULL ? "" : lines, "\n", -1);

	host->power = g_ptr_array_new_with_free_func(g_free);
	for (char **word = words; *word != NULL; word++)
		g_ptr_array_add(host->power, g_strdup(*word));
	host->power_timeout_ms = read_ms(store, index, POWER_TIMEOUT);
	host->power_rest_ms = read_ms(store, index, POWER_REST);
}

/* As it is from any directory; empty is none, as it may have been one before.
 */
static char *
whole(const Field *field, const char *value)
{
	if (value == NULL)
		return g_strdup("");
	return field->path && *value != '~'
	    ? g_canonicalize_filename(value, NULL)
	    : g_strdup(value);
}

static char *
read_text(Store *store, size_t index, const char *key)
{
	char *text = store_host_fact(store, index, key);

	if (text != NULL && *text == '\0')
		g_clear_pointer(&text, g_free);
	return text;
}

bool
login_keep(Store *store, size_t index, const Host *host,
    const char *matrix_path, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		g_autofree char *value =
		    whole(&fields[i], *place(host, &fields[i]));
		if (!keep(store, index, fields[i].key, value, error))
			return false;
	}
	g_autofree char *path = g_canonicalize_filename(matrix_path, NULL);
	return keep_power(store, index, host, error) &&
	    keep_ms(store, index, PATIENCE, host->patience_ms, error) &&
	    keep(store, index, SUDO, host->sudo ? "yes" : "no", error) &&
	    keep(store, index, MATRIX, path, error);
}

Login *
login_read(Store *store, size_t index, GError **error)
{
	g_autoptr(Login) login = g_new0(Login, 1);

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		*place(&login->host, &fields[i]) =
		    read_text(store, index, fields[i].key);
	g_autofree char *sudo = store_host_fact(store, index, SUDO);
	login->host.sudo = g_strcmp0(sudo, "yes") == 0;
	login->matrix_path = store_host_fact(store, index, MATRIX);
	login->host.patience_ms = read_ms(store, index, PATIENCE);
	read_power(store, index, &login->host);
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
	g_ptr_array_unref(login->host.power);
	g_free(login->matrix_path);
	g_free(login);
}
