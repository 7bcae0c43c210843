#include "store/imported_rows.h"

#include <string.h>

#include "store/rows.h"

static DataLoad *
load_of(StoreData *data, const char *name, size_t *index)
{
	for (*index = 0; *index < data->loads->len; ++*index) {
		DataLoad *load = data->loads->pdata[*index];
		if (strcmp(load->name, name) == 0)
			return load;
	}
	DataLoad *load = data_load_new();
	load->index = *index;
	load->name = g_strdup(name);
	load->use = g_strdup("import");
	load->command = g_strdup("");
	g_ptr_array_add(data->loads, load);
	return load;
}

/* "tps (queries/s)": the unit is what stands in brackets at the end. */
static char *
split_unit(const char *text, char **unit)
{
	const char *bracket = strrchr(text, '(');

	if (bracket == NULL || bracket == text ||
	    !g_str_has_suffix(text, ")")) {
		*unit = g_strdup("");
		return g_strdup(text);
	}
	*unit = g_strndup(bracket + 1, strlen(bracket) - 2);
	return g_strchomp(g_strndup(text, (gsize)(bracket - text)));
}

static bool
more_is_better(const char *name, const char *unit, const char *const *lower)
{
	static const char *const times[] = { "s", "ms", "us", "ns", "min",
		NULL };

	return !g_strv_contains(times, unit) &&
	    (lower == NULL || !g_strv_contains(lower, name));
}

const char *
imported_metric(StoreData *data, const char *load_name, const char *text,
    const char *const *lower, size_t *load_index)
{
	const DataLoad *load = load_of(data, load_name, load_index);
	g_autofree char *unit = NULL;
	g_autofree char *name = split_unit(text, &unit);

	for (guint i = 0; i < load->metrics->len; i++) {
		const DataMetric *metric = load->metrics->pdata[i];
		if (strcmp(metric->name, name) == 0)
			return metric->name;
	}
	DataMetric *metric = g_new0(DataMetric, 1);
	metric->higher_is_better = more_is_better(name, unit, lower);
	metric->name = g_steal_pointer(&name);
	metric->unit = g_steal_pointer(&unit);
	metric->primary = load->metrics->len == 0;
	g_ptr_array_add(load->metrics, metric);
	return metric->name;
}
