#include "store/directory.h"

#include <string.h>

#include "store/add.h"

static const char wanted[] = "the plan";

static bool
add_host(
    Store *store, size_t id, const Host *host, const char *role, GError **error)
{
	return db_run(store, wanted,
	    "INSERT INTO host (id, name, role, ssh, os, client, address) "
	    "VALUES (?, ?, ?, ?, ?, ?, ?)",
	    DB_VALUES(db_int((int64_t)id), db_text(host->name), db_text(role),
		db_text(host->ssh != NULL ? host->ssh : host->name),
		db_text(host->os != NULL ? host->os : ""),
		db_text(host->client), db_text(host->address)),
	    error);
}

static bool
add_hosts(Store *store, const Matrix *matrix, GError **error)
{
	const size_t n_targets = matrix->targets->len;

	for (size_t i = 0; i < n_targets; i++)
		if (!add_host(
			store, i, matrix->targets->pdata[i], "target", error))
			return false;
	for (size_t i = 0; i < matrix->hosts->len; i++)
		if (!add_host(store, n_targets + i, matrix->hosts->pdata[i],
			"client", error))
			return false;
	for (size_t i = 0; i < n_targets; i++) {
		const size_t client = matrix_client_number(matrix, i);
		const Host *host = matrix_host_number(matrix, client);
		if (host->local)
			return add_host(store, client, host, "client", error);
	}
	return true;
}

static bool
add_setting(Store *store, size_t factor, size_t level, const char *kind,
    const Setting *setting, GError **error)
{
	return db_run(store, wanted,
	    "INSERT INTO setting (factor, level, kind, name, value, apply, "
	    "undo, verify) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	    DB_VALUES(db_int((int64_t)factor), db_int((int64_t)level),
		db_text(kind),
		db_text(setting->name != NULL ? setting->name : ""),
		db_text(setting->value), db_text(setting->apply),
		db_text(setting->undo), db_text(setting->verify)),
	    error);
}

static bool
add_level(
    Store *store, size_t factor, size_t id, const Level *level, GError **error)
{
	if (!add_level_row(
		store, wanted, factor, id, level->name, level->same, error))
		return false;
	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = level->settings->pdata[i];
		if (!add_setting(store, factor, id,
			setting_kind_name(setting->kind), setting, error))
			return false;
	}
	for (guint i = 0; i < level->expect->len; i++) {
		const Setting fact = { .value = level->expect->pdata[i] };
		if (!add_setting(store, factor, id, "expect", &fact, error))
			return false;
	}
	return true;
}

static bool
add_factor(Store *store, size_t id, const Factor *factor, GError **error)
{
	if (!add_factor_row(store, wanted, id, factor->name, factor->class,
		factor->variable, error))
		return false;
	for (size_t i = 0; i < factor->levels->len; i++)
		if (!add_level(store, id, i, factor->levels->pdata[i], error))
			return false;
	return true;
}

static bool
add_cell(Store *store, const Cell *cell, size_t n_factors, GError **error)
{
	const AddCell row = { (int64_t)cell->id, cell->name, cell->again,
		cell->boot, cell->server, cell->level, n_factors };

	return add_cell_rows(store, wanted, &row, error);
}

/* The load's own metrics, then those of the process it has none for. */
static GPtrArray *
all_metrics(const Load *load)
{
	GPtrArray *metrics = g_ptr_array_new();

	for (guint i = 0; i < load->metrics->len; i++)
		g_ptr_array_add(metrics, load->metrics->pdata[i]);
	for (size_t i = 0; i < LOADDEF_PROCESS_METRICS; i++) {
		const Metric *metric = &loaddef_process_metrics[i];
		if (loaddef_metric(load->metrics, metric->name) == NULL)
			g_ptr_array_add(metrics, (gpointer)metric);
	}
	return metrics;
}

/* Twice through the list: the primary one first, then the others. */
static bool
add_metrics(Store *store, size_t id, const Load *load, GError **error)
{
	g_autoptr(GPtrArray) metrics = all_metrics(load);
	size_t position = 0;

	for (int pass = 0; pass < 2; pass++)
		for (guint i = 0; i < metrics->len; i++) {
			const Metric *metric = metrics->pdata[i];
			const AddMetric row = { metric->name, metric->unit,
				metric->higher_is_better,
				g_strcmp0(metric->name, load->primary) == 0 };
			if (row.primary == (pass == 0) &&
			    !add_metric_row(
				store, wanted, id, position++, &row, error))
				return false;
		}
	return true;
}

static bool
add_load(Store *store, size_t id, const Load *load, GError **error)
{
	const AddLoad row = { load->name, load->use, load->command,
		load->writes, load->reset, load->variables };

	return add_load_rows(store, wanted, id, &row, error) &&
	    add_metrics(store, id, load, error);
}

/* "" without a server; free it. */
static char *
server_words(const Server *server)
{
	switch (server->kind) {
	case SERVER_NONE:
		return g_strdup("");
	case SERVER_SERVICE:
		return g_strdup_printf("service %s", server->service);
	case SERVER_COMMAND:
		return g_strdup(server->command);
	case SERVER_OTHER:
		return g_strdup(server->start);
	}
	g_assert_not_reached();
}

static bool
add_experiment(
    Store *store, const Plan *plan, const char *version, GError **error)
{
	const Matrix *matrix = plan->matrix;
	const Design *design = &matrix->design;
	g_autofree char *seed =
	    g_strdup_printf("%" G_GUINT64_FORMAT, plan->seed);
	g_autofree char *server = server_words(&matrix->server);

	return db_run(store, wanted,
	    "INSERT INTO experiment (id, name, title, matrix_path, identity, "
	    "version, seed, began, rounds, runs, warmup_runs, warmup_ms, "
	    "boot, restart, margin_percent, others_percent, baseline, "
	    "has_server, server) "
	    "VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
	    "?)",
	    DB_VALUES(db_text(matrix->name),
		db_text(matrix->title != NULL ? matrix->title : ""),
		db_text(matrix->path), db_text(plan->identity),
		db_text(version), db_text(seed), db_double(db_now()),
		db_int(design->rounds), db_int(design->runs),
		db_int(design->warmup_runs), db_int(design->warmup_ms),
		db_text(boot_policy_name(design->boot)),
		db_text(restart_policy_name(design->restart)),
		db_double(design->margin_percent),
		db_double(design->others_percent),
		db_int((int64_t)plan->baseline),
		db_int(matrix->server.kind != SERVER_NONE), db_text(server)),
	    error);
}

bool
describe_plan(
    Store *store, const Plan *plan, const char *version, GError **error)
{
	const Matrix *matrix = plan->matrix;
	const size_t n_factors = matrix->factors->len;

	if (!add_hosts(store, matrix, error))
		return false;
	for (size_t i = 0; i < n_factors; i++)
		if (!add_factor(store, i, matrix->factors->pdata[i], error))
			return false;
	for (guint i = 0; i < plan->cells->len; i++)
		if (!add_cell(store, plan->cells->pdata[i], n_factors, error))
			return false;
	for (size_t i = 0; i < matrix->loads->len; i++)
		if (!add_load(store, i, matrix->loads->pdata[i], error))
			return false;
	return add_experiment(store, plan, version, error);
}
