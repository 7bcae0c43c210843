#include <math.h>
#include <string.h>

#include "analysis/facts.h"
#include "analysis/hazards.h"
#include "analysis/wording.h"
#include "base/text.h"
#include "report/sections.h"

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

/* All values a fact had, "6.1.0 or 6.12.0"; NULL when there is none. */
static char *
fact_text(const StoreData *data, size_t target, const char *key)
{
	g_autoptr(GPtrArray) values = facts_of_target(data, target, key);
	const gboolean hash = strcmp(key, "kernel_id") == 0;
	g_autoptr(GString) text = g_string_new(NULL);

	if (values->len == 0)
		return NULL;
	for (size_t i = 0; i < values->len; i++) {
		const char *value = values->pdata[i];
		const gboolean cut =
		    hash && strlen(value) > SECTION_HASH_DIGITS;
		g_string_append_printf(text, "%s%.*s%s", i == 0 ? "" : " or ",
		    cut ? SECTION_HASH_DIGITS : (int)strlen(value), value,
		    cut ? "..." : "");
	}
	return printable(text->str);
}

static void
add_fact(GPtrArray *parts, const StoreData *data, size_t target,
    const char *key, const char *format)
{
	g_autofree char *value = fact_text(data, target, key);

	if (value == NULL)
		return;
	g_auto(GStrv) around = g_strsplit(format, "@", 2);
	g_ptr_array_add(parts, g_strconcat(around[0], value, around[1], NULL));
}

/* A figure that is one and the same over all boots, or NAN. */
static double
one_figure(const StoreData *data, size_t target, const char *key)
{
	g_autoptr(GPtrArray) values = facts_of_target(data, target, key);

	return values->len == 1 ? g_ascii_strtod(values->pdata[0], NULL) : NAN;
}

/* "4 CPUs (2 sockets x 2 cores x 1 thread)" */
static void
add_cpus(GPtrArray *parts, const StoreData *data, size_t target)
{
	static const struct {
		const char *key, *plural;
	} levels[] = { { "sockets", "sockets" },
		{ "cores_per_socket", "cores" },
		{ "threads_per_core", "threads" } };
	g_autoptr(GString) text = g_string_new(NULL);

	add_fact(parts, data, target, "cpu_model", "@");
	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
		const double figure = one_figure(data, target, levels[i].key);
		if (!(figure >= 1 && figure < 1e6))
			break;
		g_autofree char *count =
		    wording_count((size_t)figure, levels[i].plural);
		g_string_append_printf(
		    text, "%s%s", i == 0 ? " (" : " x ", count);
	}
	if (text->len > 0)
		g_string_append_c(text, ')');
	g_autofree char *cpus = fact_text(data, target, "cpus");
	if (cpus != NULL)
		g_ptr_array_add(parts,
		    g_strdup_printf("%s %s%s", cpus,
			strcmp(cpus, "1") == 0 ? "CPU" : "CPUs", text->str));
	if (one_figure(data, target, "numa_nodes") != 1)
		add_fact(parts, data, target, "numa_nodes", "@ NUMA nodes");
}

/* Kilobytes as what a reader buys memory in. */
static void
add_memory(GPtrArray *parts, const StoreData *data, size_t target)
{
	g_autoptr(GPtrArray) values =
	    facts_of_target(data, target, "memory_kb");

	if (values->len == 0)
		return;
	const double kb = g_ascii_strtod(values->pdata[0], NULL);
	g_autofree char *size = wording_number(
	    kb >= 1048576 ? kb / 1048576 : kb / 1024, kb >= 1048576 ? 1 : 0);
	g_ptr_array_add(parts,
	    g_strdup_printf("%s %s memory", size, kb >= 1048576 ? "GB" : "MB"));
}

