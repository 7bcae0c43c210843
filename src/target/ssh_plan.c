#include "target/ssh_plan.h"

#include <string.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/text.h"

enum { SSH_PORT = 22 };

void
ssh_plan_free(SshPlan *plan)
{
	if (plan == NULL)
		return;
	g_free(plan->alias);
	g_free(plan->host);
	g_free(plan->user);
	g_free(plan->label);
	g_free(plan->known_name);
	g_clear_pointer(&plan->known, g_ptr_array_unref);
	g_free(plan->pin);
	g_clear_pointer(&plan->keys, g_ptr_array_unref);
	g_free(plan->agent);
	g_free(plan->bind_address);
	g_strfreev(plan->proxy);
	g_free(plan->ssh_config);
	ssh_config_free(plan->config);
	g_free(plan);
}

/* Whether text can stand in a command line and in known_hosts as it is. */
static bool
is_plain(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._:%@+-";

	return text[0] != '\0' && text[0] != '-' &&
	    text[strspn(text, letters)] == '\0';
}

static bool
parse_port(const char *text, int *port, GError **error)
{
	int64_t value = 0;

	if (!text_parse_int(text, 1, 65535, &value, error)) {
		g_prefix_error(error, "port: ");
		return false;
	}
	*port = (int)value;
	return true;
}

/* [user@]host[:port], [user@][v6][:port], a bare v6 address. */
static bool
parse_destination(SshPlan *plan, const char *text, GError **error)
{
	const char *at = strrchr(text, '@');
	const char *rest = at == NULL ? text : at + 1;
	const char *port = NULL;

	if (at != NULL)
		plan->user = g_strndup(text, (gsize)(at - text));
	if (rest[0] == '[') {
		const char *end = strchr(rest, ']');
		if (end == NULL || (end[1] != '\0' && end[1] != ':')) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "ssh = \"%s\": after [ an address and ] are "
			    "wanted, then nothing or :PORT",
			    text);
			return false;
		}
		plan->alias = g_strndup(rest + 1, (gsize)(end - rest - 1));
		port = end[1] == ':' ? end + 2 : NULL;
	} else {
		const char *colon = strchr(rest, ':');
		const bool one = colon != NULL && !strchr(colon + 1, ':');
		plan->alias = one ? g_strndup(rest, (gsize)(colon - rest))
				  : g_strdup(rest);
		port = one ? colon + 1 : NULL;
	}
	if (!is_plain(plan->alias) ||
	    (plan->user != NULL && !is_plain(plan->user))) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "ssh = \"%s\": wanted [user@]host[:port]", text);
		return false;
	}
	if (port != NULL && !parse_port(port, &plan->port, error)) {
		g_prefix_error(error, "ssh = \"%s\": ", text);
		return false;
	}
	return true;
}

static bool
is_yes(const char *value)
{
	return value != NULL &&
	    (g_ascii_strcasecmp(value, "yes") == 0 ||
		g_ascii_strcasecmp(value, "true") == 0);
}

/* Name, user and port: the destination's own first, then the file's. */
static bool
settle_address(SshPlan *plan, GError **error)
{
	const char *host = ssh_config_get(plan->config, "hostname");
	const char *user = ssh_config_get(plan->config, "user");
	const char *port = ssh_config_get(plan->config, "port");
	g_autofree char *alias_token = g_strconcat("h", plan->alias, NULL);
	const char *const tokens[] = { alias_token, NULL };

	if (plan->user == NULL)
		plan->user = g_strdup(user != NULL ? user : g_get_user_name());
	if (plan->port == 0 && port != NULL &&
	    !parse_port(port, &plan->port, error)) {
		g_prefix_error(error, "%s: ", plan->ssh_config);
		return false;
	}
	if (plan->port == 0)
		plan->port = SSH_PORT;
	plan->host = host == NULL ? g_strdup(plan->alias)
				  : ssh_config_expand(host, tokens);
	if (!is_plain(plan->host) || !is_plain(plan->user)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s: HostName %s or User %s is not a plain name",
		    plan->ssh_config, plan->host, plan->user);
		return false;
	}
	plan->label = g_strdup_printf("%s (%s@%s port %d)", plan->alias,
	    plan->user, plan->host, plan->port);
	return true;
}

/* A path or command of ssh_config with ~ and %h and so on put in. */
static char *
expand(const SshPlan *plan, const char *text)
{
	g_autofree char *host = g_strconcat("h", plan->host, NULL);
	g_autofree char *name = g_strconcat("n", plan->alias, NULL);
	g_autofree char *port = g_strdup_printf("p%d", plan->port);
	g_autofree char *remote = g_strconcat("r", plan->user, NULL);
	g_autofree char *local = g_strconcat("u", g_get_user_name(), NULL);
	g_autofree char *home = g_strconcat("d", g_get_home_dir(), NULL);
	g_autofree char *key = g_strconcat("k",
	    plan->known_name != NULL ? plan->known_name : plan->host, NULL);
	const char *const tokens[] = { host, name, port, remote, local, home,
		key, NULL };
	g_autofree char *path = ssh_path(text);

	return ssh_config_expand(path, tokens);
}

