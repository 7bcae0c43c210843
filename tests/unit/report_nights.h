/*
 * The nights whose reports are golden: tests/golden/report/NAME.txt and .md.
 * Figures come from a fixed recurrence, not from a clock or a library.
 */
#ifndef TESTS_UNIT_REPORT_NIGHTS_H
#define TESTS_UNIT_REPORT_NIGHTS_H

#include <math.h>

#include "nights.h"

/* About normal, mean 0, sd 1: the sum of twelve draws of a fixed sequence. */
static inline double
night_noise(uint32_t *state)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		*state = *state * 1664525U + 1013904223U;
		sum += (double)(*state >> 8) / 16777216.0;
	}
	return sum - 6;
}

static inline void
night_host_facts(StoreData *data, int64_t boot)
{
	static const char *const facts[][2] = {
		{ "hostname", "lab1" },
		{ "os", "linux" },
		{ "distro", "Debian GNU/Linux 12 (bookworm)" },
		{ "kernel", "6.1.0-28-amd64" },
		{ "kernel_version",
		    "#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)" },
		{ "arch", "x86_64" },
		{ "cpu_model", "Intel(R) Xeon(R) CPU 5130 @ 2.00GHz" },
		{ "cpus", "4" },
		{ "sockets", "2" },
		{ "cores_per_socket", "2" },
		{ "threads_per_core", "1" },
		{ "memory_kb", "4039608" },
		{ "swap_total_kb", "999420" },
		{ "swap_used_kb", "0" },
		{ "governor", "performance" },
		{ "thp", "madvise" },
		{ "clocksource", "tsc" },
		{ "numa_nodes", "1" },
		{ "virt", "none" },
		{ "tainted", "0" },
		{ "uptime_s", "4711" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++)
		night_fact(data, "boot", boot, facts[i][0], facts[i][1]);
}

/* Both sides of a visit, as a server by command is proved. */
static inline void
night_proofs(StoreData *data, const DataVisit *visit)
{
	static const char *const proofs[][2] = {
		{ "boot", "" },
		{ "process", "" },
		{ "binary", "/usr/sbin/mariadbd" },
		{ "owner", "tcp 3306" },
		{ "library", "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2" },
		{ "environment", "LD_PRELOAD" },
		{ "option", "innodb_flush_log_at_trx_commit" },
	};

	for (int after = 0; after < 2; after++)
		for (size_t i = 0; i < G_N_ELEMENTS(proofs); i++)
			night_proof(data, visit, after == 1, proofs[i][0],
			    proofs[i][1], 0);
	night_proof(data, visit, false, "consumed", "", 3);
}

/* The factors, loads and facts of matrices/demo.cfg. */
static inline StoreData *
night_demo_matrix(void)
{
	StoreData *data =
	    night_new("demo", "jemalloc and redo log flushing under MariaDB");

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *preload = night_factor(data, "preload", CLASS_SERVER);
	night_level(preload, "libc", "nothing set");
	night_level(preload, "jemalloc", "preload jemalloc");
	DataFactor *flush = night_factor(data, "flush", CLASS_SERVER);
	night_level(flush, "1", "mysqld innodb_flush_log_at_trx_commit=1");
	night_level(flush, "2", "mysqld innodb_flush_log_at_trx_commit=2");
	night_cells(data);
	night_load(data, "oltp_point_select", "tps", "queries/s", true);
	night_load(data, "oltp_update_index", "tps", "queries/s", true)
	    ->writes = true;
	for (size_t i = 0; i < 2; i++) {
		DataLoad *load = data->loads->pdata[i];
		g_free(load->command);
		load->command = g_strdup_printf(
		    "sysbench %s --tables=1 --table-size=20000 --threads=4 "
		    "--time=3 --warmup-time=1 run",
		    load->name);
	}
	g_free(data->server);
	data->server = g_strdup("/usr/sbin/mariadbd --no-defaults");
	data->warmup_ms = 1000;
	data->ended = data->began + 131;
	night_fact(
	    data, "host", 0, "server.version", "10.11.6-MariaDB-0+deb12u1");
	night_fact(data, "host", 0, "server.sha256",
	    "77d0c6a2b8f14e0d93c1a5e7f2046b8d"
	    "77d0c6a2b8f14e0d93c1a5e7f2046b8d");
	night_fact(data, "host", 0, "library.jemalloc.path",
	    "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2");
	night_fact(data, "host", 0, "library.jemalloc.sha256",
	    "5c1e44a90b3f27d681e0c5ab9d7f3e12"
	    "5c1e44a90b3f27d681e0c5ab9d7f3e12");
	night_fact(data, "experiment", 0, "load.oltp_point_select.version",
	    "sysbench 1.0.20");
	night_fact(data, "experiment", 0, "load.oltp_update_index.version",
	    "sysbench 1.0.20");
	return data;
}

/* jemalloc helps reads a little; lazy flushing helps writes a lot. */
static inline double
night_demo_value(size_t cell, size_t load, double round, double noise)
{
	const double jemalloc = cell >= 2 ? 1 : 0, lazy = cell % 2 == 1 ? 1 : 0;
	const double base = load == 0 ? log(31250) : log(2140);
	const double effect =
	    load == 0 ? .034 * jemalloc : .002 * jemalloc + .41 * lazy;

	const double value = exp(base + effect + .004 * round + .005 * noise);
	return floor(value * 100 + .5) / 100;
}

/* Rounds in an order that differs each time; every visit valid. */
static inline void
night_demo_rounds(StoreData *data, size_t rounds, int64_t boot)
{
	static const size_t orders[][4] = { { 2, 0, 3, 1 }, { 1, 3, 0, 2 },
		{ 0, 2, 1, 3 }, { 3, 1, 2, 0 } };
	uint32_t state = 42;

	data->rounds = (int)rounds;
	for (size_t round = 1; round <= rounds; round++) {
		const double common = night_noise(&state);
		for (size_t i = 0; i < 4; i++) {
			const size_t cell = orders[round % 4][i];
			DataVisit *visit = night_visit(data, round, cell, boot);
			night_proofs(data, visit);
			night_start(data, visit);
			for (size_t load = 0; load < 2; load++)
				for (int run = 1; run <= data->runs_wanted;
				     run++)
					night_run(data, visit, cell, load, run,
					    night_demo_value(cell, load, common,
						night_noise(&state)));
		}
	}
}

/* (a) The demo: 2 x 2 server-class levels, 2 loads, 3 rounds. */
static inline StoreData *
night_demo(void)
{
	StoreData *data = night_demo_matrix();
	const int64_t boot = night_boot(data, 0, false);

	night_host_facts(data, boot);
	night_demo_rounds(data, 3, boot);
	return data;
}

/* (b) Eight rounds of the same on a worse host, where much went wrong. */
static inline StoreData *
night_failed(void)
{
	StoreData *data = night_demo_matrix();
	const int64_t boot = night_boot(data, 0, false);

	data->runs_wanted = 2;
	data->ended = data->began + 1260;
	night_fact(data, "boot", boot, "distro", "Debian GNU/Linux 12");
	night_fact(data, "boot", boot, "virt", "kvm");
	night_fact(data, "boot", boot, "swap_total_kb", "999420");
	night_fact(data, "boot", boot, "swap_used_kb", "52480");
	night_fact(data, "boot", boot, "governor", "powersave");
	night_fact(data, "boot", boot, "tainted", "512");
	night_demo_rounds(data, 6, boot);
	data->rounds = 8;
	for (size_t i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (visit->round == 2 && visit->server == 3) {
			visit->status = VISIT_INVALID;
			visit->reason = g_strdup(
			    "after the load: library mapped: wanted "
			    "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2, seen "
			    "nothing of that name");
		}
		if (visit->round == 4 && visit->server == 1) {
			visit->status = VISIT_FAILED;
			visit->reason = g_strdup("mysqld did not start: "
						 "Can't create thread");
		}
		if (visit->round == 6 && visit->server == 0) {
			visit->status = VISIT_INTERRUPTED;
			visit->reason = g_strdup("stopped by the user");
		}
	}
	DataProof *proof = data->proofs->pdata[60];
	proof->verdict = 1;
	for (size_t i = 0; i < data->runs->len; i++) {
		DataRun *run = data->runs->pdata[i];
		if (run->id == 9) {
			run->good = false;
			run->reason =
			    g_strdup("killed at its deadline after 30 s");
		}
		if (run->id % 31 == 0)
			run->flag =
			    g_strdup("others used 12 % of the CPUs meanwhile");
	}
	night_event(data, data->began + 1250, SIZE_MAX, "interrupted",
	    "stopped by the user");
	night_event(data, data->began + 400, 0, "retry",
	    "the link broke, connected again");
	g_ptr_array_add(data->left,
	    g_strdup("sysctl vm.swappiness of lab1: 10 instead of 60"));
	return data;
}

/* (b') No server ever started, and then the host was given up. */
static inline StoreData *
night_nothing(void)
{
	StoreData *data = night_demo_matrix();
	const int64_t boot = night_boot(data, 0, false);

	night_host_facts(data, boot);
	for (size_t i = 0; i < 10; i++) {
		DataVisit *visit =
		    night_visit(data, 1 + i / 8, (i / 2) % 4, boot);
		visit->attempt = 1 + i % 2;
		visit->status = VISIT_FAILED;
		visit->failure = g_strdup("SERVER_EXITED");
		visit->reason = g_strdup("mysqld did not start: Can't create "
					 "thread");
		visit->began = data->began + 10 * (double)i;
		visit->ended = visit->began + 9;
	}
	((DataVisit *)data->visits->pdata[9])->status = VISIT_INTERRUPTED;
	night_event(data, data->began + 100, 0, "given up",
	    "GIVEN_UP: given up: 10 visits without a result");
	g_ptr_array_add(data->left,
	    g_strdup("sysctl vm.swappiness of lab1: 10 instead of 60"));
	return data;
}

/* (c) One round: nothing can be told from chance. */
static inline StoreData *
night_one_round(void)
{
	StoreData *data = night_demo_matrix();
	const int64_t boot = night_boot(data, 0, false);

	night_host_facts(data, boot);
	night_demo_rounds(data, 1, boot);
	data->ended = data->began + 44;
	return data;
}

/* (e) Names that try to break the page. */
static inline StoreData *
night_hostile(void)
{
	StoreData *data = night_new(
	    "hostile", "a|b\nSubject: forged\r\n\033[2J# title <script>");
	uint32_t state = 99;
	GString *endless = g_string_new(NULL);

	for (int i = 0; i < 60; i++)
		g_string_append(endless, "long");
	g_ptr_array_add(data->targets, g_strdup("host\n|```|"));
	DataFactor *factor =
	    night_factor(data, "a|factor\nwith `ticks`", CLASS_SERVER);
	night_level(factor, "pipe|and\nnewline", "set \033]0;title\007 x");
	night_level(factor, endless->str, endless->str);
	night_level(factor,
	    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"
	    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"
	    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",
	    "wide \xe2\x80\xae reversed \xff");
	DataFactor *fence = night_factor(data, "on", CLASS_SERVER);
	night_level(fence, "1", "````");
	night_level(fence, "2", "| --- |");
	night_cells(data);
	DataLoad *load =
	    night_load(data, "load|\n## heading", "lat`ency", "m|s", false);
	g_free(load->command);
	load->command = g_strdup("run '<img src=x>' | tee \033[31m");
	for (size_t round = 1; round <= 3; round++)
		for (size_t i = 0; i < 6; i++) {
			const size_t cell = (i + round) % 6;
			DataVisit *visit = night_visit(data, round, cell, 0);
			night_proof(data, visit, false, "proof|\n`of` what",
			    "a|bout", 0);
			night_start(data, visit);
			night_run(data, visit, cell, 0, 1,
			    12345678.9 *
				exp(.05 * (double)cell +
				    .01 * night_noise(&state)))
			    ->flag = i == 0 ? g_strdup("fl|ag\n# x") : NULL;
		}
	DataVisit *bad = night_visit(data, 3, 0, 0);
	bad->status = VISIT_FAILED;
	bad->attempt = 2;
	bad->reason = g_strdup_printf("said:\n%s\n\033[1mbold", endless->str);
	night_fact(data, "host", 0, "cpu_model", "CPU\n|x|\033[0m");
	g_string_free(endless, TRUE);
	return data;
}

#endif
