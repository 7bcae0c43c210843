#include <string.h>

#include "base/failure.h"
#include "target/ssh_known.h"
#include "target/ssh_session.h"

/* What libssh can check, the cheapest first. */
static const char usual_algorithms[] =
    "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,"
    "ecdsa-sha2-nistp521,rsa-sha2-512,rsa-sha2-256";

static const char *
algorithms_of(ssh_key key)
{
	const char *type = ssh_key_type_to_char(ssh_key_type(key));

	return strcmp(type, "ssh-rsa") == 0 ? "rsa-sha2-512,rsa-sha2-256"
					    : type;
}

char *
ssh_host_key_algorithms(const SshPlan *plan, GError **error)
{
	const char *asked = ssh_config_get(plan->config, "hostkeyalgorithms");

	if (asked != NULL)
		return g_strdup(asked);
	g_autoptr(GPtrArray) known =
	    ssh_known_read(plan->known, plan->known_name, error);
	if (known == NULL)
		return NULL;
	GString *list = g_string_new(NULL);
	for (guint i = 0; plan->pin == NULL && i < known->len; i++) {
		const SshKnownKey *line = g_ptr_array_index(known, i);
		const char *name = algorithms_of(line->key);
		if (!line->revoked && strstr(usual_algorithms, name) != NULL &&
		    strstr(list->str, name) == NULL)
			g_string_append_printf(list, "%s,", name);
	}
	g_auto(GStrv) usual = g_strsplit(usual_algorithms, ",", -1);
	for (size_t i = 0; usual[i] != NULL; i++)
		if (strstr(list->str, usual[i]) == NULL)
			g_string_append_printf(list, "%s,", usual[i]);
	g_string_truncate(list, list->len - 1);
	return g_string_free(list, FALSE);
}

static bool
check_pin(const Ssh *ssh, const char *seen, GError **error)
{
	const SshPlan *plan = ssh->plan;

	if (strcmp(ssh->fingerprint, plan->pin) == 0)
		return true;
	failure_set(error, FAILURE_HOST_KEY, ABRUN_ERROR_HOST,
	    "host key of %s refused: fingerprint %s is wanted, but the host "
	    "shows %s; this may be another machine",
	    plan->label, plan->pin, seen);
	return false;
}

/* The key differs from every one that is known. */
static bool
refuse_changed(
    const Ssh *ssh, const SshKnownKey *known, const char *seen, GError **error)
{
	const SshPlan *plan = ssh->plan;
	g_autofree char *words = ssh_key_words(known->key);

	failure_set(error, FAILURE_HOST_KEY, ABRUN_ERROR_HOST,
	    "host key of %s has changed: %s line %d says %s, but the host "
	    "shows %s; this may be another machine; if it was reinstalled, "
	    "forget the old key with ssh-keygen -R '%s' -f '%s'",
	    plan->label, known->path, known->line, words, seen,
	    plan->known_name, known->path);
	return false;
}

static bool
meet_unknown(Ssh *ssh, ssh_key key, const char *seen, GError **error)
{
	const SshPlan *plan = ssh->plan;

	if (plan->known->len > 0 && plan->policy == HOST_KEY_ACCEPT_NEW) {
		ssh->key_is_new =
		    ssh_known_add(g_ptr_array_index(plan->known, 0),
			plan->known_name, key, error);
		return ssh->key_is_new;
	}
	g_autofree char *files = NULL;
	g_ptr_array_add(plan->known, NULL);
	files = g_strjoinv(", ", (char **)plan->known->pdata);
	g_ptr_array_set_size(plan->known, (int)plan->known->len - 1);
	failure_set(error, FAILURE_HOST_KEY, ABRUN_ERROR_HOST,
	    "host key of %s is not known: no line for %s in %s; the host "
	    "shows %s; if that is right, put fingerprint = \"%s\" into the "
	    "matrix, or ask for host_key = \"accept-new\"",
	    plan->label, plan->known_name, files, seen, ssh->fingerprint);
	return false;
}

static bool
check_known(Ssh *ssh, ssh_key key, const char *seen, GError **error)
{
	const SshPlan *plan = ssh->plan;
	g_autoptr(GPtrArray) known =
	    ssh_known_read(plan->known, plan->known_name, error);
	const SshKnownKey *other = NULL;
	bool found = false;

	if (known == NULL)
		return false;
	for (guint i = 0; i < known->len; i++) {
		const SshKnownKey *line = g_ptr_array_index(known, i);
		const bool same =
		    ssh_key_cmp(line->key, key, SSH_KEY_CMP_PUBLIC) == 0;
		if (same && line->revoked) {
			failure_set(error, FAILURE_HOST_KEY, ABRUN_ERROR_HOST,
			    "host key of %s is revoked by %s line %d: %s",
			    plan->label, line->path, line->line, seen);
			return false;
		}
		found = found || same;
		/* Prefer to name the known key of the same type. */
		if (!same && !line->revoked &&
		    (other == NULL ||
			ssh_key_type(line->key) == ssh_key_type(key)))
			other = line;
	}
	if (found)
		return true;
	return other != NULL ? refuse_changed(ssh, other, seen, error)
			     : meet_unknown(ssh, key, seen, error);
}

bool
ssh_check_host_key(Ssh *ssh, GError **error)
{
	ssh_key key = NULL;

	if (ssh_get_server_publickey(ssh->session, &key) != SSH_OK) {
		failure_set(error, FAILURE_HOST_KEY, ABRUN_ERROR_HOST,
		    "%s showed no host key", ssh->plan->label);
		return false;
	}
	ssh->fingerprint = ssh_key_fingerprint(key);
	g_autofree char *seen = ssh_key_words(key);
	const bool ok = ssh->plan->pin != NULL
	    ? check_pin(ssh, seen, error)
	    : check_known(ssh, key, seen, error);
	ssh_key_free(key);
	return ok;
}
