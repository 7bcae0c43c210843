/*
 * Nights of two kernels, for the report: see report_nights.h.
 */
#ifndef TESTS_UNIT_REPORT_KERNELS_H
#define TESTS_UNIT_REPORT_KERNELS_H

#include "report_nights.h"

/* (d) Two kernels, two boots of each, libraries within; times, not rates. */
static inline StoreData *
night_kernels(void)
{
	StoreData *data = night_new("kernels", "6.12 against 6.1, make -j4");
	uint32_t state = 7;

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *kernel = night_factor(data, "kernel", CLASS_BOOT);
	night_level(kernel, "6.1", "kernel named 6.1.0-28-amd64");
	night_level(kernel, "6.12", "kernel named 6.12.6-amd64");
	DataFactor *preload = night_factor(data, "preload", CLASS_SERVER);
	night_level(preload, "none", "nothing set");
	night_level(preload, "jemalloc", "preload jemalloc");
	night_cells(data);
	DataLoad *load = night_load(data, "compile", "wall", "s", false);
	g_free(load->use);
	load->use = g_strdup("command");
	g_free(load->command);
	load->command = g_strdup("make -C tree -j4");
	data->has_server = false;
	data->rounds = 4;
	data->runs_wanted = 2;
	data->warmup_runs = 1;
	data->boot_policy = BOOT_LAZY;
	int64_t boots[4];
	for (size_t i = 0; i < 4; i++) {
		boots[i] = night_boot(data, 0, i > 0);
		night_host_facts(data, boots[i]);
		if (i % 2 == 0)
			continue;
		for (size_t j = 0; j < data->facts->len; j++) {
			DataFact *fact = data->facts->pdata[j];
			if (fact->id == boots[i] &&
			    strcmp(fact->key, "kernel") == 0) {
				g_free(fact->value);
				fact->value = g_strdup("6.12.6-amd64");
			}
		}
	}
	for (size_t round = 1; round <= 4; round++)
		for (size_t i = 0; i < 4; i++) {
			const size_t cell = (i * 3 + round) % 4;
			const size_t boot = cell / 2 + (round > 2 ? 2 : 0);
			DataVisit *visit =
			    night_visit(data, round, cell, boots[boot]);
			night_proof(data, visit, false, "boot", "", 0);
			night_proof(data, visit, false, "kernel", "", 0);
			night_proof(data, visit, true, "boot", "", 0);
			night_proof(data, visit, true, "kernel", "", 0);
			night_run(data, visit, cell, 0, 0, 99);
			for (int run = 1; run <= 2; run++)
				night_run(data, visit, cell, 0, run,
				    (cell >= 2 ? 61.2 : 64.1) *
					(cell % 2 == 1 ? .93 : 1) *
					exp(.004 * night_noise(&state)));
		}
	return data;
}

static inline StoreData *
night_boots_matrix(void)
{
	StoreData *data =
	    night_new("ule-vs-4bsd", "ULE against 4BSD, MySQL super-smack");
	static const size_t baseline[] = { 0, 0 };

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *kernel = night_factor(data, "kernel", CLASS_BOOT);
	night_level(kernel, "4BSD", "kernel GENERIC, expect sched=4BSD");
	night_level(kernel, "ULE", "kernel GENEULE, expect sched=ULE");
	DataFactor *library = night_factor(data, "threadlib", CLASS_SERVER);
	night_level(library, "libpthread", "nothing set");
	night_level(library, "libthr", "threadlib libthr");
	night_cells(data);
	night_cell(data, baseline, true);
	DataLoad *writer =
	    night_load(data, "update_index", "q_per_s", "queries/s", true);
	writer->writes = true;
	writer->reset = RESET_START;
	night_load(data, "select_index", "q_per_s", "queries/s", true);
	g_free(data->server);
	data->server = g_strdup("service mysql-server");
	data->rounds = 8;
	data->runs_wanted = 2;
	data->warmup_runs = 1;
	return data;
}

/*
 * (f) Two kernels freshly booted in each of eight rounds, two libraries in
 * each boot, the baseline twice, one visit lost.
 */
static inline StoreData *
night_boots(void)
{
	StoreData *data = night_boots_matrix();
	uint32_t state = 2007;

	for (size_t round = 1; round <= 8; round++)
		for (size_t i = 0; i < 2; i++) {
			const size_t ule = (i + round / 2) % 2;
			const int64_t boot = night_boot(data, 0, true);
			const double shift = .004 * night_noise(&state);
			for (size_t j = 0; j < (ule ? 2U : 3U); j++) {
				const size_t cell = ule    ? 2 + (j + round) % 2
				    : (j + round) % 3 == 2 ? 4
							   : (j + round) % 3;
				DataVisit *visit = night_visit(
				    data, round, cell == 4 ? 1000 : cell, boot);
				if (round == 5 && cell == 3) {
					visit->status = VISIT_FAILED;
					visit->reason = g_strdup(
					    "mysqld did not start: Can't "
					    "create thread");
					continue;
				}
				night_proofs(data, visit);
				night_start(data, visit);
				for (size_t k = 0; k < 4; k++) {
					const bool update = k < 2;
					const bool thr = cell == 1 || cell == 3;
					const double effect = shift +
					    (ule ? (update ? -.347 : -.112)
						 : 0) +
					    (thr ? (update ? .075 : .001) : 0) +
					    (ule && thr && update ? .04 : 0) +
					    .005 * night_noise(&state);
					night_run(data, visit, cell,
					    update ? 0 : 1, (int)(k % 2) + 1,
					    (update ? 2161 : 4803) *
						exp(effect));
				}
			}
		}
	return data;
}

#endif
