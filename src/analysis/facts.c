#include "analysis/facts.h"

#include <string.h>

#include "base/text.h"

enum { VALUE_BYTES = 200, TEXT_BYTES = 400 };

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

static void G_GNUC_PRINTF(3, 4)
    warn(GPtrArray *warnings, const char *host, const char *format, ...)
{
	g_autofree char *name = text_printable(host, VALUE_BYTES);
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_autofree char *shown = text_printable(text, TEXT_BYTES);
	g_ptr_array_add(warnings, g_strdup_printf("%s: %s.", name, shown));
}

static void
warn_virtual(const StoreData *data, size_t target, GPtrArray *warnings)
{
	g_autoptr(GPtrArray) values = facts_of_target(data, target, "virt");

	for (size_t i = 0; i < values->len; i++)
		if (strcmp(values->pdata[i], "none") != 0)
			warn(warnings, data->targets->pdata[target],
			    "a virtual machine or container (%s): what else "
			    "its hardware does meanwhile cannot be seen",
			    (const char *)values->pdata[i]);
}

static void
warn_swap(const StoreData *data, size_t target, GPtrArray *warnings)
{
	g_autoptr(GPtrArray) values =
	    facts_of_target(data, target, "swap_used_kb");
	guint64 most = 0;

	for (size_t i = 0; i < values->len; i++)
		most = MAX(most, g_ascii_strtoull(values->pdata[i], NULL, 10));
	if (most >= 1024)
		warn(warnings, data->targets->pdata[target],
		    "%" G_GUINT64_FORMAT " MB of swap in use", most / 1024);
	else if (most > 0)
		warn(warnings, data->targets->pdata[target],
		    "%" G_GUINT64_FORMAT " kB of swap in use", most);
}

static void
warn_governor(const StoreData *data, size_t target, GPtrArray *warnings)
{
	g_autoptr(GPtrArray) values = facts_of_target(data, target, "governor");

	for (size_t i = 0; i < values->len; i++)
		if (strcmp(values->pdata[i], "performance") != 0)
			warn(warnings, data->targets->pdata[target],
			    "CPU frequency governor %s, not performance: the "
			    "clock follows the load",
			    (const char *)values->pdata[i]);
}

static void
warn_debug(const StoreData *data, size_t target, GPtrArray *warnings)
{
	static const char *const options[] = { "witness", "invariants", "debug",
		"kasan", "lockdep" };
	static const char *const off[] = { "", "0", "no", "off", "none", NULL };
	static const char *const names[] = { "kernel", "kernel_version" };

	for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
		g_autoptr(GPtrArray) values =
		    facts_of_target(data, target, options[i]);
		for (size_t j = 0; j < values->len; j++)
			if (!g_strv_contains(off, values->pdata[j]))
				warn(warnings, data->targets->pdata[target],
				    "kernel debug option %s is on (%s): expect "
				    "reduced performance",
				    options[i], (const char *)values->pdata[j]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GPtrArray) values =
		    facts_of_target(data, target, names[i]);
		for (size_t j = 0; j < values->len; j++) {
			g_autofree char *low =
			    g_ascii_strdown(values->pdata[j], -1);
			if (strstr(low, "debug") != NULL ||
			    strstr(low, "-dbg") != NULL ||
			    strstr(low, "kasan") != NULL)
				warn(warnings, data->targets->pdata[target],
				    "a debug kernel (%s): expect reduced "
				    "performance",
				    (const char *)values->pdata[j]);
		}
	}
}

/* Bits of /proc/sys/kernel/tainted that tell of a kernel in trouble. */
static void
warn_tainted(const StoreData *data, size_t target, GPtrArray *warnings)
{
	static const struct {
		guint64 bit;
		const char *what;
	} bits[] = {
		{ 1U << 4, "a machine check was reported" },
		{ 1U << 5, "bad memory was found" },
		{ 1U << 7, "it has had an oops" },
		{ 1U << 9, "it has printed a warning" },
		{ 1U << 14, "it has had a soft lockup" },
	};
	g_autoptr(GPtrArray) values = facts_of_target(data, target, "tainted");

	for (size_t i = 0; i < values->len; i++) {
		const guint64 taint =
		    g_ascii_strtoull(values->pdata[i], NULL, 10);
		for (size_t j = 0; j < G_N_ELEMENTS(bits); j++)
			if ((taint & bits[j].bit) != 0)
				warn(warnings, data->targets->pdata[target],
				    "the kernel is tainted: %s", bits[j].what);
	}
}

void
facts_warn(const StoreData *data, GPtrArray *warnings)
{
	for (size_t target = 0; target < data->targets->len; target++) {
		warn_virtual(data, target, warnings);
		warn_debug(data, target, warnings);
		warn_tainted(data, target, warnings);
		warn_swap(data, target, warnings);
		warn_governor(data, target, warnings);
	}
}
