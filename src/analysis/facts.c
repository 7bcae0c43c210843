#include "analysis/facts.h"

#include <string.h>

static void
add_distinct(GPtrArray *values, char *value)
{
	for (size_t i = 0; i < values->len; i++)
		if (strcmp(values->pdata[i], value) == 0)
			return;
	g_ptr_array_add(values, value);
}

static bool
is_boot_of(const StoreData *data, int64_t id, size_t target)
{
	for (size_t i = 0; i < data->boots->len; i++) {
		const DataBoot *boot = data->boots->pdata[i];
		if (boot->id == id)
			return boot->target == target;
	}
	return false;
}

GPtrArray *
facts_of_target(const StoreData *data, size_t target, const char *key)
{
	GPtrArray *values = g_ptr_array_new();

	for (int pass = 0; pass < 2 && values->len == 0; pass++)
		for (size_t i = 0; i < data->facts->len; i++) {
			const DataFact *fact = data->facts->pdata[i];
			if (strcmp(fact->key, key) != 0 || *fact->value == '\0')
				continue;
			if (pass == 0 ? strcmp(fact->scope, "boot") == 0 &&
				    is_boot_of(data, fact->id, target)
				      : strcmp(fact->scope, "host") == 0 &&
				    fact->id == (int64_t)target)
				add_distinct(values, fact->value);
		}
	return values;
}

GPtrArray *
facts_of_all(const StoreData *data, const char *key)
{
	GPtrArray *values = g_ptr_array_new();

	for (size_t i = 0; i < data->facts->len; i++) {
		const DataFact *fact = data->facts->pdata[i];
		if (strcmp(fact->key, key) == 0 && *fact->value != '\0' &&
		    (strcmp(fact->scope, "experiment") == 0 ||
			strcmp(fact->scope, "host") == 0))
			add_distinct(values, fact->value);
	}
	return values;
}
