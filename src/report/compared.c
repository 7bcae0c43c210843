#include <string.h>

#include "base/text.h"
#include "report/sections.h"

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

static const char *
experiment_fact(const StoreData *data, const char *key)
{
	for (size_t i = 0; i < data->facts->len; i++) {
		const DataFact *fact = data->facts->pdata[i];
		if (strcmp(fact->scope, "experiment") == 0 &&
		    strcmp(fact->key, key) == 0 && *fact->value != '\0')
			return fact->value;
	}
	return NULL;
}

/* "PREFIX.NAME.SUFFIX", or NULL. */
static const char *
named_fact(const StoreData *data, const char *prefix, const char *name,
    const char *suffix)
{
	g_autofree char *key =
	    g_strdup_printf("%s.%s.%s", prefix, name, suffix);

	return experiment_fact(data, key);
}

/* "12.1 (sha256 77d0...)": what there is of version, path and sha256. */
static char *
identity(const StoreData *data, const char *prefix, const char *name)
{
	static const char *const suffixes[] = { "version", "path", "sha256" };
	g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		const char *value = named_fact(data, prefix, name, suffixes[i]);
		if (value == NULL)
			continue;
		g_autofree char *shown = printable(value);
		g_ptr_array_add(parts,
		    i < 2 ? g_steal_pointer(&shown)
			  : g_strdup_printf("sha256 %s", shown));
	}
	g_ptr_array_add(parts, NULL);
	return g_strjoinv(", ", (char **)parts->pdata);
}

/* "kernel GENERIC; /usr/lib/libjemalloc.so.2, sha256 ab12..." */
static char *
level_text(const StoreData *data, const DataFactor *factor, size_t level)
{
	const char *sets =
	    level < factor->settings->len ? factor->settings->pdata[level] : "";
	g_autofree char *settings = printable(sets);
	g_autofree char *id =
	    identity(data, "library", factor->levels->pdata[level]);
	const char *shown = *settings != '\0' ? settings
	    : factor->class == CLASS_LOAD
	    ? "a value the loads use"
	    : "nothing is set, and that is proved";

	return g_strdup_printf("%s%s%s", shown, *id == '\0' ? "" : "; ", id);
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
	const char *version = experiment_fact(data, "server.version");
	const char *sha = experiment_fact(data, "server.sha256");

	if (!data->has_server) {
		g_ptr_array_add(same,
		    g_strdup("no server: the settings act on the load, "
			     "where they are proved"));
		return;
	}
	g_autofree char *shown_version = printable(version);
	g_autofree char *shown_sha = printable(sha);
	g_ptr_array_add(same,
	    g_strdup_printf("server%s%s%s%s%s%s%s", version == NULL ? "" : " ",
		shown_version, sha == NULL ? "" : " (sha256 ", shown_sha,
		sha == NULL ? "" : ")", *server == '\0' ? "" : ", ", server));
}

static void
add_loads(GPtrArray *same, const StoreData *data)
{
	for (size_t i = 0; i < data->loads->len; i++) {
		const DataLoad *load = data->loads->pdata[i];
		g_autofree char *name = printable(load->name);
		g_autofree char *use = printable(load->use);
		g_autofree char *command = printable(load->command);
		g_autofree char *id = identity(data, "load", load->name);
		g_ptr_array_add(same,
		    g_strdup_printf("load %s: %s%s%s%s%s%s", name, use,
			*id == '\0' ? "" : " ", id,
			*command == '\0' ? "" : ": ", command,
			load->writes ? " (it writes)" : ""));
	}
	for (size_t i = 0; i < data->facts->len; i++) {
		const DataFact *fact = data->facts->pdata[i];
		if (strcmp(fact->scope, "experiment") != 0 ||
		    !g_str_has_prefix(fact->key, "script."))
			continue;
		g_autofree char *key = printable(fact->key);
		g_autofree char *value = printable(fact->value);
		g_autofree char *name = g_strndup(key + strlen("script."),
		    strlen(key) - strlen("script.") -
			(g_str_has_suffix(key, ".sha256") ? 7 : 0));
		g_ptr_array_add(
		    same, g_strdup_printf("script %s: sha256 %s", name, value));
	}
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
	document_add(document, BLOCK_CAPTION, "The same in all cells");
	for (size_t i = 0; i < same->len; i++)
		document_add(document, BLOCK_ITEM, same->pdata[i]);
}
