#include "store/add.h"
#include "store/directory.h"

static const char wanted[] = "the imported samples";

/* One statement for each item of a list, the first that fails ends it. */
typedef bool (*AddItem)(Store *, const void *item, size_t place, GError **);

static bool
add_all(Store *store, const GPtrArray *items, AddItem add, GError **error)
{
	for (guint i = 0; i < items->len; i++)
		if (!add(store, items->pdata[i], i, error))
			return false;
	return true;
}

static bool
add_target(Store *store, const void *item, size_t place, GError **error)
{
	return db_run(store, wanted,
	    "INSERT INTO host (id, name, role, ssh, os) "
	    "VALUES (?, ?, 'target', '', '')",
	    DB_VALUES(db_int((int64_t)place), db_text(item)), error);
}

static bool
add_factor(Store *store, const void *item, size_t place, GError **error)
{
	const DataFactor *factor = item;

	if (!add_factor_row(store, wanted, place, factor->name,
		(FactorClass)factor->class, factor->variable, error))
		return false;
	for (guint i = 0; i < factor->levels->len; i++)
		if (!add_level_row(store, wanted, place, i,
			factor->levels->pdata[i], false, error))
			return false;
	return true;
}

static bool
add_cell(Store *store, const void *item, size_t place, GError **error)
{
	const DataCell *cell = item;
	const AddCell row = { cell->id, cell->name, cell->again, cell->boot,
		cell->server, &g_array_index(cell->levels, size_t, 0),
		cell->levels->len };

	(void)place;
	return add_cell_rows(store, wanted, &row, error);
}

static bool
add_load(Store *store, const void *item, size_t place, GError **error)
{
	const DataLoad *load = item;
	const AddLoad row = { load->name, load->use, load->command,
		load->writes, (Reset)load->reset, load->variables };

	if (!add_load_rows(store, wanted, place, &row, error))
		return false;
	for (guint i = 0; i < load->metrics->len; i++) {
		const DataMetric *metric = load->metrics->pdata[i];
		const AddMetric added = { metric->name, metric->unit,
			metric->higher_is_better, metric->primary };
		if (!add_metric_row(store, wanted, place, i, &added, error))
			return false;
	}
	return true;
}

static bool
add_experiment(Store *store, const StoreData *data, GError **error)
{
	return db_run(store, wanted,
	    "INSERT INTO experiment (id, name, title, matrix_path, identity, "
	    "version, seed, began, rounds, runs, warmup_runs, warmup_ms, "
	    "boot, restart, margin_percent, others_percent, baseline, "
	    "has_server, server) "
	    "VALUES (1, ?, ?, ?, ?, ?, '0', ?, ?, 0, 0, 0, ?, ?, ?, ?, ?, ?, "
	    "?)",
	    DB_VALUES(db_text(data->name), db_text(data->title),
		db_text(data->matrix_path), db_text(data->identity),
		db_text(data->version), db_double(data->began),
		db_int(data->rounds), db_text(boot_policy_name(BOOT_BLOCK)),
		db_text(restart_policy_name(RESTART_VISIT)),
		db_double(data->margin_percent),
		db_double(data->others_percent),
		db_int((int64_t)data->baseline), db_int(data->has_server),
		db_text(data->server)),
	    error);
}

static bool
add_boot(Store *store, const void *item, size_t place, GError **error)
{
	const DataBoot *boot = item;

	(void)place;
	return db_run(store, wanted,
	    "INSERT INTO boot (id, target, boot_id, kernel, made, began) "
	    "VALUES (?, ?, ?, ?, ?, ?)",
	    DB_VALUES(db_int(boot->id), db_int((int64_t)boot->target),
		db_text(boot->boot_id), db_text(boot->kernel),
		db_int(boot->made), db_double(boot->began)),
	    error);
}

static bool
add_visit(Store *store, const void *item, size_t place, GError **error)
{
	const DataVisit *visit = item;

	(void)place;
	return db_run(store, wanted,
	    "INSERT INTO visit (id, target, round, block, server, boot, "
	    "attempt, status, began, ended) "
	    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    DB_VALUES(db_int(visit->id), db_int((int64_t)visit->target),
		db_int((int64_t)visit->round), db_int((int64_t)visit->block),
		db_int((int64_t)visit->server), db_id(visit->boot),
		db_int(visit->attempt),
		db_text(visit_status_name(visit->status)),
		db_double(visit->began), db_double(visit->ended)),
	    error);
}

static bool
add_start(Store *store, const void *item, size_t place, GError **error)
{
	const DataStart *start = item;

	(void)place;
	return db_run(store, wanted,
	    "INSERT INTO start (id, visit, position, pid, ready_ms, at) "
	    "VALUES (?, ?, ?, 0, 0, 0)",
	    DB_VALUES(db_int(start->id), db_int(start->visit),
		db_int((int64_t)start->index)),
	    error);
}

static bool
add_run(Store *store, const void *item, size_t place, GError **error)
{
	const DataRun *run = item;

	(void)place;
	return db_run(store, wanted,
	    "INSERT INTO run (id, visit, start, cell, load, number, warmup, "
	    "good, began, wall_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    DB_VALUES(db_int(run->id), db_int(run->visit), db_id(run->start),
		db_int(run->cell), db_int((int64_t)run->load),
		db_int(run->number), db_int(run->warmup), db_int(run->good),
		db_double(run->began), db_int(run->wall_ms)),
	    error);
}

static bool
add_sample(Store *store, const void *item, size_t place, GError **error)
{
	const DataSample *sample = item;

	(void)place;
	return db_run(store, wanted,
	    "INSERT INTO sample (run, metric, value) VALUES (?, ?, ?)",
	    DB_VALUES(db_int(sample->run), db_text(sample->metric),
		db_double(sample->value)),
	    error);
}

static bool
add_fact(Store *store, const void *item, size_t place, GError **error)
{
	const DataFact *fact = item;

	(void)place;
	return db_run(store, wanted,
	    "INSERT INTO fact (scope, of, key, value, at) "
	    "VALUES (?, ?, ?, ?, ?)",
	    DB_VALUES(db_text(fact->scope), db_int(fact->id),
		db_text(fact->key), db_text(fact->value), db_double(db_now())),
	    error);
}

bool
describe_import(Store *store, const void *what, GError **error)
{
	const StoreData *data = what;

	return add_all(store, data->targets, add_target, error) &&
	    add_all(store, data->factors, add_factor, error) &&
	    add_all(store, data->cells, add_cell, error) &&
	    add_all(store, data->loads, add_load, error) &&
	    add_experiment(store, data, error) &&
	    add_all(store, data->boots, add_boot, error) &&
	    add_all(store, data->visits, add_visit, error) &&
	    add_all(store, data->starts, add_start, error) &&
	    add_all(store, data->runs, add_run, error) &&
	    add_all(store, data->samples, add_sample, error) &&
	    add_all(store, data->facts, add_fact, error);
}