/* Adds the files of a UserKnownHostsFile or GlobalKnownHostsFile line. */
static bool
add_known(SshPlan *plan, const char *keyword, const char *usual, GError **error)
{
	const char *line = ssh_config_get(plan->config, keyword);

	if (line == NULL) {
		g_ptr_array_add(plan->known, ssh_path(usual));
		return true;
	}
	g_autoptr(GPtrArray) words = ssh_config_words(line, error);
	if (words == NULL)
		return false;
	for (guint i = 0; i < words->len; i++) {
		const char *word = g_ptr_array_index(words, i);
		if (strcmp(word, "none") != 0)
			g_ptr_array_add(plan->known, expand(plan, word));
	}
	return true;
}

static bool
settle_known(
    SshPlan *plan, const Host *host, GPtrArray *warnings, GError **error)
{
	const char *alias = ssh_config_get(plan->config, "hostkeyalias");
	const char *strict =
	    ssh_config_get(plan->config, "stricthostkeychecking");

	plan->known_name = alias != NULL ? g_strdup(alias)
	    : plan->port == SSH_PORT
	    ? g_strdup(plan->host)
	    : g_strdup_printf("[%s]:%d", plan->host, plan->port);
	plan->policy = host->host_key;
	if (strict != NULL && g_ascii_strcasecmp(strict, "accept-new") == 0)
		plan->policy = HOST_KEY_ACCEPT_NEW;
	if (strict != NULL && warnings != NULL &&
	    (g_ascii_strcasecmp(strict, "no") == 0 ||
		g_ascii_strcasecmp(strict, "off") == 0))
		g_ptr_array_add(warnings,
		    g_strdup_printf("%s: StrictHostKeyChecking %s is not "
				    "followed: host keys are always checked "
				    "(\"accept-new\" is the most that can be "
				    "asked for)",
			plan->ssh_config, strict));
	if (host->fingerprint != NULL) {
		if (!g_str_has_prefix(host->fingerprint, "SHA256:")) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "fingerprint = \"%s\": wanted SHA256:..., as "
			    "ssh-keygen -l prints it",
			    host->fingerprint);
			return false;
		}
		plan->pin = g_strdup(host->fingerprint);
		while (g_str_has_suffix(plan->pin, "="))
			plan->pin[strlen(plan->pin) - 1] = '\0';
	}
	if (host->known_hosts != NULL) {
		g_ptr_array_add(plan->known, ssh_path(host->known_hosts));
		return true;
	}
	return add_known(
		   plan, "userknownhostsfile", "~/.ssh/known_hosts", error) &&
	    add_known(plan, "globalknownhostsfile", "/etc/ssh/ssh_known_hosts",
		error);
}

static char *
agent_socket(const SshPlan *plan)
{
	const char *value = ssh_config_get(plan->config, "identityagent");

	if (is_yes(ssh_config_get(plan->config, "identitiesonly")) ||
	    (value != NULL && strcmp(value, "none") == 0))
		return NULL;
	if (value == NULL || strcmp(value, "SSH_AUTH_SOCK") == 0)
		value = "$SSH_AUTH_SOCK";
	if (value[0] == '$')
		return g_strdup(g_getenv(value + 1));
	return expand(plan, value);
}

static void
settle_keys(SshPlan *plan, const Host *host)
{
	static const char *const usual[] = { "~/.ssh/id_ed25519",
		"~/.ssh/id_ecdsa", "~/.ssh/id_rsa" };

	if (host->key != NULL)
		g_ptr_array_add(plan->keys, ssh_path(host->key));
	if (plan->config != NULL) {
		const GPtrArray *named = ssh_config_identities(plan->config);
		for (guint i = 0; i < named->len; i++)
			g_ptr_array_add(plan->keys,
			    expand(plan, g_ptr_array_index(named, i)));
	}
	plan->keys_wanted = plan->keys->len > 0;
	for (size_t i = 0; !plan->keys_wanted && i < G_N_ELEMENTS(usual); i++)
		g_ptr_array_add(plan->keys, ssh_path(usual[i]));
	plan->agent = agent_socket(plan);
	if (plan->agent != NULL && plan->agent[0] == '\0')
		g_clear_pointer(&plan->agent, g_free);
}

/*
 * The argument vector of ssh(1) for ProxyJump "A,B": through A to B, and from
 * B to the host.  It reads the same ssh_config, so that B may be an alias.
 */
