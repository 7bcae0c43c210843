#include "target/ssh.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "target/ssh_session.h"

enum {
	STEP_MS = 200,      /* a missed wake-up costs no more than this */
	REASON_BYTES = 300, /* of a foreign text in a message */
	UNCLOSED_LIMIT = 6, /* sshd's usual MaxSessions is 10 */
};

typedef struct {
	const char *keyword;
	enum ssh_options_e option;
} Tuning;

/* What libssh takes as it stands in ssh_config. */
static const Tuning tunings[] = {
	{ "ciphers", SSH_OPTIONS_CIPHERS_C_S },
	{ "ciphers", SSH_OPTIONS_CIPHERS_S_C },
	{ "macs", SSH_OPTIONS_HMAC_C_S },
	{ "macs", SSH_OPTIONS_HMAC_S_C },
	{ "kexalgorithms", SSH_OPTIONS_KEY_EXCHANGE },
	{ "compression", SSH_OPTIONS_COMPRESSION },
	{ "pubkeyacceptedalgorithms", SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES },
	{ "pubkeyacceptedkeytypes", SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES },
};

/* libssh would write to our standard error. */
static void
swallow_log(int priority, const char *function, const char *text, void *data)
{
	(void)priority;
	(void)function;
	(void)text;
	(void)data;
}

void
ssh_quiet(void)
{
	(void)ssh_set_log_level(SSH_LOG_NOLOG);
	(void)ssh_set_log_callback(swallow_log);
}

char *
ssh_reason(const Ssh *ssh)
{
	const char *text = ssh_get_error(ssh->session);

	/*
	 * After this prefix libssh prints an errno that may be an old one; of
	 * a proxy that ends at once it says that all went well.
	 */
	if (text == NULL || text[0] == '\0' || strcmp(text, "Success") == 0 ||
	    g_str_has_prefix(text, "Socket error"))
		text = "the host closed the connection";
	return text_printable(text, REASON_BYTES);
}

void
ssh_turn(Ssh *ssh, int wait_ms, int wake)
{
	const bool pending =
	    (ssh_get_poll_flags(ssh->session) & SSH_WRITE_PENDING) != 0;
	struct pollfd fds[] = {
		{ .fd = ssh_get_fd(ssh->session),
		    .events = (short)(pending ? POLLIN | POLLOUT : POLLIN) },
		{ .fd = wake, .events = POLLIN },
	};

	(void)poll(fds, 2, wait_ms);
	ssh_acknowledge(fds[0].fd);
	if (ssh->event != NULL &&
	    (ssh_event_dopoll(ssh->event, 0) == SSH_ERROR ||
		!ssh_is_connected(ssh->session)))
		ssh->broken = true;
}

bool
ssh_step(Ssh *ssh, SshStep step, void *data, Deadline deadline,
    const Cancel *cancel, int *answer, GError **error)
{
	for (;;) {
		const int got = step(ssh, data);
		if (got != SSH_AGAIN) {
			*answer = got;
			return true;
		}
		if (!cancel_check(cancel, error)) {
			ssh->broken = true;
			return false;
		}
		if (deadline_passed(deadline)) {
			ssh->broken = true;
			g_set_error_literal(error, ABRUN_ERROR,
			    ABRUN_ERROR_TIMEOUT, "no answer in time");
			return false;
		}
		ssh_turn(ssh, MIN(deadline_left_ms(deadline), STEP_MS),
		    cancel_fd(cancel));
	}
}

static bool
set(Ssh *ssh, enum ssh_options_e option, const void *value, const char *what,
    GError **error)
{
	if (ssh_options_set(ssh->session, option, value) == 0)
		return true;
	g_autofree char *reason = ssh_reason(ssh);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "ssh to %s: %s is not accepted by libssh: %s", ssh->plan->label,
	    what, reason);
	return false;
}

/* RekeyLimit's time: "3600", "30m", "1h"; 0 when there is none. */
static uint32_t
rekey_seconds(const char *text)
{
	static const char units[] = "smhdw";
	static const uint32_t seconds[] = { 1, 60, 3600, 86400, 604800 };
	char *end = NULL;
	const guint64 count = g_ascii_strtoull(text, &end, 10);
	const char *unit =
	    *end == '\0' ? units : strchr(units, g_ascii_tolower(*end));

	if (end == text || count > 100000 || unit == NULL)
		return 0;
	return (uint32_t)count * seconds[unit - units];
}

/* RekeyLimit "1G 1h": bytes, then time. */
static bool
set_rekey(Ssh *ssh, GError **error)
{
	const char *line = ssh_config_get(ssh->plan->config, "rekeylimit");
	g_autoptr(GPtrArray) words = NULL;
	uint64_t bytes = 0;

	if (line == NULL)
		return true;
	words = ssh_config_words(line, error);
	if (words == NULL)
		return false;
	const char *size = g_ptr_array_index(words, 0);
	if (strcmp(size, "default") != 0 && strcmp(size, "none") != 0 &&
	    (!text_parse_size(size, &bytes, error) ||
		!set(ssh, SSH_OPTIONS_REKEY_DATA, &bytes, "RekeyLimit", error)))
		return false;
	const uint32_t seconds =
	    words->len > 1 ? rekey_seconds(g_ptr_array_index(words, 1)) : 0;
	return seconds == 0 ||
	    set(ssh, SSH_OPTIONS_REKEY_TIME, &seconds, "RekeyLimit", error);
}

