#include <string.h>

#include "analysis/facts.h"
#include "base/text.h"
#include "report/sections.h"

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

/* All values a fact had, "1.0 or 1.1"; NULL when there is none. */
static char *
fact_text(const StoreData *data, const char *key)
{
	g_autoptr(GPtrArray) values = facts_of_all(data, key);
	g_autoptr(GString) text = g_string_new(NULL);

	if (values->len == 0)
		return NULL;
	for (size_t i = 0; i < values->len; i++) {
		const char *value = values->pdata[i];
		const gboolean hash = g_str_has_suffix(key, "sha256") &&
		    strlen(value) > SECTION_HASH_DIGITS;
		g_string_append_printf(text, "%s%.*s%s", i == 0 ? "" : " or ",
		    hash ? SECTION_HASH_DIGITS : (int)strlen(value), value,
		    hash ? "..." : "");
	}
	return printable(text->str);
}

/* "12.1, /usr/lib/libx.so, sha256 77d0...": what there is of these. */
static char *
identity(const StoreData *data, const char *prefix, const char *name)
{
	static const char *const suffixes[] = { "version", "path", "sha256" };
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		g_autofree char *key = g_strdup_printf("%s%s%s.%s", prefix,
		    name == NULL ? "" : ".", name == NULL ? "" : name,
		    suffixes[i]);
		g_autofree char *value = fact_text(data, key);
		if (value != NULL)
			g_string_append_printf(text, "%s%s%s",
			    text->len == 0 ? "" : ", ", i == 2 ? "sha256 " : "",
			    value);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* "kernel GENERIC; /usr/lib/libjemalloc.so.2, sha256 ab12..." */
static char *
level_text(const StoreData *data, const DataFactor *factor, size_t level)
{
	const char *sets =
	    level < factor->settings->len ? factor->settings->pdata[level] : "";
	g_autofree char *settings = printable(sets);
	const char *name = factor->levels->pdata[level];
	g_autofree char *library = identity(data, "library", name);
	g_autofree char *threads = identity(data, "threadlib", name);
	const char *shown = *settings != '\0' ? settings
	    : factor->variable                ? "a value for the loads"
					      : "nothing set";

	return g_strdup_printf("%s%s%s%s%s", shown,
	    *threads == '\0' ? "" : "; ", threads, *library == '\0' ? "" : "; ",
	    library);
}

static void
add_levels(Table *table, const StoreData *data, const DataFactor *factor)
{
	g_autofree char *name = printable(factor->name);

	for (size_t level = 0; level < factor->levels->len; level++) {
		g_autofree char *label =
		    printable(factor->levels->pdata[level]);
		g_autofree char *text = level_text(data, factor, level);
		const char *const cells[] = { level == 0 ? name : "", label,
			text };
		table_row(table, cells);
	}
}

/* Factors with one level: the same in all cells. */
static void
add_constants(GPtrArray *same, const StoreData *data)
{
	for (size_t i = 0; i < data->factors->len; i++) {
		const DataFactor *factor = data->factors->pdata[i];
		if (factor->levels->len != 1)
			continue;
		g_autofree char *name = printable(factor->name);
		g_autofree char *level = printable(factor->levels->pdata[0]);
		g_autofree char *text = level_text(data, factor, 0);
		g_ptr_array_add(
		    same, g_strdup_printf("%s %s (%s)", name, level, text));
	}
}

static void
add_server(GPtrArray *same, const StoreData *data)
{
	g_autofree char *server = printable(data->server);
	g_autofree char *id = identity(data, "server", NULL);

	if (!data->has_server)
		g_ptr_array_add(same,
		    g_strdup("no server: the settings act on the load, "
			     "where they are proved"));
	else
		g_ptr_array_add(same,
		    g_strdup_printf("server%s%s%s%s", *id == '\0' ? "" : " ",
			id, *server == '\0' ? "" : ": ", server));
}

/* The scripts a load was given, each with its sha256 on the hosts. */
static void
add_scripts(GPtrArray *same, const StoreData *data)
{
	g_autoptr(GHashTable) told = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; i < data->facts->len; i++) {
		const DataFact *fact = data->facts->pdata[i];
		const size_t length = strlen(fact->key);
		if (!g_str_has_prefix(fact->key, "script.") ||
		    !g_str_has_suffix(fact->key, ".sha256") ||
		    length <= strlen("script..sha256") ||
		    !g_hash_table_add(told, fact->key))
			continue;
		g_autofree char *value = fact_text(data, fact->key);
		g_autofree char *key = g_strndup(fact->key + strlen("script."),
		    length - strlen("script..sha256"));
		g_autofree char *name = printable(key);
		if (value != NULL)
			g_ptr_array_add(same,
			    g_strdup_printf(
				"script %s: sha256 %s", name, value));
	}
}

