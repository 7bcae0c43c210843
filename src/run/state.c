#include "run/state.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/measure.h"
#include "run/values.h"

enum { TROUBLE_BYTES = 200, SHOWN_BYTES = 200 };

static const Load *
load_at(const Worker *worker, size_t load)
{
	return worker_matrix(worker)->loads->pdata[load];
}

/*
 * One command of a load about its data.  Loads that share their data would
 * else make it twice: what is in done is not run; NULL for always.
 */
static bool
run_command(Worker *worker, size_t index, const char *what,
    const char *template, GHashTable *done, GError **error)
{
	const Load *load = load_at(worker, index);
	g_autoptr(GHashTable) values =
	    values_run(worker, index, NULL, 0, 0, error);

	if (values == NULL)
		return false;
	g_autofree char *command = load_expand_command(template, values, error);
	if (command == NULL)
		return false;
	if (done != NULL && !g_hash_table_add(done, g_strdup(command)))
		return true;
	g_autofree char *shown = text_printable(command, SHOWN_BYTES);
	log_verbose("%s: %s of %s: %s", worker_host(worker)->name, what,
	    load->name, shown);
	g_autoptr(VerbAnswer) answer =
	    measure_execute(worker, command, load->timeout_ms, error);
	LoadOutput output;
	if (answer == NULL || !measure_output(answer, &output, error))
		return false;
	return measure_succeeded(load, what, &output, error);
}

bool
state_clean_up(Worker *worker, size_t load, GHashTable *done, GError **error)
{
	const char *command = load_at(worker, load)->cleanup;

	return command == NULL ||
	    run_command(worker, load, "cleanup", command, done, error);
}

static bool
reset(Worker *worker, size_t index, GError **error)
{
	const Load *load = load_at(worker, index);
	const bool done = load->restore != NULL
	    ? run_command(worker, index, "restore", load->restore, NULL, error)
	    : run_command(
		  worker, index, "cleanup", load->cleanup, NULL, error) &&
		run_command(worker, index, "setup", load->setup, NULL, error);

	if (!done) {
		g_prefix_error(error, "the data cannot be reset: ");
		return false;
	}
	state_log_reset(worker->state, index);
	return true;
}

/* What the server refuses to tell is its trouble; other errors are ours. */
static bool
ask(Worker *worker, const char *table, const char *sql, char **value,
    char **trouble, GError **error)
{
	g_autofree char *statement = g_strdup_printf("%s `%s`", sql, table);
	g_autoptr(GError) failure = NULL;

	*value = server_query_value(worker->control, statement, &failure);
	if (*value != NULL)
		return true;
	if (!g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_FAILED)) {
		g_propagate_error(error, g_steal_pointer(&failure));
		return false;
	}
	*trouble = text_printable(failure->message, TROUBLE_BYTES);
	return true;
}

static bool
look(Worker *worker, const char *table, StateCompare compare, StateTable *seen,
    GError **error)
{
	return ask(worker, table, "SELECT COUNT(*) FROM", &seen->rows,
		   &seen->trouble, error) &&
	    (compare == STATE_ROWS || seen->trouble != NULL ||
		ask(worker, table, "CHECKSUM TABLE", &seen->checksum,
		    &seen->trouble, error));
}

/* As told in the run's first night, where this is a later one. */
static const char *
before(const Worker *worker, const char *table, const char *what)
{
	g_autofree char *key = g_strdup_printf("table.%s.%s", table, what);

	return g_hash_table_lookup(worker->before, key);
}

static bool
is_as_before(const Worker *worker, const char *table, const StateTable *seen,
    GError **error)
{
	const StateTable wanted = {
		.rows = (char *)before(worker, table, "rows"),
		.checksum = (char *)before(worker, table, "checksum"),
	};
	g_autofree char *changed = wanted.rows == NULL
	    ? NULL
	    : state_judge(table, state_log_compare(worker->state, table),
		  &wanted, seen);

	if (changed == NULL)
		return true;
	failure_set(error, FAILURE_DATA_CHANGED, ABRUN_ERROR_VERIFY,
	    "%s since this run began: put them back as they were, or start "
	    "another run with --new",
	    changed);
	return false;
}

