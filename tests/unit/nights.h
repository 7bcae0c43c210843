/*
 * Nights made by hand: StoreData as the store would read it.  Cells are the
 * full cross of the factors' levels, the first factor slowest, their ids
 * their places.  Each maker appends; free all with
 * store_data_free().
 */
#ifndef TESTS_UNIT_NIGHTS_H
#define TESTS_UNIT_NIGHTS_H

#include <string.h>

#include <glib.h>

#include "store/data.h"
#include "store/rows.h"

static inline StoreData *
night_new(const char *name, const char *title)
{
	StoreData *data = store_data_new();

	data->directory = g_strdup_printf("reports/%s-20260108-221500", name);
	data->name = g_strdup(name);
	data->title = g_strdup(title);
	data->identity = g_strdup("9f31c0aa5d2e4b7788aa01c3f00dd1ce"
				  "9f31c0aa5d2e4b7788aa01c3f00dd1ce");
	data->matrix_path = g_strdup_printf("matrices/%s.cfg", name);
	data->version = g_strdup("0.1.0");
	data->seed = 20070107;
	data->began = 1767910500;
	data->ended = 1767910500 + 28320;
	data->rounds = 3;
	data->runs_wanted = 1;
	data->boot_policy = BOOT_BLOCK;
	data->restart_policy = RESTART_VISIT;
	data->margin_percent = 1;
	data->has_server = true;
	data->server = g_strdup("");
	return data;
}

static inline DataFactor *
night_factor(StoreData *data, const char *name, FactorClass class)
{
	DataFactor *factor = data_factor_new();

	factor->name = g_strdup(name);
	factor->class = (int)class;
	factor->variable = class == CLASS_LOAD;
	g_ptr_array_add(data->factors, factor);
	return factor;
}

static inline void
night_level(DataFactor *factor, const char *name, const char *settings)
{
	g_ptr_array_add(factor->levels, g_strdup(name));
	g_ptr_array_add(factor->settings, g_strdup(settings));
}

/* The cell's place among combinations of factors of at least a class. */
static inline size_t
night_combination(
    const StoreData *data, const DataCell *cell, FactorClass at_least)
{
	size_t place = 0;

	for (size_t i = 0; i < data->factors->len; i++) {
		const DataFactor *factor = data->factors->pdata[i];
		if (factor->class >= (int)at_least)
			place = place * factor->levels->len +
			    g_array_index(cell->levels, size_t, i);
	}
	return place;
}

static inline DataCell *
night_cell(StoreData *data, const size_t *levels, bool again)
{
	DataCell *cell = data_cell_new();
	GString *name = g_string_new(NULL);

	cell->id = data->cells->len;
	for (size_t i = 0; i < data->factors->len; i++) {
		const DataFactor *factor = data->factors->pdata[i];
		g_array_append_val(cell->levels, levels[i]);
		g_string_append_printf(name, "%s%s", i == 0 ? "" : " / ",
		    (const char *)factor->levels->pdata[levels[i]]);
	}
	cell->name = g_string_free(name, FALSE);
	cell->again = again;
	cell->boot = night_combination(data, cell, CLASS_BOOT);
	cell->server = night_combination(data, cell, CLASS_SERVER);
	if (again)
		cell->server = 1000;
	g_ptr_array_add(data->cells, cell);
	return cell;
}

/* Every combination; 4 factors at most. */
static inline void
night_cells(StoreData *data)
{
	size_t levels[4] = { 0 };
	size_t n = 1;

	for (size_t i = 0; i < data->factors->len; i++)
		n *= ((DataFactor *)data->factors->pdata[i])->levels->len;
	for (size_t cell = 0; cell < n; cell++) {
		size_t rest = cell;
		for (size_t i = data->factors->len; i-- > 0;) {
			const DataFactor *factor = data->factors->pdata[i];
			levels[i] = rest % factor->levels->len;
			rest /= factor->levels->len;
		}
		night_cell(data, levels, false);
	}
}

