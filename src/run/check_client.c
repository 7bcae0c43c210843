#include "run/check_work.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/check_words.h"
#include "run/client.h"
#include "run/measure.h"
#include "run/prepare.h"
#include "run/scripts.h"

enum { SHOWN_BYTES = 200 };

static bool
is_abload(const Load *load)
{
	return g_strcmp0(load->def->tool, "abload") == 0;
}

/* What prepare_tool() kept of it; free it. */
static char *
kept(const Worker *worker, const Load *load, const char *what)
{
	g_autofree char *key = g_strdup_printf("load.%s.%s", load->name, what);

	return store_host_fact(worker->store, worker->client->index, key);
}

static void
tell_tool(Check *check, const Worker *worker, const Load *load)
{
	g_autofree char *version = kept(worker, load, "version");
	g_autofree char *path = kept(worker, load, "path");
	g_autofree char *sum = kept(worker, load, "sha256");
	g_autofree char *wrong = is_abload(load) ? check_abload(version) : NULL;

	if (wrong != NULL) {
		g_autofree char *text =
		    g_strdup_printf("%s: %s", path == NULL ? "?" : path, wrong);
		findings_add(check->findings, FINDING_FAIL, load->use, text,
		    check_abload_advice);
	} else if (path != NULL || version != NULL)
		findings_tell(check->findings, FINDING_OK, load->use,
		    "%s%s%s, sha256 %.12s...", path == NULL ? "" : path,
		    path == NULL || version == NULL ? "" : ", ",
		    version == NULL ? "version not told" : version,
		    sum == NULL ? "?" : sum);
}

static void
check_tool(Check *check, Worker *worker, const Load *load)
{
	g_autoptr(GError) failure = NULL;

	if (prepare_tool(worker, load, &failure)) {
		tell_tool(check, worker, load);
		return;
	}
	if (is_abload(load) && failure_of(failure) == FAILURE_MISSING_TOOL)
		findings_add(check->findings, FINDING_FAIL, load->use,
		    "MISSING_TOOL: abload is not in the PATH of the host",
		    check_abload_advice);
	else
		check_fail(check, worker, load->use, failure,
		    failure_of(failure) != FAILURE_MISSING_TOOL);
}

/* Loads of one definition need the same tool. */
static void
check_tools(Check *check, Worker *worker)
{
	const GPtrArray *loads = check->plan->matrix->loads;
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < loads->len && check_goes_on(check); i++) {
		const Load *load = loads->pdata[i];
		if (g_hash_table_add(seen, load->use))
			check_tool(check, worker, load);
	}
}

/* Any command shows whether loads can be run there, and what is measured. */
static void
check_keeper(Check *check, Worker *worker)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(VerbAnswer) answer =
	    measure_execute(worker, "true", CHECK_COMMAND_MS, &failure);
	LoadOutput output;

	if (answer == NULL || !measure_output(answer, &output, &failure))
		check_fail(check, worker, "loads", failure, true);
	else if (output.status != 0) {
		g_autofree char *said = text_one_line(output.err, SHOWN_BYTES);
		findings_tell(check->findings, FINDING_FAIL, "loads",
		    "the command \"true\" ended there with status %d: %s",
		    output.status, said);
	} else if (output.maxrss_kb < 0)
		findings_add(check->findings, FINDING_NOTE, "time",
		    "there is no GNU time: maxrss of loads is not measured",
		    "install it (Debian: apt-get install time), if it is "
		    "wanted");
	else
		findings_add(check->findings, FINDING_OK, "time",
		    "wall, user, sys and maxrss of loads are measured", NULL);
}

/* Those that lie there already; the others were copied with the login. */
static void
check_scripts(Check *check, Worker *worker)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(GPtrArray) paths = scripts_there(worker->client);
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	const guint copied = worker->client->scripts->len;

	if (copied > 0)
		findings_tell(check->findings, FINDING_OK, "scripts",
		    "%u copied there, and arrived as they are", copied);
	if (paths->len == 0)
		return;
	g_ptr_array_add(paths, NULL);
	verb_call_addv(call, "hash", (const char *const *)paths->pdata);
	if (!client_call(worker, call, &answers, &failure) ||
	    !verb_answer_check(answers->pdata[0], &failure)) {
		check_fail(check, worker, "scripts", failure, true);
		return;
	}
	g_autoptr(GPtrArray) sums =
	    verb_answer_all(answers->pdata[0], "sha256");
	for (guint i = 0; i < MIN(sums->len, paths->len - 1); i++)
		if (strcmp(sums->pdata[i], "missing") == 0)
			findings_tell(check->findings, FINDING_FAIL, "scripts",
			    "MISSING_FILE: %s is not there, or cannot be read",
			    (const char *)paths->pdata[i]);
}

void
check_client(Check *check, Worker *worker)
{
	g_autofree char *now = g_strdup_printf(
	    "%s: looking for tools", worker_host(worker->client)->name);

	log_progress(now);
	check_tools(check, worker);
	if (check_goes_on(check))
		check_keeper(check, worker);
	if (check_goes_on(check))
		check_scripts(check, worker);
}