static bool
keep_table(Worker *worker, const char *table, GError **error)
{
	g_auto(StateTable) seen = { 0 };

	if (!look(worker, table, STATE_ALL, &seen, error))
		return false;
	/* A view counts rows, but has no checksum. */
	if (seen.trouble != NULL || strcmp(seen.checksum, "NULL") == 0) {
		failure_set(error, FAILURE_SETUP_FAILED, ABRUN_ERROR_FAILED,
		    "after the setup, table %s: %s", table,
		    seen.trouble != NULL ? seen.trouble : "has no checksum");
		return false;
	}
	if (!is_as_before(worker, table, &seen, error))
		return false;
	state_log_want(worker->state, table, &seen);
	return before(worker, table, "rows") != NULL ||
	    (worker_fact(worker, "table", table, "rows", seen.rows, error) &&
		worker_fact(
		    worker, "table", table, "checksum", seen.checksum, error));
}

static bool
keep_tables(Worker *worker, GError **error)
{
	const GPtrArray *loads = worker_matrix(worker)->loads;

	for (guint i = 0; i < loads->len && worker->control != NULL; i++) {
		const GPtrArray *tables = load_at(worker, i)->tables;
		for (guint t = 0; t < tables->len; t++)
			if (!keep_table(worker, tables->pdata[t], error))
				return false;
	}
	return true;
}

/* With datadir_from each start has data of its own. */
static bool
is_copied(const Worker *worker)
{
	return worker_matrix(worker)->server.datadir_from != NULL;
}

static bool
run_setups(Worker *worker, GError **error)
{
	const GPtrArray *loads = worker_matrix(worker)->loads;
	g_autoptr(GHashTable) done =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < loads->len; i++) {
		const Load *load = loads->pdata[i];
		if (load->setup != NULL &&
		    !run_command(worker, i, "setup", load->setup, done, error))
			return false;
	}
	return true;
}

bool
state_set_up(Worker *worker, GError **error)
{
	const bool resumed = g_hash_table_size(worker->before) > 0;

	if (!run_setups(worker, error))
		return false;
	for (guint i = 0; i < worker_matrix(worker)->loads->len; i++)
		if (resumed && !is_copied(worker) &&
		    load_at(worker, i)->reset != RESET_NEVER &&
		    !reset(worker, i, error))
			return false;
	return keep_tables(worker, error);
}

bool
state_start(Worker *worker, size_t round, GError **error)
{
	const guint n = worker_matrix(worker)->loads->len;

	state_log_start(worker->state, round);
	if (is_copied(worker) && !run_setups(worker, error))
		return false;
	for (guint i = 0; i < n && is_copied(worker); i++)
		state_log_reset(worker->state, i);
	for (guint i = 0; i < n; i++)
		if (state_log_due_at_start(worker->state, i) &&
		    !reset(worker, i, error))
			return false;
	return true;
}

/* Compares the tables of a load that are to be as they were. */
static bool
compare_tables(Worker *worker, size_t index, GError **error)
{
	const GPtrArray *tables = load_at(worker, index)->tables;
	char *changed = NULL;

	for (guint i = 0; i < tables->len && changed == NULL; i++) {
		const char *table = tables->pdata[i];
		const StateCompare compare =
		    state_log_compare(worker->state, table);
		g_auto(StateTable) seen = { 0 };
		if (compare == STATE_NOTHING)
			continue;
		if (!look(worker, table, compare, &seen, error))
			return false;
		changed = state_log_judge(worker->state, table, &seen);
	}
	state_log_found(worker->state, index, changed);
	return true;
}

bool
state_ready(Worker *worker, size_t load, const char **changed, GError **error)
{
	if (state_log_due(worker->state, load) && !reset(worker, load, error))
		return false;
	if (worker->control != NULL && state_log_look(worker->state, load) &&
	    !compare_tables(worker, load, error))
		return false;
	state_log_run(worker->state, load);
	*changed = state_log_changed(worker->state, load);
	return true;
}