/* What ran beside the loads: "monitor vmstat: vmstat 1". */
static void
add_monitors(GPtrArray *same, const StoreData *data)
{
	static const char head[] = "monitor.", tail[] = ".command";
	g_autoptr(GHashTable) told = g_hash_table_new(g_str_hash, g_str_equal);

	for (size_t i = 0; i < data->facts->len; i++) {
		const DataFact *fact = data->facts->pdata[i];
		const size_t length = strlen(fact->key);
		if (!g_str_has_prefix(fact->key, head) ||
		    !g_str_has_suffix(fact->key, tail) ||
		    !g_hash_table_add(told, fact->key))
			continue;
		g_autofree char *key = g_strndup(fact->key + strlen(head),
		    length - strlen(head) - strlen(tail));
		g_autofree char *name = printable(key);
		g_autofree char *value = fact_text(data, fact->key);
		if (value != NULL)
			g_ptr_array_add(same,
			    g_strdup_printf("monitor %s: %s, on the target, in "
					    "raw/",
				name, value));
	}
}

static void
add_loads(GPtrArray *same, const StoreData *data)
{
	for (size_t i = 0; i < data->loads->len; i++) {
		const DataLoad *load = data->loads->pdata[i];
		g_autofree char *name = printable(load->name);
		g_autofree char *use = printable(load->use);
		g_autofree char *key =
		    g_strdup_printf("load.%s.command", load->name);
		g_autofree char *run = fact_text(data, key);
		g_autofree char *command =
		    run != NULL ? g_strdup(run) : printable(load->command);
		g_autofree char *id = identity(data, "load", load->name);
		/* A version that names the program need not be told twice. */
		const gboolean told = g_str_has_prefix(id, use);
		g_ptr_array_add(same,
		    g_strdup_printf("load %s: %s%s%s%s%s%s", name,
			told ? "" : use, told || *id == '\0' ? "" : " ", id,
			*command == '\0' ? "" : ": ", command,
			load->writes ? " (it writes)" : ""));
	}
	add_scripts(same, data);
}

void
section_compared(Document *document, const Analysis *analysis)
{
	const StoreData *data = analysis->data;
	g_autoptr(GPtrArray) same = g_ptr_array_new_with_free_func(g_free);
	size_t varying = 0;

	document_add(document, BLOCK_HEADING, "What was compared");
	for (size_t i = 0; i < data->factors->len; i++)
		if (((DataFactor *)data->factors->pdata[i])->levels->len > 1)
			varying++;
	if (varying > 0) {
		Table *table = document_add_table(document);
		table_column(table, "factor", COLUMN_LABEL);
		table_column(table, "level", COLUMN_LABEL);
		table_column(table, "what it sets", COLUMN_PROSE);
		for (size_t i = 0; i < data->factors->len; i++) {
			const DataFactor *factor = data->factors->pdata[i];
			if (factor->levels->len > 1)
				add_levels(table, data, factor);
		}
	}
	add_server(same, data);
	add_constants(same, data);
	add_loads(same, data);
	add_monitors(same, data);
	document_add(document, BLOCK_CAPTION, "The same in all cells");
	for (size_t i = 0; i < same->len; i++)
		document_add(document, BLOCK_ITEM, same->pdata[i]);
}
