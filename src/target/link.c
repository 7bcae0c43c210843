#include "target/link.h"

#include <stdlib.h>

#include "base/failure.h"
#include "base/process.h"

void
target_link_init(TargetLink *link, const Host *host, GPtrArray *warnings)
{
	*link = (TargetLink){ .host = host, .warnings = warnings };
}

void
target_link_drop(TargetLink *link)
{
	ssh_close(link->ssh);
	link->ssh = NULL;
}

void
target_link_clear(TargetLink *link)
{
	target_link_drop(link);
	g_clear_pointer(&link->fingerprint, g_free);
}

/* NAME=VALUE of ours, if it is set. */
static void
pass_on(GPtrArray *environment, const char *name)
{
	const char *value = getenv(name);

	if (value != NULL)
		g_ptr_array_add(
		    environment, g_strdup_printf("%s=%s", name, value));
}

/* The same shell with as few variables as a login has. */
static bool
run_here(const char *script, size_t max_output, Deadline deadline,
    const Cancel *cancel, SshResult *result, GError **error)
{
	static const char *const argv[] = { "/bin/sh", "-s", NULL };
	g_autoptr(GPtrArray) environment =
	    g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) failure = NULL;
	ProcessResult process = { 0 };

	if (!cancel_check(cancel, error))
		return false;
	pass_on(environment, "PATH");
	pass_on(environment, "HOME");
	pass_on(environment, "TMPDIR");
	g_ptr_array_add(environment, NULL);
	const bool ended =
	    process_run(argv, (const char *const *)environment->pdata, script,
		max_output, deadline, cancel, &process, &failure);
	if (!ended &&
	    g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_FAILED)) {
		process_result_clear(&process);
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST, "%s",
		    failure->message);
		return false;
	}
	*result = (SshResult){
		.end = ended && process.signal == 0 ? SSH_END_EXIT
		    : ended                         ? SSH_END_SIGNAL
		    : g_error_matches(
			  failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED)
		    ? SSH_END_CANCEL
		    : SSH_END_TIMEOUT,
		.status = ended ? process.status : -1,
		.out = g_steal_pointer(&process.out),
		.err = g_steal_pointer(&process.err),
		.killed = !ended,
	};
	process_result_clear(&process);
	return true;
}

/*
 * Before there is a session nothing can have been begun: a host that is too
 * slow to let us in is lost like one that refuses, and may come back.
 */
static bool
connect_host(
    TargetLink *link, Deadline deadline, const Cancel *cancel, GError **error)
{
	g_autoptr(GError) failure = NULL;

	link->ssh =
	    ssh_open(link->host, deadline, cancel, link->warnings, &failure);
	if (link->ssh == NULL) {
		if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_TIMEOUT))
			failure_set(error, FAILURE_HOST_LOST, ABRUN_ERROR_HOST,
			    "%s", failure->message);
		else
			g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	g_free(link->fingerprint);
	link->fingerprint = g_strdup(ssh_fingerprint(link->ssh));
	link->accepted_key = link->accepted_key || ssh_key_is_new(link->ssh);
	return true;
}

bool
target_link_open(TargetLink *link, Deadline deadline, const Cancel *cancel,
    bool *fresh, GError **error)
{
	*fresh = false;
	if (link->host->local)
		return true;
	if (link->ssh != NULL && !ssh_alive(link->ssh))
		target_link_drop(link);
	if (link->ssh != NULL)
		return true;
	*fresh = true;
	return connect_host(link, deadline, cancel, error);
}

bool
target_link_run(TargetLink *link, const char *command, const char *script,
    size_t max_output, Deadline deadline, const Cancel *cancel,
    SshResult *result, GError **error)
{
	if (link->host->local)
		return run_here(
		    script, max_output, deadline, cancel, result, error);
	if (ssh_run(link->ssh, command, script, max_output, deadline, cancel,
		result, error))
		return true;
	target_link_drop(link);
	return false;
}
