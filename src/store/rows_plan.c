#include "store/rows.h"

#include "store/db.h"

static const char *
reset_word(int i)
{
	return reset_name((Reset)i);
}

static const char *
class_name(int i)
{
	return factor_class_name((FactorClass)i);
}

static const char *
boot_name(int i)
{
	return boot_policy_name((BootPolicy)i);
}

static const char *
restart_name(int i)
{
	return restart_policy_name((RestartPolicy)i);
}

static void
add_experiment(StoreData *data, sqlite3_stmt *row)
{
	data->name = db_string(row, 0);
	data->title = db_string(row, 1);
	data->identity = db_string(row, 2);
	data->matrix_path = db_string(row, 3);
	data->version = db_string(row, 4);
	data->seed = g_ascii_strtoull(
	    (const char *)sqlite3_column_text(row, 5), NULL, 10);
	data->began = sqlite3_column_double(row, 6);
	data->rounds = sqlite3_column_int(row, 7);
	data->runs_wanted = sqlite3_column_int(row, 8);
	data->warmup_runs = sqlite3_column_int(row, 9);
	data->warmup_ms = row_number(row, 10);
	data->boot_policy = row_enum(row, 11, BOOT_LAZY + 1, boot_name);
	data->restart_policy =
	    row_enum(row, 12, RESTART_LOAD + 1, restart_name);
	data->margin_percent = sqlite3_column_double(row, 13);
	data->baseline = row_count(row, 14);
	data->has_server = row_number(row, 15) != 0;
	data->server = db_string(row, 16);
	data->others_percent = sqlite3_column_double(row, 17);
}

static void
add_target(StoreData *data, sqlite3_stmt *row)
{
	g_ptr_array_add(data->targets, db_string(row, 0));
}

static void
add_client(StoreData *data, sqlite3_stmt *row)
{
	DataClient *client = g_new0(DataClient, 1);

	client->target = row_count(row, 0);
	client->client = row_count(row, 1);
	client->name = db_string(row, 2);
	client->address = db_string(row, 3);
	g_ptr_array_add(data->clients, client);
}

static void
add_factor(StoreData *data, sqlite3_stmt *row)
{
	DataFactor *factor = data_factor_new();

	factor->name = db_string(row, 0);
	factor->class = row_enum(row, 1, CLASS_BOOT + 1, class_name);
	factor->variable = row_number(row, 2) != 0;
	g_ptr_array_add(data->factors, factor);
}

static void
add_level(StoreData *data, sqlite3_stmt *row)
{
	const DataFactor *factor = row_item(data->factors, row, 0);

	if (factor == NULL)
		return;
	g_ptr_array_add(factor->levels, db_string(row, 1));
	g_ptr_array_add(
	    factor->settings, g_strdup(factor->variable ? "" : "nothing set"));
}

/* "sysctl vm.swappiness=10", "preload /usr/lib/x.so", "expect sched=ULE" */
static char *
setting_words(sqlite3_stmt *row)
{
	const char *kind = (const char *)sqlite3_column_text(row, 2);
	const char *name = (const char *)sqlite3_column_text(row, 3);
	const char *value = (const char *)sqlite3_column_text(row, 4);
	const char *apply = (const char *)sqlite3_column_text(row, 5);

	if (apply != NULL)
		return g_strdup_printf("%s %s", kind, apply);
	if (*name == '\0')
		return g_strdup_printf(
		    "%s %s", kind, value != NULL ? value : "default");
	return g_strdup_printf(
	    "%s %s=%s", kind, name, value != NULL ? value : "");
}

static void
add_setting(StoreData *data, sqlite3_stmt *row)
{
	const DataFactor *factor = row_item(data->factors, row, 0);

	if (factor == NULL || row_item(factor->settings, row, 1) == NULL)
		return;
	gpointer *words = &factor->settings->pdata[row_count(row, 1)];
	g_autofree char *before = *words;
	g_autofree char *setting = setting_words(row);
	*words = g_str_equal(before, "nothing set")
	    ? g_steal_pointer(&setting)
	    : g_strdup_printf("%s, %s", before, setting);
}

static void
add_cell(StoreData *data, sqlite3_stmt *row)
{
	DataCell *cell = data_cell_new();

	cell->id = row_number(row, 0);
	cell->name = db_string(row, 1);
	cell->again = row_number(row, 2) != 0;
	cell->boot = row_count(row, 3);
	cell->server = row_count(row, 4);
	g_ptr_array_add(data->cells, cell);
}

static void
add_cell_level(StoreData *data, sqlite3_stmt *row)
{
	const DataCell *cell = row_item(data->cells, row, 0);
	const size_t level = row_count(row, 1);

	if (cell != NULL)
		g_array_append_val(cell->levels, level);
}

static void
add_load(StoreData *data, sqlite3_stmt *row)
{
	DataLoad *load = data_load_new();

	load->index = row_count(row, 0);
	load->name = db_string(row, 1);
	load->use = db_string(row, 2);
	load->command = db_string(row, 3);
	load->writes = row_number(row, 4) != 0;
	load->reset = row_enum(row, 5, RESET_RUN + 1, reset_word);
	g_ptr_array_add(data->loads, load);
}

static void
add_variable(StoreData *data, sqlite3_stmt *row)
{
	const DataLoad *load = row_item(data->loads, row, 0);

	if (load != NULL)
		g_ptr_array_add(load->variables, db_string(row, 1));
}

static void
add_metric(StoreData *data, sqlite3_stmt *row)
{
	const DataLoad *load = row_item(data->loads, row, 0);

	if (load == NULL)
		return;
	DataMetric *metric = g_new0(DataMetric, 1);

	metric->name = db_string(row, 1);
	metric->unit = db_string(row, 2);
	metric->higher_is_better = row_number(row, 3) != 0;
	metric->primary = row_number(row, 4) != 0;
	g_ptr_array_add(load->metrics, metric);
}

const RowReader rows_plan[] = {
	{ "SELECT name, title, identity, matrix_path, version, seed, began, "
	  "rounds, runs, warmup_runs, warmup_ms, boot, restart, "
	  "margin_percent, baseline, has_server, server, others_percent "
	  "FROM experiment",
	    add_experiment },
	{ "SELECT name FROM host WHERE role = 'target' ORDER BY id",
	    add_target },
	{ "SELECT t.id, c.id, c.name, coalesce(t.address, '') FROM host t "
	  "JOIN host c ON c.role = 'client' AND c.name = t.client "
	  "WHERE t.role = 'target' ORDER BY t.id",
	    add_client },
	{ "SELECT name, class, variable FROM factor ORDER BY id", add_factor },
	{ "SELECT factor, name FROM level ORDER BY factor, id", add_level },
	{ "SELECT factor, level, kind, name, value, apply FROM setting "
	  "ORDER BY id",
	    add_setting },
	{ "SELECT id, name, again, boot, server FROM cell ORDER BY id",
	    add_cell },
	{ "SELECT cell, level FROM cell_level ORDER BY cell, factor",
	    add_cell_level },
	{ "SELECT id, name, use, command, writes, reset FROM load ORDER BY id",
	    add_load },
	{ "SELECT load, factor FROM load_variable ORDER BY load, position",
	    add_variable },
	{ "SELECT load, name, unit, higher_is_better, is_primary FROM metric "
	  "ORDER BY load, position",
	    add_metric },
	{ NULL, NULL },
};
