#include "matrix/parse.h"

#include <string.h>

#include "base/text.h"
#include "matrix/words.h"

/* "lab1" of "root@lab1:2222", "::1" of "[::1]:22"; free it. */
static char *
ssh_host(const char *ssh)
{
	const char *at = strrchr(ssh, '@');
	const char *host = at == NULL ? ssh : at + 1;

	if (*host == '[') {
		const char *close = strchr(host, ']');
		return close == NULL
		    ? g_strdup(host)
		    : g_strndup(host + 1, (gsize)(close - host - 1));
	}
	const char *colon = strchr(host, ':');
	/* More than one colon is a bare IPv6 address. */
	if (colon == NULL || strchr(colon + 1, ':') != NULL)
		return g_strdup(host);
	return g_strndup(host, (gsize)(colon - host));
}

/* A path of this machine: ~/ is home, relative ones are beside the matrix. */
static char *
read_path(Reader *reader, const ReaderNode *node, const char *key)
{
	g_autofree char *path = reader_string(reader, node, key);

	return path == NULL ? NULL : matrix_relative(reader_path(reader), path);
}

static void
check_host_name(
    Reader *reader, const ReaderNode *node, const Host *host, Matrix *matrix)
{
	if (host->name == NULL)
		return;
	if (!text_is_safe_name(host->name))
		reader_mistake_key(reader, node, "name",
		    "\"%s\" is no name, use letters, digits, . _ and - (at "
		    "most 64)",
		    host->name);
	else if (strcmp(host->name, "target") == 0 ||
	    strcmp(host->name, "controller") == 0)
		reader_mistake_key(reader, node, "name",
		    "\"%s\" has a meaning of its own, use another name",
		    host->name);
	else if (matrix_host(matrix, host->name) != NULL)
		reader_mistake_key(reader, node, "name",
		    "two hosts are named \"%s\"", host->name);
}

static void
read_login(Reader *reader, const ReaderNode *node, Host *host)
{
	static const char *const policies[] = { "strict", "accept-new", NULL };
	int policy = HOST_KEY_STRICT;

	host->ssh = reader_string(reader, node, "ssh");
	if (host->ssh != NULL &&
	    (*host->ssh == '-' || strpbrk(host->ssh, " \t\n\"'\\") != NULL))
		reader_mistake_key(reader, node, "ssh",
		    "\"%s\" is not [user@]host[:port]", host->ssh);
	if (host->ssh == NULL)
		host->ssh = g_strdup(host->name);
	host->ssh_config = read_path(reader, node, "ssh_config");
	host->key = read_path(reader, node, "key");
	host->known_hosts = read_path(reader, node, "known_hosts");
	host->fingerprint = reader_string(reader, node, "fingerprint");
	if (host->fingerprint != NULL &&
	    (!g_str_has_prefix(host->fingerprint, "SHA256:") ||
		strlen(host->fingerprint) != strlen("SHA256:") + 43))
		reader_mistake_key(reader, node, "fingerprint",
		    "\"%s\" is not as ssh-keygen -l shows it: \"SHA256:\" and "
		    "43 characters",
		    host->fingerprint);
	(void)reader_enum(reader, node, "host_key", policies, &policy);
	host->host_key = (HostKeyPolicy)policy;
}

/*
 * A BMC that is busy takes a minute to answer; what is in the capacitors keeps
 * a board alive for seconds.
 */
enum { POWER_MS = 2 * 60 * 1000, POWER_REST_MS = 5000 };

static void
read_power(Reader *reader, const ReaderNode *node, Host *host)
{
	host->power = reader_strings(reader, node, "power");
	host->power_timeout_ms = POWER_MS;
	host->power_rest_ms = POWER_REST_MS;
	(void)reader_duration(
	    reader, node, "power_timeout", 1000, &host->power_timeout_ms);
	(void)reader_duration(
	    reader, node, "power_rest", 1, &host->power_rest_ms);
}

/* A server that counts its memory and checks its disks takes minutes. */
enum { PATIENCE_MS = 10 * 60 * 1000 };

static Host *
read_host(Reader *reader, const ReaderNode *node, Matrix *matrix)
{
	Host *host = g_new0(Host, 1);

	host->line = reader_line(reader, node);
	host->name = reader_need_string(
	    reader, node, "name", "\"what the reports call this host\"");
	check_host_name(reader, node, host, matrix);
	read_login(reader, node, host);
	(void)reader_bool(reader, node, "sudo", &host->sudo);
	host->os =
	    reader_need_string(reader, node, "os", "\"linux\" or \"freebsd\"");
	if (host->os != NULL && !text_is_safe_name(host->os))
		reader_mistake_key(reader, node, "os",
		    "\"%s\" is no name of a file hooks/os/OS.sh", host->os);
	host->path = reader_string(reader, node, "path");
	read_power(reader, node, host);
	host->console = reader_string(reader, node, "console");
	host->boot = reader_string(reader, node, "boot");
	host->patience_ms = PATIENCE_MS;
	(void)reader_duration(
	    reader, node, "patience", 1000, &host->patience_ms);
	return host;
}

void
read_hosts(Reader *reader, Matrix *matrix)
{
	const ReaderNode *root = reader_root(reader);
	const ReaderNode *hosts = reader_groups(reader, root, "hosts");
	const ReaderNode *targets = reader_groups(reader, root, "targets");

	for (size_t i = 0; i < reader_length(hosts); i++) {
		const ReaderNode *node = reader_element(hosts, i);
		reader_keys(reader, node, &place_host, words_places, NULL);
		g_ptr_array_add(matrix->hosts, read_host(reader, node, matrix));
	}
	if (reader_get(root, "targets") == NULL)
		reader_mistake_key(reader, root, "targets",
		    "is missing, write targets = ( { name = \"lab1\"; ssh = "
		    "\"root@lab1\"; os = \"linux\"; } );");
	else if (targets != NULL && reader_length(targets) == 0)
		reader_mistake(reader, targets, "has no targets");
	for (size_t i = 0; i < reader_length(targets); i++) {
		const ReaderNode *node = reader_element(targets, i);
		reader_keys(reader, node, &place_target, words_places, NULL);
		Host *host = read_host(reader, node, matrix);
		host->client = reader_string(reader, node, "client");
		if (host->client == NULL)
			host->client = g_strdup("target");
		host->address = reader_string(reader, node, "address");
		host->address_given = host->address != NULL;
		if (host->address == NULL && host->ssh != NULL)
			host->address = ssh_host(host->ssh);
		g_ptr_array_add(matrix->targets, host);
	}
}