static void
add_swap(GPtrArray *parts, const StoreData *data, size_t target)
{
	g_autoptr(GPtrArray) total =
	    facts_of_target(data, target, "swap_total_kb");
	g_autoptr(GPtrArray) used =
	    facts_of_target(data, target, "swap_used_kb");
	gboolean in_use = FALSE;

	if (total->len == 0)
		return;
	for (size_t i = 0; i < used->len; i++)
		in_use = in_use || strcmp(used->pdata[i], "0") != 0;
	g_ptr_array_add(parts,
	    g_strdup(strcmp(total->pdata[0], "0") == 0 ? "no swap"
		    : used->len == 0                   ? "swap"
		    : in_use                           ? "swap in use"
						       : "swap not in use"));
}

/* label: the host's name, and what it is there for. */
static void
add_host(
    Document *document, const StoreData *data, size_t target, const char *label)
{
	static const struct {
		const char *key, *format;
		const char *boring; /* a value that says nothing; NULL */
	} system[] = {
		{ "distro", "@", NULL },
		{ "kernel", "kernel @", NULL },
		{ "kernel_version", "@", NULL },
		{ "kernel_id", "id @", NULL },
		{ "arch", "@", NULL },
		{ "virt", "virtual: @", "none" },
		{ "governor", "governor @", NULL },
		{ "turbo", "turbo @", NULL },
		{ "smt", "SMT @", NULL },
		{ "thp", "huge pages @", NULL },
		{ "clocksource", "clock source @", NULL },
		{ "tainted", "tainted @", "0" },
		{ "cmdline", "command line @", NULL },
	};
	g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *name = printable(label);

	add_cpus(parts, data, target);
	add_memory(parts, data, target);
	add_swap(parts, data, target);
	for (size_t i = 0; i < G_N_ELEMENTS(system); i++) {
		g_autofree char *value = fact_text(data, target, system[i].key);
		if (g_strcmp0(value, system[i].boring) != 0)
			add_fact(parts, data, target, system[i].key,
			    system[i].format);
	}
	if (parts->len == 0)
		g_ptr_array_add(parts, g_strdup("no facts were stored"));
	g_ptr_array_add(parts, NULL);
	g_autofree char *text = g_strjoinv("; ", (char **)parts->pdata);
	document_addf(document, BLOCK_ITEM, "%s: %s.", name, text);
}

/* What some measurements are disturbed by, and all should tell. */
static void
add_notes(Document *document, const StoreData *data, size_t target)
{
	g_autoptr(GPtrArray) notes = hazards_notes(data, target);

	if (notes->len == 0)
		return;
	g_ptr_array_add(notes, NULL);
	g_autofree char *name = printable(data->targets->pdata[target]);
	g_autofree char *text = g_strjoinv("; ", (char **)notes->pdata);
	document_addf(document, BLOCK_ITEM, "%s, to be known: %s.", name, text);
}

/* The host of a load, once, with all targets that it serves. */
static void
add_client(Document *document, const StoreData *data, guint index)
{
	const DataClient *client = data->clients->pdata[index];
	g_autoptr(GPtrArray) targets = g_ptr_array_new();

	for (guint i = 0; i < data->clients->len; i++) {
		const DataClient *other = data->clients->pdata[i];
		if (other->client != client->client)
			continue;
		if (i < index)
			return;
		g_ptr_array_add(targets, data->targets->pdata[other->target]);
	}
	g_autofree char *list = wording_list(targets);
	g_autofree char *label = g_strdup_printf(
	    "%s, where the load of %s runs", client->name, list);
	add_host(document, data, client->client, label);
}

void
section_where(Document *document, const Analysis *analysis)
{
	const StoreData *data = analysis->data;

	document_add(document, BLOCK_HEADING, "Where");
	for (size_t target = 0; target < data->targets->len; target++) {
		add_host(document, data, target, data->targets->pdata[target]);
		add_notes(document, data, target);
	}
	for (guint i = 0; i < data->clients->len; i++)
		add_client(document, data, i);
}
