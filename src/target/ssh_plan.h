/*
 * Everything that is decided before a host is touched: where to connect, as
 * whom, by which way, with which keys, and which host keys to believe; from
 * the matrix's Host and its ssh_config.  Reads that file, nothing else.
 */
#ifndef TARGET_SSH_PLAN_H
#define TARGET_SSH_PLAN_H

#include <stdbool.h>

#include <glib.h>

#include "matrix/matrix.h"
#include "target/ssh_config.h"

typedef struct {
	char *alias; /* as asked for: what Host patterns are held against */
	char *host;  /* name or address that is connected to */
	char *user;
	int port;
	char *label;      /* "lab1 (root@10.0.0.1 port 22)" */
	char *known_name; /* what known_hosts calls it */
	GPtrArray *known; /* char *: files; the first is written to */
	HostKeyPolicy policy;
	char *pin;           /* "SHA256:..." without padding, or NULL */
	GPtrArray *keys;     /* char *: private key files */
	bool keys_wanted;    /* named by a person, not just the usual ones */
	char *agent;         /* socket of the agent, or NULL */
	char *bind_address;  /* or NULL */
	int family;          /* AF_UNSPEC, AF_INET, AF_INET6 */
	char **proxy;        /* argument vector of the way there, or NULL */
	int connect_seconds; /* 0 = only the caller's deadline */
	char *ssh_config;    /* file that was read, or NULL */
	SshConfig *config;   /* likewise: ciphers and so on */
	bool sudo;
} SshPlan;

/*
 * Adds to warnings, if not NULL.  NULL with ABRUN_ERROR_USAGE when host or
 * ssh_config hold something that cannot be.
 */
SshPlan *ssh_plan_new(const Host *host, GPtrArray *warnings, GError **error);
void ssh_plan_free(SshPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(SshPlan, ssh_plan_free)

#endif
