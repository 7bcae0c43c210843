#include "run/values.h"

#include <string.h>

#include "base/random.h"
#include "run/client.h"

static const Load *
load_of(const Worker *worker, size_t index)
{
	return worker_matrix(worker)->loads->pdata[index];
}

static void G_GNUC_PRINTF(3, 4)
    set(LoadValues *values, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *value = g_strdup_vprintf(format, args);
	va_end(args);
	load_set_value(values, name, value);
}

LoadValues *
values_host(const Worker *worker)
{
	const Server *server = &worker_matrix(worker)->server;
	const Host *host = worker_host(worker);
	LoadValues *values = load_new_values();

	/*
	 * On the target itself the name that we log in by may mean nothing, so
	 * only an address that was given is used there.
	 */
	const bool apart = client_is_apart(worker);
	set(values, "host", "%s",
	    host->address_given || apart ? host->address : "127.0.0.1");
	set(values, "port", "%d", server->port);
	set(values, "socket", "%s",
	    server->socket == NULL || apart ? "" : server->socket);
	set(values, "user", "%s", server->user == NULL ? "" : server->user);
	set(values, "db", "%s", server->db == NULL ? "" : server->db);
	set(values, "target", "%s", host->name);
	return values;
}

/* The level's value of each variable, or its name in braces. */
static LoadValues *
variables_of(const Worker *worker, const Cell *cell, bool shown)
{
	const Matrix *matrix = worker_matrix(worker);
	LoadValues *values = load_new_values();

	for (guint f = 0; f < matrix->factors->len; f++) {
		const Factor *factor = matrix->factors->pdata[f];
		const Level *level =
		    factor->levels->pdata[cell == NULL ? 0 : cell->level[f]];
		if (factor->variable && shown)
			set(values, factor->name, "{%s}", factor->name);
		else if (factor->variable)
			set(values, factor->name, "%s", level->name);
	}
	return values;
}

/* A key that names a script becomes the path of its copy. */
static void
set_scripts(const Worker *worker, size_t load, LoadValues *values)
{
	const GPtrArray *scripts = worker->client->scripts;

	for (guint i = 0; i < scripts->len; i++) {
		const WorkerScript *script = scripts->pdata[i];
		const char *value = g_hash_table_lookup(values, script->key);
		if (script->load == load && value != NULL &&
		    strcmp(value, script->name) == 0)
			load_set_value(values, script->key, script->path);
	}
}

LoadValues *
values_run(const Worker *worker, size_t load, const Cell *cell, size_t round,
    int number, GError **error)
{
	g_autoptr(GHashTable) builtin = values_host(worker);
	g_autoptr(GHashTable) variables = variables_of(worker, cell, false);
	Random random = random_stream(worker->plan->seed, "load",
	    round * 1000003 + (uint64_t)(number + 1000));

	set(builtin, "round", "%zu", round);
	set(builtin, "run", "%d", number);
	set(builtin, "seed", "%" G_GUINT64_FORMAT,
	    random_below(&random, UINT64_C(1) << 30) + 1);
	set(builtin, "cell", "%s", cell == NULL ? "" : cell->name);
	set(builtin, "outdir", "%s", worker->client->work_dir);
	LoadValues *values =
	    load_values(load_of(worker, load), builtin, variables, error);
	if (values != NULL)
		set_scripts(worker, load, values);
	return values;
}

char *
values_shown_command(const Worker *worker, size_t load, GError **error)
{
	static const char *const varying[] = { "round", "run", "seed", "cell",
		"outdir" };
	g_autoptr(GHashTable) builtin = values_host(worker);
	g_autoptr(GHashTable) variables = variables_of(worker, NULL, true);

	for (size_t i = 0; i < G_N_ELEMENTS(varying); i++)
		set(builtin, varying[i], "{%s}", varying[i]);
	g_autoptr(GHashTable) values =
	    load_values(load_of(worker, load), builtin, variables, error);
	if (values == NULL)
		return NULL;
	g_autofree char *command =
	    load_expand_command(load_of(worker, load)->command, values, error);
	return command == NULL ? NULL : load_shown_command(command);
}