static inline DataLoad *
night_load(StoreData *data, const char *name, const char *metric,
    const char *unit, bool higher_is_better)
{
	DataLoad *load = data_load_new();
	DataMetric *primary = g_new0(DataMetric, 1);

	load->index = data->loads->len;
	load->name = g_strdup(name);
	load->use = g_strdup("sysbench");
	load->command = g_strdup("sysbench");
	primary->name = g_strdup(metric);
	primary->unit = g_strdup(unit);
	primary->higher_is_better = higher_is_better;
	primary->primary = true;
	g_ptr_array_add(load->metrics, primary);
	g_ptr_array_add(data->loads, load);
	return load;
}

/* One host, one factor of two levels, one load: two cells, 0 and 1. */
static inline StoreData *
night_of_two(const char *name, const char *factor, FactorClass class,
    const char *first, const char *second)
{
	StoreData *data = night_new(name, name);

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *varied = night_factor(data, factor, class);
	night_level(varied, first, "");
	night_level(varied, second, "");
	night_cells(data);
	night_load(data, "load", "tps", "queries/s", true);
	return data;
}

static inline int64_t
night_boot(StoreData *data, size_t target, bool made)
{
	DataBoot *boot = g_new0(DataBoot, 1);

	boot->id = data->boots->len + 1;
	boot->target = target;
	boot->boot_id = g_strdup_printf("boot-%d", (int)boot->id);
	boot->kernel = g_strdup("6.1.0");
	boot->made = made;
	g_ptr_array_add(data->boots, boot);
	return boot->id;
}

static inline DataVisit *
night_visit(StoreData *data, size_t round, size_t server, int64_t boot)
{
	DataVisit *visit = g_new0(DataVisit, 1);

	visit->id = data->visits->len + 1;
	visit->round = round;
	visit->server = server;
	visit->boot = boot;
	visit->status = VISIT_VALID;
	visit->attempt = 1;
	g_ptr_array_add(data->visits, visit);
	return visit;
}

static inline DataStart *
night_start(StoreData *data, const DataVisit *visit)
{
	DataStart *start = g_new0(DataStart, 1);

	start->id = data->starts->len + 1;
	start->visit = visit->id;
	start->pid = 1000 + start->id;
	g_ptr_array_add(data->starts, start);
	return start;
}

static inline DataRun *
night_run(StoreData *data, const DataVisit *visit, size_t cell, size_t load,
    int number, double value)
{
	DataRun *run = g_new0(DataRun, 1);
	DataSample *sample = g_new0(DataSample, 1);
	const DataLoad *of = data->loads->pdata[load];

	run->id = data->runs->len + 1;
	run->visit = visit->id;
	run->cell = (int64_t)cell;
	run->load = load;
	run->number = number;
	run->warmup = number < 1;
	run->good = true;
	g_ptr_array_add(data->runs, run);
	sample->run = run->id;
	sample->metric = g_strdup(((DataMetric *)of->metrics->pdata[0])->name);
	sample->value = value;
	g_ptr_array_add(data->samples, sample);
	return run;
}

static inline void
night_fact(StoreData *data, const char *scope, int64_t id, const char *key,
    const char *value)
{
	DataFact *fact = g_new0(DataFact, 1);

	fact->scope = g_strdup(scope);
	fact->id = id;
	fact->key = g_strdup(key);
	fact->value = g_strdup(value);
	g_ptr_array_add(data->facts, fact);
}

static inline void
night_proof(StoreData *data, const DataVisit *visit, bool after,
    const char *what, const char *about, StoredVerdict verdict)
{
	DataProof *proof = g_new0(DataProof, 1);

	proof->visit = visit->id;
	proof->after = after;
	proof->what = g_strdup(what);
	proof->about = g_strdup(about);
	proof->wanted = g_strdup("");
	proof->seen = g_strdup("");
	proof->verdict = verdict;
	g_ptr_array_add(data->proofs, proof);
}

static inline void
night_event(StoreData *data, double at, size_t target, const char *kind,
    const char *text)
{
	DataEvent *event = g_new0(DataEvent, 1);

	event->at = at;
	event->target = target;
	event->kind = g_strdup(kind);
	event->text = g_strdup(text);
	g_ptr_array_add(data->events, event);
}

#endif