static char **
jump_vector(const SshPlan *plan, const char *jump)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	const char *comma = strrchr(jump, ',');
	g_autofree char *last = g_strdup(comma == NULL ? jump : comma + 1);
	char *colon = strrchr(last, ':');

	g_ptr_array_add(argv, g_strdup("ssh"));
	g_ptr_array_add(argv, g_strdup("-F"));
	g_ptr_array_add(argv, g_strdup(plan->ssh_config));
	g_ptr_array_add(argv, g_strdup("-oBatchMode=yes"));
	if (colon != NULL && strchr(colon, ']') == NULL) {
		*colon = '\0';
		g_ptr_array_add(argv, g_strdup("-p"));
		g_ptr_array_add(argv, g_strdup(colon + 1));
	}
	if (comma != NULL) {
		g_ptr_array_add(argv, g_strdup("-J"));
		g_ptr_array_add(argv, g_strndup(jump, (gsize)(comma - jump)));
	}
	g_ptr_array_add(argv, g_strdup("-W"));
	g_ptr_array_add(
	    argv, g_strdup_printf("[%s]:%d", plan->host, plan->port));
	g_ptr_array_add(argv, g_strdup("--"));
	g_ptr_array_add(argv, g_strdup(last));
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&argv), FALSE);
}

static bool
settle_proxy(SshPlan *plan, GError **error)
{
	const char *command = ssh_config_get(plan->config, "proxycommand");
	const char *jump = ssh_config_get(plan->config, "proxyjump");

	if (command != NULL && g_ascii_strcasecmp(command, "none") != 0) {
		g_autofree char *expanded = expand(plan, command);
		plan->proxy = g_new0(char *, 4);
		plan->proxy[0] = g_strdup("/bin/sh");
		plan->proxy[1] = g_strdup("-c");
		plan->proxy[2] = g_strconcat("exec ", expanded, NULL);
	} else if (jump != NULL && g_ascii_strcasecmp(jump, "none") != 0) {
		plan->proxy = jump_vector(plan, jump);
	}
	if (plan->proxy == NULL || ssh_config_exposed(plan->config) == NULL)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s: others may write to it, so its ProxyCommand and ProxyJump "
	    "are not obeyed: it must belong to you or root, and chmod go-w",
	    ssh_config_exposed(plan->config));
	return false;
}

static bool
settle_dialling(SshPlan *plan, GError **error)
{
	const char *family = ssh_config_get(plan->config, "addressfamily");
	const char *timeout = ssh_config_get(plan->config, "connecttimeout");
	int64_t seconds = 0;

	plan->family = AF_UNSPEC;
	if (family != NULL && g_ascii_strcasecmp(family, "inet") == 0)
		plan->family = AF_INET;
	if (family != NULL && g_ascii_strcasecmp(family, "inet6") == 0)
		plan->family = AF_INET6;
	plan->bind_address =
	    g_strdup(ssh_config_get(plan->config, "bindaddress"));
	if (timeout != NULL && strcmp(timeout, "none") != 0 &&
	    !text_parse_int(timeout, 1, 86400, &seconds, error)) {
		g_prefix_error(error, "%s: ConnectTimeout: ", plan->ssh_config);
		return false;
	}
	plan->connect_seconds = (int)seconds;
	return true;
}

static void
warn_ignored(const SshPlan *plan, GPtrArray *warnings)
{
	const GPtrArray *ignored = ssh_config_ignored(plan->config);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < ignored->len; i++)
		g_string_append_printf(text, "%s%s", i == 0 ? "" : ", ",
		    (const char *)g_ptr_array_index(ignored, i));
	if (ignored->len > 0 && warnings != NULL)
		g_ptr_array_add(warnings,
		    g_strdup_printf("ssh_config keywords that have no effect "
				    "in abrun for %s: %s",
			plan->alias, text->str));
	(void)g_string_free(text, TRUE);
}

SshPlan *
ssh_plan_new(const Host *host, GPtrArray *warnings, GError **error)
{
	g_autoptr(SshPlan) plan = g_new0(SshPlan, 1);

	plan->known = g_ptr_array_new_with_free_func(g_free);
	plan->keys = g_ptr_array_new_with_free_func(g_free);
	plan->sudo = host->sudo;
	if (!parse_destination(plan, host->ssh, error))
		return NULL;
	if (host->ssh_config != NULL) {
		plan->ssh_config = ssh_path(host->ssh_config);
		plan->config = ssh_config_read(
		    plan->ssh_config, plan->alias, plan->user, error);
		if (plan->config == NULL)
			return NULL;
		warn_ignored(plan, warnings);
	}
	if (!settle_address(plan, error) ||
	    !settle_known(plan, host, warnings, error) ||
	    !settle_dialling(plan, error))
		return NULL;
	settle_keys(plan, host);
	if (!settle_proxy(plan, error))
		return NULL;
	return g_steal_pointer(&plan);
}
