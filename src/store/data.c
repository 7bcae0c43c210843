#include "store/data.h"

#include <string.h>

#include "store/rows.h"

static const char *const visit_statuses[] = {
	[VISIT_RUNNING] = "running",
	[VISIT_VALID] = "valid",
	[VISIT_INVALID] = "invalid",
	[VISIT_FAILED] = "failed",
	[VISIT_INTERRUPTED] = "interrupted",
	[VISIT_SUPERSEDED] = "superseded",
};

const char *
visit_status_name(VisitStatus status)
{
	return visit_statuses[status];
}

static const char *const verdicts[] = {
	[STORED_YES] = "yes",
	[STORED_NO] = "no",
	[STORED_UNKNOWN] = "unknown",
	[STORED_NOT_APPLICABLE] = "not applicable",
};

const char *
stored_verdict_name(StoredVerdict verdict)
{
	return verdicts[verdict];
}

static void
free_client(gpointer data)
{
	DataClient *client = data;

	g_free(client->name);
	g_free(client->address);
	g_free(client);
}

static void
free_factor(gpointer data)
{
	DataFactor *factor = data;

	g_free(factor->name);
	g_ptr_array_unref(factor->levels);
	g_ptr_array_unref(factor->settings);
	g_free(factor);
}

static void
free_cell(gpointer data)
{
	DataCell *cell = data;

	g_free(cell->name);
	g_array_unref(cell->levels);
	g_free(cell);
}

static void
free_metric(gpointer data)
{
	DataMetric *metric = data;

	g_free(metric->name);
	g_free(metric->unit);
	g_free(metric);
}

static void
free_load(gpointer data)
{
	DataLoad *load = data;

	g_free(load->name);
	g_free(load->use);
	g_free(load->command);
	g_ptr_array_unref(load->metrics);
	g_ptr_array_unref(load->variables);
	g_free(load);
}

static void
free_boot(gpointer data)
{
	DataBoot *boot = data;

	g_free(boot->boot_id);
	g_free(boot->kernel);
	g_free(boot);
}

static void
free_visit(gpointer data)
{
	DataVisit *visit = data;

	g_free(visit->failure);
	g_free(visit->reason);
	g_free(visit);
}

static void
free_start(gpointer data)
{
	DataStart *start = data;

	g_free(start->version);
	g_free(start->exe_sha256);
	g_free(start);
}

static void
free_run(gpointer data)
{
	DataRun *run = data;

	g_free(run->failure);
	g_free(run->reason);
	g_free(run->flag);
	g_free(run->raw);
	g_free(run);
}

static void
free_sample(gpointer data)
{
	DataSample *sample = data;

	g_free(sample->metric);
	g_free(sample);
}

static void
free_proof(gpointer data)
{
	DataProof *proof = data;

	g_free(proof->what);
	g_free(proof->about);
	g_free(proof->wanted);
	g_free(proof->seen);
	g_free(proof);
}

static void
free_fact(gpointer data)
{
	DataFact *fact = data;

	g_free(fact->scope);
	g_free(fact->key);
	g_free(fact->value);
	g_free(fact);
}

static void
free_event(gpointer data)
{
	DataEvent *event = data;

	g_free(event->kind);
	g_free(event->text);
	g_free(event);
}

DataFactor *
data_factor_new(void)
{
	DataFactor *factor = g_new0(DataFactor, 1);

	factor->levels = g_ptr_array_new_with_free_func(g_free);
	factor->settings = g_ptr_array_new_with_free_func(g_free);
	return factor;
}

DataCell *
data_cell_new(void)
{
	DataCell *cell = g_new0(DataCell, 1);

	cell->levels = g_array_new(FALSE, FALSE, sizeof(size_t));
	return cell;
}

DataLoad *
data_load_new(void)
{
	DataLoad *load = g_new0(DataLoad, 1);

	load->metrics = g_ptr_array_new_with_free_func(free_metric);
	load->variables = g_ptr_array_new_with_free_func(g_free);
	return load;
}

StoreData *
store_data_new(void)
{
	StoreData *data = g_new0(StoreData, 1);

	data->targets = g_ptr_array_new_with_free_func(g_free);
	data->clients = g_ptr_array_new_with_free_func(free_client);
	data->factors = g_ptr_array_new_with_free_func(free_factor);
	data->cells = g_ptr_array_new_with_free_func(free_cell);
	data->loads = g_ptr_array_new_with_free_func(free_load);
	data->boots = g_ptr_array_new_with_free_func(free_boot);
	data->visits = g_ptr_array_new_with_free_func(free_visit);
	data->starts = g_ptr_array_new_with_free_func(free_start);
	data->runs = g_ptr_array_new_with_free_func(free_run);
	data->samples = g_ptr_array_new_with_free_func(free_sample);
	data->proofs = g_ptr_array_new_with_free_func(free_proof);
	data->facts = g_ptr_array_new_with_free_func(free_fact);
	data->events = g_ptr_array_new_with_free_func(free_event);
	data->left = g_ptr_array_new_with_free_func(g_free);
	return data;
}

void
store_data_free(StoreData *data)
{
	if (data == NULL)
		return;
	g_free(data->directory);
	g_free(data->name);
	g_free(data->title);
	g_free(data->identity);
	g_free(data->matrix_path);
	g_free(data->version);
	g_free(data->server);
	g_ptr_array_unref(data->targets);
	g_ptr_array_unref(data->clients);
	g_ptr_array_unref(data->factors);
	g_ptr_array_unref(data->cells);
	g_ptr_array_unref(data->loads);
	g_ptr_array_unref(data->boots);
	g_ptr_array_unref(data->visits);
	g_ptr_array_unref(data->starts);
	g_ptr_array_unref(data->runs);
	g_ptr_array_unref(data->samples);
	g_ptr_array_unref(data->proofs);
	g_ptr_array_unref(data->facts);
	g_ptr_array_unref(data->events);
	g_ptr_array_unref(data->left);
	g_free(data);
}

const char *
store_data_fact(const StoreData *data, const char *key)
{
	for (guint i = 0; i < data->facts->len; i++) {
		const DataFact *fact = data->facts->pdata[i];
		if (strcmp(fact->key, key) == 0 &&
		    strcmp(fact->scope, "experiment") == 0)
			return fact->value;
	}
	return NULL;
}
