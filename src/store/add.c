#include "store/add.h"

bool
add_factor_row(Store *store, const char *wanted, size_t id, const char *name,
    FactorClass class, bool variable, GError **error)
{
	return db_run(store, wanted,
	    "INSERT INTO factor (id, name, class, variable) "
	    "VALUES (?, ?, ?, ?)",
	    DB_VALUES(db_int((int64_t)id), db_text(name),
		db_text(factor_class_name(class)), db_int(variable)),
	    error);
}

bool
add_level_row(Store *store, const char *wanted, size_t factor, size_t id,
    const char *name, bool same, GError **error)
{
	return db_run(store, wanted,
	    "INSERT INTO level (factor, id, name, same) "
	    "VALUES (?, ?, ?, ?)",
	    DB_VALUES(db_int((int64_t)factor), db_int((int64_t)id),
		db_text(name), db_int(same)),
	    error);
}

bool
add_cell_rows(
    Store *store, const char *wanted, const AddCell *cell, GError **error)
{
	if (!db_run(store, wanted,
		"INSERT INTO cell (id, name, again, boot, server) "
		"VALUES (?, ?, ?, ?, ?)",
		DB_VALUES(db_int(cell->id), db_text(cell->name),
		    db_int(cell->again), db_int((int64_t)cell->boot),
		    db_int((int64_t)cell->server)),
		error))
		return false;
	for (size_t i = 0; i < cell->n; i++)
		if (!db_run(store, wanted,
			"INSERT INTO cell_level (cell, factor, level) "
			"VALUES (?, ?, ?)",
			DB_VALUES(db_int(cell->id), db_int((int64_t)i),
			    db_int((int64_t)cell->level[i])),
			error))
			return false;
	return true;
}

bool
add_load_rows(Store *store, const char *wanted, size_t id, const AddLoad *load,
    GError **error)
{
	if (!db_run(store, wanted,
		"INSERT INTO load (id, name, use, command, writes, reset) "
		"VALUES (?, ?, ?, ?, ?, ?)",
		DB_VALUES(db_int((int64_t)id), db_text(load->name),
		    db_text(load->use),
		    db_text(load->command != NULL ? load->command : ""),
		    db_int(load->writes), db_text(reset_name(load->reset))),
		error))
		return false;
	for (guint i = 0; i < load->variables->len; i++)
		if (!db_run(store, wanted,
			"INSERT INTO load_variable (load, position, factor) "
			"VALUES (?, ?, ?)",
			DB_VALUES(db_int((int64_t)id), db_int(i),
			    db_text(load->variables->pdata[i])),
			error))
			return false;
	return true;
}

bool
add_metric_row(Store *store, const char *wanted, size_t load, size_t position,
    const AddMetric *metric, GError **error)
{
	return db_run(store, wanted,
	    "INSERT INTO metric (load, position, name, unit, "
	    "higher_is_better, is_primary) VALUES (?, ?, ?, ?, ?, ?)",
	    DB_VALUES(db_int((int64_t)load), db_int((int64_t)position),
		db_text(metric->name),
		db_text(metric->unit != NULL ? metric->unit : ""),
		db_int(metric->higher_is_better), db_int(metric->primary)),
	    error);
}
