#include "matrix/loaddef.h"

#include <string.h>

static void
key_free(void *data)
{
	LoadDefKey *key = data;

	g_free(key->name);
	g_free(key->help);
	g_free(key->fallback);
	g_free(key);
}

void
metric_free(Metric *metric)
{
	if (metric == NULL)
		return;
	g_free(metric->name);
	g_free(metric->unit);
	g_free(metric->regex);
	g_free(metric->formula);
	g_free(metric);
}

static void
check_free(void *data)
{
	CrossCheck *check = data;

	g_free(check->what);
	g_free(check->left);
	g_free(check->right);
	g_free(check);
}

static void
metric_destroy(void *data)
{
	metric_free(data);
}

LoadDef *
loaddef_new(void)
{
	LoadDef *def = g_new0(LoadDef, 1);

	def->keys = g_ptr_array_new_with_free_func(key_free);
	def->metrics = g_ptr_array_new_with_free_func(metric_destroy);
	def->numbers = g_ptr_array_new_with_free_func(metric_destroy);
	def->require = g_ptr_array_new_with_free_func(g_free);
	def->forbid = g_ptr_array_new_with_free_func(g_free);
	def->checks = g_ptr_array_new_with_free_func(check_free);
	return def;
}

void
loaddef_free(LoadDef *def)
{
	if (def == NULL)
		return;
	g_free(def->name);
	g_free(def->path);
	g_free(def->help);
	g_free(def->tool);
	g_free(def->version);
	g_free(def->command);
	g_free(def->setup);
	g_free(def->prepare);
	g_free(def->restore);
	g_free(def->cleanup);
	g_free(def->warmup_key);
	g_free(def->length_key);
	g_free(def->writes);
	g_free(def->primary);
	g_ptr_array_unref(def->keys);
	g_ptr_array_unref(def->metrics);
	g_ptr_array_unref(def->numbers);
	g_ptr_array_unref(def->require);
	g_ptr_array_unref(def->forbid);
	g_ptr_array_unref(def->checks);
	g_free(def);
}

/* String constants are never freed: these are nobody's. */
#define CONSTANT(text) ((char *)(text))
const Metric loaddef_process_metrics[LOADDEF_PROCESS_METRICS] = {
	{ .name = CONSTANT("wall"), .unit = CONSTANT("s"), .max = 1e12 },
	{ .name = CONSTANT("user"), .unit = CONSTANT("s"), .max = 1e12 },
	{ .name = CONSTANT("sys"), .unit = CONSTANT("s"), .max = 1e12 },
	{ .name = CONSTANT("maxrss"), .unit = CONSTANT("MiB"), .max = 1e12 },
};

const Metric *
loaddef_process_metric(const char *name)
{
	for (size_t i = 0; i < LOADDEF_PROCESS_METRICS; i++)
		if (strcmp(loaddef_process_metrics[i].name, name) == 0)
			return &loaddef_process_metrics[i];
	return NULL;
}

const Metric *
loaddef_metric(const GPtrArray *metrics, const char *name)
{
	for (guint i = 0; i < metrics->len; i++) {
		const Metric *metric = g_ptr_array_index(metrics, i);
		if (strcmp(metric->name, name) == 0)
			return metric;
	}
	return NULL;
}

const LoadDefKey *
loaddef_key(const LoadDef *def, const char *name)
{
	for (guint i = 0; i < def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(def->keys, i);
		if (strcmp(key->name, name) == 0)
			return key;
	}
	return NULL;
}
