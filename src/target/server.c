#include "target/server.h"

#include <string.h>

#include "base/deadline.h"
#include "base/failure.h"
#include "base/text.h"
#include "target/server_control.h"
#include "target/server_proof.h"

enum {
	SQL_MS = 30000,    /* one look at the server's variables */
	QUERY_MS = 600000, /* a checksum reads a whole table */
};

void
server_life_clear(ServerLife *life)
{
	g_free(life->start);
	g_free(life->boot_id);
	g_free(life->exe);
	g_free(life->exe_sha256);
	g_free(life->exe_identity);
	g_free(life->version);
	g_free(life->invocation);
	g_free(life->environment_files);
	*life = (ServerLife){ 0 };
}

ServerControl *
server_control_new(Target *target, const Server *server)
{
	ServerControl *control = g_new0(ServerControl, 1);

	control->target = target;
	control->server = server;
	control->sql = control_new(target, server);
	return control;
}

void
server_control_free(ServerControl *control)
{
	if (control == NULL)
		return;
	control_free(control->sql);
	server_life_clear(&control->life);
	g_free(control->work_dir);
	g_free(control->known_identity);
	g_free(control->known_sha256);
	if (control->ended != NULL)
		g_ptr_array_unref(control->ended);
	g_free(control);
}

void
server_set_directory(ServerControl *control, const char *work_dir)
{
	g_autofree char *copy = g_strdup(work_dir);

	g_free(control->work_dir);
	control->work_dir = g_steal_pointer(&copy);
}

bool
server_may_run(const ServerControl *control)
{
	return control->running;
}

int64_t
server_uptime_limit(const ServerControl *control)
{
	return (deadline_now_us() - control->started_us) / 1000000 +
	    SERVER_UPTIME_SLACK;
}

static bool
is_own_life(const ServerControl *control, const ServerLife *life)
{
	return control->running && control->life.pid == life->pid &&
	    strcmp(control->life.start, life->start) == 0;
}

void
server_prove_ask(VerbCall *call, const Server *server, const ServerLife *life,
    const GPtrArray *settings, const GPtrArray *subjects)
{
	ProofContext context = { server, life, settings, subjects };
	g_autoptr(GPtrArray) verbs = server_proof_verbs(&context);

	for (guint i = 0; i < verbs->len; i++) {
		char *const *words = g_ptr_array_index(verbs, i);

		verb_call_addv(
		    call, words[0], (const char *const *)(words + 1));
	}
}

/* Lower-case name to value, from rows of two columns. */
static GHashTable *
table_of(const GPtrArray *rows)
{
	GHashTable *table =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (guint i = 0; i < rows->len; i++) {
		char *const *row = g_ptr_array_index(rows, i);

		g_hash_table_insert(
		    table, g_ascii_strdown(row[0], -1), g_strdup(row[1]));
	}
	return table;
}

static GHashTable *
read_variables(
    ServerControl *control, const ProofContext *context, GError **error)
{
	g_autofree char *statement = option_proof_statement(context);
	g_autoptr(GPtrArray) rows = NULL;
	g_autoptr(GPtrArray) uptime = NULL;
	GHashTable *values = NULL;

	if (!control_connect(control->sql, NULL, deadline_in(SQL_MS), error))
		return NULL;
	rows = control_rows(control->sql, statement, error);
	if (rows != NULL)
		uptime = control_rows(
		    control->sql, "SHOW GLOBAL STATUS LIKE 'Uptime'", error);
	control_disconnect(control->sql);
	if (uptime == NULL)
		return NULL;
	values = table_of(rows);
	for (guint i = 0; i < uptime->len; i++) {
		char *const *row = g_ptr_array_index(uptime, i);

		g_hash_table_insert(
		    values, g_strdup("abrun uptime"), g_strdup(row[1]));
	}
	return values;
}

/* Of what is no mysqld, these cannot be asked. */
static void
judge_no_mysqld(GPtrArray *proofs)
{
	static const char *const names[] = { "version", "uptime" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		g_ptr_array_add(proofs,
		    proof_new(names[i], "", "told by a mysqld",
			"the server is none", PROOF_NOT_APPLICABLE));
}

/* The server that answers cannot be older than the one that was started. */
static void
judge_uptime(
    const ServerControl *control, const char *uptime, GPtrArray *proofs)
{
	int64_t limit = server_uptime_limit(control), seconds = 0;
	g_autofree char *wanted =
	    g_strdup_printf("at most %" G_GINT64_FORMAT " s", limit);
	ProofVerdict verdict = PROOF_UNKNOWN;

	if (uptime != NULL &&
	    text_parse_int(uptime, 0, INT64_MAX, &seconds, NULL))
		verdict = seconds <= limit ? PROOF_YES : PROOF_NO;
	g_ptr_array_add(proofs,
	    proof_new("uptime", "", wanted,
		uptime == NULL ? "the server does not tell" : uptime, verdict));
}

bool
server_prove_judge(ServerControl *control, const VerbCall *call,
    const GPtrArray *answers, const ServerLife *life, const GPtrArray *settings,
    const GPtrArray *subjects, GPtrArray *proofs, GError **error)
{
	ProofContext context = { control->server, life, settings, subjects };
	g_autoptr(GHashTable) values = NULL;
	g_autoptr(GError) trouble = NULL;

	g_return_val_if_fail(verb_call_length(call) == answers->len, false);
	if (!server_proof_judge(&context, answers, proofs, error))
		return false;
	if (!control->server->mysqld) {
		judge_no_mysqld(proofs);
		return true;
	}
	values = read_variables(control, &context, &trouble);
	if (values == NULL &&
	    (g_error_matches(trouble, ABRUN_ERROR, ABRUN_ERROR_CANCELLED) ||
		g_error_matches(trouble, ABRUN_ERROR, ABRUN_ERROR_USAGE))) {
		g_propagate_error(error, g_steal_pointer(&trouble));
		return false;
	}
	option_proof_values(
	    &context, values, trouble == NULL ? "" : trouble->message, proofs);
	if (values != NULL && is_own_life(control, life))
		judge_uptime(control,
		    g_hash_table_lookup(values, "abrun uptime"), proofs);
	return true;
}

char *
server_query_value(ServerControl *control, const char *sql, GError **error)
{
	g_autoptr(GPtrArray) rows = NULL;

	if (!control_connect(control->sql, control->server->db,
		deadline_in(QUERY_MS), error))
		return NULL;
	rows = control_rows(control->sql, sql, error);
	control_disconnect(control->sql);
	if (rows == NULL)
		return NULL;
	if (rows->len == 0) {
		failure_set(error, FAILURE_NO_RESULT, ABRUN_ERROR_FAILED,
		    "the statement gave no row: %s", sql);
		return NULL;
	}

	char *const *row = g_ptr_array_index(rows, 0);

	return g_strdup(row[g_strv_length((char **)row) - 1]);
}