static bool
set_options(Ssh *ssh, int fd, GError **error)
{
	const SshPlan *plan = ssh->plan;
	const bool no = false;
	const int on = 1;
	g_autofree char *algorithms = ssh_host_key_algorithms(plan, error);

	/* The host's name is for messages: the descriptor is connected. */
	if (algorithms == NULL ||
	    !set(ssh, SSH_OPTIONS_PROCESS_CONFIG, &no, "no file", error) ||
	    !set(ssh, SSH_OPTIONS_HOST, "host", "a name", error) ||
	    !set(ssh, SSH_OPTIONS_FD, &fd, "a descriptor", error) ||
	    !set(ssh, SSH_OPTIONS_USER, plan->user, "user", error) ||
	    !set(ssh, SSH_OPTIONS_NODELAY, &on, "no delay", error) ||
	    !set(ssh, SSH_OPTIONS_KNOWNHOSTS, "/dev/null", "a file", error) ||
	    !set(ssh, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null", "a file",
		error) ||
	    !set(ssh, SSH_OPTIONS_HOSTKEYS, algorithms, "HostKeyAlgorithms",
		error) ||
	    (plan->agent != NULL &&
		!set(ssh, SSH_OPTIONS_IDENTITY_AGENT, plan->agent, "agent",
		    error)) ||
	    !set_rekey(ssh, error))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(tunings); i++) {
		const char *value =
		    ssh_config_get(plan->config, tunings[i].keyword);
		if (value != NULL &&
		    !set(ssh, tunings[i].option, value, tunings[i].keyword,
			error))
			return false;
	}
	return true;
}

static int
connect_step(Ssh *ssh, void *data)
{
	(void)data;
	return ssh_connect(ssh->session);
}

static bool
shake_hands(Ssh *ssh, Deadline deadline, const Cancel *cancel, GError **error)
{
	int answer = SSH_ERROR;

	if (!ssh_step(
		ssh, connect_step, NULL, deadline, cancel, &answer, error)) {
		g_prefix_error(error,
		    "%s accepted the connection, but the SSH handshake did "
		    "not finish: ",
		    ssh->plan->label);
		return false;
	}
	if (answer == SSH_OK)
		return true;
	g_autofree char *reason = ssh_reason(ssh);
	g_autofree char *words =
	    ssh->proxy == NULL ? g_strdup("") : ssh_proxy_words(ssh->proxy);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
	    "SSH handshake with %s failed: %s%s%s", ssh->plan->label, reason,
	    words[0] == '\0' ? "" : "; the proxy said: ", words);
	return false;
}

/* Gives the descriptor to libssh, which then closes it. */
static bool
begin(Ssh *ssh, Deadline deadline, const Cancel *cancel, GError **error)
{
	const int fd =
	    ssh_dial(ssh->plan, deadline, cancel, &ssh->proxy, error);

	if (fd < 0) {
		g_prefix_error(error, "host %s: ", ssh->plan->alias);
		return false;
	}
	ssh->session = ssh_new();
	ssh_set_blocking(ssh->session, 0);
	if (!set_options(ssh, fd, error)) {
		(void)close(fd);
		return false;
	}
	return shake_hands(ssh, deadline, cancel, error);
}

Ssh *
ssh_open(const Host *host, Deadline deadline, const Cancel *cancel,
    GPtrArray *warnings, GError **error)
{
	g_autoptr(Ssh) ssh = g_new0(Ssh, 1);

	ssh_quiet();
	ssh->plan = ssh_plan_new(host, warnings, error);
	if (ssh->plan == NULL) {
		g_prefix_error(error, "host %s: ", host->name);
		return NULL;
	}
	if (ssh->plan->connect_seconds > 0)
		deadline = deadline_min(
		    deadline, deadline_in(ssh->plan->connect_seconds * 1000L));
	if (!begin(ssh, deadline, cancel, error) ||
	    !ssh_check_host_key(ssh, error) ||
	    !ssh_login(ssh, deadline, cancel, error))
		return NULL;
	ssh->event = ssh_event_new();
	(void)ssh_event_add_session(ssh->event, ssh->session);
	return g_steal_pointer(&ssh);
}

void
ssh_close(Ssh *ssh)
{
	if (ssh == NULL)
		return;
	if (ssh->event != NULL) {
		(void)ssh_event_remove_session(ssh->event, ssh->session);
		ssh_event_free(ssh->event);
	}
	if (ssh->session != NULL) {
		ssh_disconnect(ssh->session);
		ssh_free(ssh->session);
	}
	ssh_proxy_free(ssh->proxy);
	ssh_plan_free(ssh->plan);
	g_free(ssh->fingerprint);
	g_free(ssh);
}

bool
ssh_alive(const Ssh *ssh)
{
	char byte = '\0';

	if (ssh->broken || ssh->unclosed >= UNCLOSED_LIMIT ||
	    !ssh_is_connected(ssh->session))
		return false;
	/* A host that hung up while nobody listened has left an end of file. */
	const ssize_t n =
	    recv(ssh_get_fd(ssh->session), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

const char *
ssh_fingerprint(const Ssh *ssh)
{
	return ssh->fingerprint;
}

bool
ssh_key_is_new(const Ssh *ssh)
{
	return ssh->key_is_new;
}
