#include <string.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/file.h"
#include "base/text.h"
#include "target/ssh_session.h"

enum { KEY_BYTES = 1 << 18 };

/* One try: what goes to libssh, and what was tried so far. */
typedef struct {
	ssh_key key;
	GString *tried; /* "FILE (refused), ..." */
	bool too_many;  /* the host hung up on us */
} Login;

static int
ask_none(Ssh *ssh, void *data)
{
	(void)data;
	const int answer = ssh_userauth_none(ssh->session, NULL);
	return answer == SSH_AUTH_AGAIN ? SSH_AGAIN : answer;
}

static int
offer_agent(Ssh *ssh, void *data)
{
	(void)data;
	const int answer = ssh_userauth_agent(ssh->session, NULL);
	return answer == SSH_AUTH_AGAIN ? SSH_AGAIN : answer;
}

static int
offer_key(Ssh *ssh, void *data)
{
	const Login *login = data;
	const int answer =
	    ssh_userauth_publickey(ssh->session, NULL, login->key);
	return answer == SSH_AUTH_AGAIN ? SSH_AGAIN : answer;
}

static void
note(Login *login, const char *what, const char *outcome)
{
	g_string_append_printf(login->tried, "%s%s (%s)",
	    login->tried->len == 0 ? "" : ", ", what, outcome);
}

/* Whether a private key needs a passphrase; OpenSSL would ask for it. */
static bool
is_encrypted(const char *text)
{
	static const char begin[] = "-----BEGIN OPENSSH PRIVATE KEY-----";
	/* Magic with its NUL, then the cipher's name after its length. */
	static const char magic[] = "openssh-key-v1";
	const char *body = strstr(text, begin);

	if (strstr(text, "ENCRYPTED") != NULL)
		return true;
	if (body == NULL)
		return false;
	g_autofree char *start = g_strndup(body + strlen(begin), 80);
	gsize length = 0;
	g_autofree guchar *raw = g_base64_decode(start, &length);
	const gsize cipher = sizeof(magic) + 4;
	return length >= cipher + 4 && memcmp(raw, magic, sizeof(magic)) == 0 &&
	    memcmp(raw + cipher, "none", 4) != 0;
}

/* The key of a file, or NULL and the reason noted. */
static ssh_key
load_key(Login *login, const char *path)
{
	ssh_key key = NULL;

	if (access(path, F_OK) != 0) {
		note(login, path, "no such file");
		return NULL;
	}
	g_autoptr(GError) reason = NULL;
	g_autofree char *text = file_read(path, KEY_BYTES, NULL, &reason);
	if (text == NULL) {
		note(login, path, "cannot be read");
		return NULL;
	}
	const bool encrypted = is_encrypted(text);
	if (!encrypted)
		(void)ssh_pki_import_privkey_base64(text, "", NULL, NULL, &key);
	explicit_bzero(text, strlen(text));
	if (key == NULL)
		note(login, path,
		    encrypted ? "has a passphrase: load it into the agent"
			      : "not a private key that libssh can read");
	return key;
}

static bool
conclude(Ssh *ssh, Login *login, const char *what, int answer)
{
	if (answer == SSH_AUTH_SUCCESS)
		return true;
	if (!ssh_is_connected(ssh->session))
		login->too_many = true;
	note(login, what,
	    answer == SSH_AUTH_PARTIAL
		? "accepted, but the host wants another method too"
		: login->too_many           ? "the host closed the connection"
		: answer == SSH_AUTH_DENIED ? "refused"
					    : "failed");
	return false;
}

static bool
try_file(Ssh *ssh, Login *login, const char *path, Deadline deadline,
    const Cancel *cancel, bool *in, GError **error)
{
	int answer = SSH_AUTH_ERROR;

	login->key = load_key(login, path);
	if (login->key == NULL)
		return true;
	const bool ok =
	    ssh_step(ssh, offer_key, login, deadline, cancel, &answer, error);
	ssh_key_free(login->key);
	login->key = NULL;
	if (ok)
		*in = conclude(ssh, login, path, answer);
	return ok;
}

static bool
try_agent(Ssh *ssh, Login *login, Deadline deadline, const Cancel *cancel,
    bool *in, GError **error)
{
	int answer = SSH_AUTH_ERROR;
	g_autofree char *what = NULL;

	if (ssh->plan->agent == NULL) {
		note(login, "agent",
		    "none: SSH_AUTH_SOCK is not set or not to be used");
		return true;
	}
	what = g_strdup_printf("agent %s", ssh->plan->agent);
	if (access(ssh->plan->agent, W_OK) != 0) {
		note(login, what, "its socket cannot be used");
		return true;
	}
	if (!ssh_step(ssh, offer_agent, NULL, deadline, cancel, &answer, error))
		return false;
	*in = conclude(ssh, login, what, answer);
	return true;
}

static bool
refuse(const Ssh *ssh, const Login *login, GError **error)
{
	const SshPlan *plan = ssh->plan;

	failure_set(error, FAILURE_LOGIN_REFUSED, ABRUN_ERROR_HOST,
	    "login refused by %s: tried %s; add the public key of one of them "
	    "to %s's authorized_keys there, or name the right one with key = "
	    "\"FILE\"%s",
	    plan->label, login->tried->str, plan->user,
	    login->too_many ? " (a host hangs up after a few wrong keys)" : "");
	return false;
}

/* A key that a person named and that is not there is a mistake. */
static bool
check_named(const Ssh *ssh, GError **error)
{
	const SshPlan *plan = ssh->plan;
	const char *first = g_ptr_array_index(plan->keys, 0);

	if (!plan->keys_wanted || access(first, R_OK) == 0 ||
	    plan->keys->len > 1)
		return true;
	g_autoptr(GError) reason = NULL;
	g_autofree char *text = file_read(first, KEY_BYTES, NULL, &reason);
	failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
	    "key for %s: %s", plan->label,
	    text == NULL ? reason->message : "cannot be read");
	return false;
}

static bool
try_all(Ssh *ssh, Login *login, Deadline deadline, const Cancel *cancel,
    bool *in, GError **error)
{
	const GPtrArray *keys = ssh->plan->keys;
	int answer = SSH_AUTH_ERROR;

	if (!ssh_step(ssh, ask_none, NULL, deadline, cancel, &answer, error))
		return false;
	*in = answer == SSH_AUTH_SUCCESS;
	for (guint i = 0; !*in && !login->too_many && i < keys->len; i++)
		if (!try_file(ssh, login, g_ptr_array_index(keys, i), deadline,
			cancel, in, error))
			return false;
	if (*in || login->too_many)
		return true;
	return try_agent(ssh, login, deadline, cancel, in, error);
}

bool
ssh_login(Ssh *ssh, Deadline deadline, const Cancel *cancel, GError **error)
{
	Login login = { .tried = g_string_new(NULL) };
	bool in = false;
	bool ok = check_named(ssh, error);

	if (ok && !try_all(ssh, &login, deadline, cancel, &in, error)) {
		g_prefix_error(error, "logging in to %s: ", ssh->plan->label);
		ok = false;
	}
	if (ok && !in)
		ok = refuse(ssh, &login, error);
	(void)g_string_free(login.tried, TRUE);
	return ok;
}
