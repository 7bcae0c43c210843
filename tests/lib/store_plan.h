/*
 * A plan made by hand, for tests of what keeps plans: 2 factors of 2 levels,
 * 4 cells, 2 loads, 2 targets and a client host.  Lives as long as the
 * program.  Include it in one file of a program.
 */
#ifndef TESTS_STORE_PLAN_H
#define TESTS_STORE_PLAN_H

#include "plan/plan.h"

static inline GPtrArray *
list_of(gpointer a, gpointer b)
{
	GPtrArray *list = g_ptr_array_new();

	if (a != NULL)
		g_ptr_array_add(list, a);
	if (b != NULL)
		g_ptr_array_add(list, b);
	return list;
}

static inline char *
text_of(const char *text)
{
	return (char *)(uintptr_t)text;
}

static inline Level *
level_of(const char *name, Setting *a, Setting *b)
{
	Level *level = g_new0(Level, 1);

	level->name = text_of(name);
	level->settings = list_of(a, b);
	level->expect = list_of(NULL, NULL);
	return level;
}

static inline Setting *
setting_of(SettingKind kind, const char *name, const char *value)
{
	Setting *setting = g_new0(Setting, 1);

	setting->kind = kind;
	setting->name = text_of(name);
	setting->value = text_of(value);
	return setting;
}

static inline Load *
load_of(const char *name, Metric *a, Metric *b, const char *primary)
{
	Load *load = g_new0(Load, 1);

	load->name = text_of(name);
	load->use = text_of("sysbench");
	load->command = text_of("sysbench --threads={clients} run");
	load->variables = list_of(text_of("clients"), NULL);
	load->metrics = list_of(a, b);
	load->primary = text_of(primary);
	load->reset = RESET_RUN;
	load->writes = true;
	return load;
}

static inline void
fill_loads(Matrix *matrix)
{
	static Metric tps, latency;

	tps = (Metric){ .name = text_of("tps"),
		.unit = text_of("transactions/s"),
		.higher_is_better = true };
	latency = (Metric){ .name = text_of("p95"), .unit = text_of("ms") };
	matrix->loads = list_of(load_of("update", &latency, &tps, "tps"),
	    load_of("build", NULL, NULL, "wall"));
}

static inline void
fill_factors(Matrix *matrix)
{
	static Factor allocator, clients;

	Level *jemalloc = level_of("jemalloc",
	    setting_of(SETTING_PRELOAD, "", "/usr/lib/libjemalloc.so.2"),
	    setting_of(SETTING_SYSCTL, "vm.swappiness", "10"));
	g_ptr_array_add(jemalloc->expect, text_of("numa_nodes=1"));
	allocator = (Factor){ .name = text_of("allocator"),
		.class = CLASS_SERVER,
		.levels = list_of(level_of("libc", NULL, NULL), jemalloc) };
	clients = (Factor){ .name = text_of("clients"),
		.class = CLASS_LOAD,
		.variable = true,
		.levels = list_of(
		    level_of("1", NULL, NULL), level_of("16", NULL, NULL)) };
	matrix->factors = list_of(&allocator, &clients);
}

static inline const Plan *
small_plan(void)
{
	static Host lab1, lab2, gen1;
	static Matrix matrix;
	static Plan plan;
	static const size_t levels[4][2] = {
		{ 0, 0 },
		{ 0, 1 },
		{ 1, 0 },
		{ 1, 1 },
	};
	static const char *const names[4] = {
		"libc / 1",
		"libc / 16",
		"jemalloc / 1",
		"jemalloc / 16",
	};

	if (plan.cells != NULL)
		return &plan;
	lab1 = (Host){ .name = text_of("lab1"),
		.ssh = text_of("root@lab1"),
		.os = text_of("linux"),
		.client = text_of("gen1") };
	lab2 = (Host){ .name = text_of("lab2"), .os = text_of("linux") };
	gen1 = (Host){ .name = text_of("gen1"), .os = text_of("linux") };
	matrix.name = text_of("small");
	matrix.path = text_of("matrices/small.cfg");
	matrix.source = text_of("title = \"A small one\";\n");
	matrix.title = text_of("A small one");
	matrix.targets = list_of(&lab1, &lab2);
	matrix.hosts = list_of(&gen1, NULL);
	matrix.server.kind = SERVER_COMMAND;
	matrix.server.command = text_of("/usr/sbin/mariadbd --no-defaults");
	matrix.design.rounds = 3;
	matrix.design.runs = 2;
	matrix.design.warmup_ms = 1500;
	matrix.design.boot = BOOT_LAZY;
	matrix.design.restart = RESTART_CELL;
	matrix.design.margin_percent = 2.5;
	fill_factors(&matrix);
	fill_loads(&matrix);
	plan.matrix = &matrix;
	plan.seed = UINT64_C(0xfedcba9876543210);
	plan.identity = text_of("0123456789abcdef");
	plan.baseline = 1;
	plan.n_boots = 1;
	plan.n_servers = 2;
	plan.cells = g_ptr_array_new();
	for (size_t i = 0; i < 4; i++) {
		Cell *cell = g_new0(Cell, 1);
		cell->id = i;
		cell->level = levels[i];
		cell->name = text_of(names[i]);
		cell->again = i == 3;
		cell->server = i / 2;
		g_ptr_array_add(plan.cells, cell);
	}
	return &plan;
}

#endif
