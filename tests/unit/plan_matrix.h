/*
 * Matrices by hand, for tests of the plan: no file, no parser.  Include it
 * after cmocka.h.
 */
#ifndef TESTS_PLAN_MATRIX_H
#define TESTS_PLAN_MATRIX_H

#include <stdlib.h>
#include <string.h>

#include "matrix/matrix.h"
#include "matrix/parse.h"
#include "plan/plan.h"

static inline Setting *
hand_setting(SettingKind kind, const char *name, const char *value)
{
	Setting *setting = g_new0(Setting, 1);

	setting->kind = kind;
	setting->name = g_strdup(name);
	setting->value = g_strdup(value);
	return setting;
}

static inline GPtrArray *
hand_words(const char *text)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);

	for (size_t i = 0; parts[i] != NULL; i++)
		g_ptr_array_add(words, g_strdup(parts[i]));
	return words;
}

static inline LoadDef *
hand_loaddef(void)
{
	LoadDef *def = loaddef_new();

	def->name = g_strdup("bench");
	def->path = g_strdup("hooks/load/bench.cfg");
	def->help = g_strdup("");
	def->tool = g_strdup("bench");
	def->command = g_strdup("bench");
	def->primary = g_strdup("tps");
	return def;
}

static inline void
hand_add_key(LoadDef *def, const char *name, const char *fallback)
{
	LoadDefKey *key = g_new0(LoadDefKey, 1);

	key->name = g_strdup(name);
	key->help = g_strdup("");
	key->fallback = g_strdup(fallback);
	g_ptr_array_add(def->keys, key);
}

static inline void
hand_give_key(Load *load, const char *name, const char *value)
{
	LoadKey *key = g_new0(LoadKey, 1);

	key->name = g_strdup(name);
	key->value = g_strdup(value);
	g_ptr_array_add(load->keys, key);
}

/* A matrix of one target and a mysqld, without factors and loads. */
static inline Matrix *
hand_matrix(void)
{
	Matrix *matrix = g_new0(Matrix, 1);
	Host *target = g_new0(Host, 1);
	Design *design = &matrix->design;

	matrix->name = g_strdup("hand");
	matrix->path = g_strdup("hand.cfg");
	matrix->source = g_strdup("");
	matrix->title = g_strdup("by hand");
	matrix->hosts = g_ptr_array_new_with_free_func(host_free);
	matrix->targets = g_ptr_array_new_with_free_func(host_free);
	matrix->factors = g_ptr_array_new_with_free_func(factor_free);
	matrix->loads = g_ptr_array_new_with_free_func(load_free);
	matrix->monitors = g_ptr_array_new_with_free_func(monitor_free);
	matrix->notify = g_ptr_array_new_with_free_func(g_free);
	matrix->visit = g_ptr_array_new_with_free_func(g_free);
	matrix->files = g_ptr_array_new_with_free_func(matrix_file_free);
	target->name = g_strdup("lab1");
	target->ssh = g_strdup("root@lab1");
	target->os = g_strdup("linux");
	g_ptr_array_add(matrix->targets, target);
	matrix->server.kind = SERVER_COMMAND;
	matrix->server.command = g_strdup("/usr/sbin/mysqld --no-defaults");
	matrix->server.mysqld = true;
	matrix->server.user = g_strdup("root");
	matrix->server.db = g_strdup("test");
	design->rounds = 5;
	design->runs = 2;
	design->warmup_runs = 1;
	design->random = true;
	design->boot = BOOT_BLOCK;
	design->restart = RESTART_VISIT;
	design->seed_given = true;
	design->seed = 20070107;
	design->exclude = g_ptr_array_new_with_free_func(cell_pattern_free);
	design->include = g_ptr_array_new_with_free_func(cell_pattern_free);
	design->contrasts = g_ptr_array_new();
	design->margin_percent = 1;
	design->others_percent = 5;
	return matrix;
}

/* hand_factor(m, "kernel", CLASS_BOOT, "4BSD,ULE") */
static inline Factor *
hand_factor(
    Matrix *matrix, const char *name, FactorClass class, const char *levels)
{
	Factor *factor = g_new0(Factor, 1);
	g_auto(GStrv) names = g_strsplit(levels, ",", -1);

	factor->name = g_strdup(name);
	factor->class = class;
	factor->variable = class == CLASS_LOAD;
	factor->levels = g_ptr_array_new_with_free_func(level_free);
	for (size_t i = 0; names[i] != NULL; i++) {
		Level *level = g_new0(Level, 1);
		level->name = g_strdup(names[i]);
		level->settings = g_ptr_array_new_with_free_func(setting_free);
		level->expect = g_ptr_array_new_with_free_func(g_free);
		if (class == CLASS_BOOT)
			g_ptr_array_add(level->settings,
			    hand_setting(SETTING_KERNEL, "", names[i]));
		else if (class == CLASS_SERVER && i > 0)
			g_ptr_array_add(level->settings,
			    hand_setting(SETTING_ENV, name, names[i]));
		g_ptr_array_add(factor->levels, level);
	}
	g_ptr_array_add(matrix->factors, factor);
	return factor;
}

/* hand_load(m, "update", true, "clients"): NULL = uses no variable. */
static inline Load *
hand_load(Matrix *matrix, const char *name, bool writes, const char *variables)
{
	Load *load = g_new0(Load, 1);

	load->name = g_strdup(name);
	load->use = g_strdup("bench");
	load->def = hand_loaddef();
	load->keys = g_ptr_array_new_with_free_func(load_key_free);
	load->variables = variables == NULL
	    ? g_ptr_array_new_with_free_func(g_free)
	    : hand_words(variables);
	load->command = g_strdup("bench");
	load->tables = g_ptr_array_new_with_free_func(g_free);
	load->reset = writes ? RESET_RUN : RESET_NEVER;
	load->writes = writes;
	load->timeout_ms = 600000;
	load->metrics = g_ptr_array_new();
	load->primary = g_strdup("tps");
	g_ptr_array_add(matrix->loads, load);
	return load;
}

/* hand_pattern("kernel=ULE;clients=1,4") */
static inline CellPattern *
hand_pattern(const char *text)
{
	CellPattern *pattern = g_new0(CellPattern, 1);
	g_auto(GStrv) parts = g_strsplit(text, ";", -1);

	pattern->factors = g_ptr_array_new_with_free_func(g_free);
	pattern->levels =
	    g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	pattern->line = 7;
	for (size_t i = 0; parts[i] != NULL; i++) {
		char *equals = strchr(parts[i], '=');
		*equals = '\0';
		g_ptr_array_add(pattern->factors, g_strdup(parts[i]));
		g_ptr_array_add(pattern->levels, hand_words(equals + 1));
	}
	return pattern;
}

static inline Plan *
new_plan(const Matrix *matrix)
{
	g_autoptr(GError) error = NULL;
	Plan *plan = plan_new(matrix, &error);

	if (plan == NULL)
		fail_msg("no plan: %s", error->message);
	return plan;
}

/* The 2007 post: kernel x library x tunable, two loads. */
static inline Matrix *
hand_post(void)
{
	Matrix *matrix = hand_matrix();

	hand_factor(matrix, "kernel", CLASS_BOOT, "4BSD,ULE");
	hand_factor(matrix, "threadlib", CLASS_SERVER, "libpthread,libthr");
	hand_factor(matrix, "yieldloops", CLASS_SERVER, "default,30");
	hand_load(matrix, "select", false, NULL);
	hand_load(matrix, "update", true, NULL);
	return matrix;
}

#endif
