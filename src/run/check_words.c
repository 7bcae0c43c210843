#include "run/check_words.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

const char check_abload_advice[] =
    "build it here with `make build/abload`, copy it into a directory of that "
    "host's PATH, or name its directory in the host's path";

static void
add(GString *words, const char *before, const char *value, const char *after)
{
	if (value == NULL || *value == '\0')
		return;
	g_string_append_printf(words, "%s%s%s%s", words->len == 0 ? "" : ", ",
	    before, value, after);
}

char *
check_system(GHashTable *facts)
{
	GString *words = g_string_new(NULL);
	const char *memory = g_hash_table_lookup(facts, "memory_kb");
	const char *cpus = g_hash_table_lookup(facts, "cpus");
	double kb = 0;

	add(words, "", g_hash_table_lookup(facts, "distro"), "");
	add(words, "kernel ", g_hash_table_lookup(facts, "kernel"), "");
	add(words, "", cpus, g_strcmp0(cpus, "1") == 0 ? " CPU" : " CPUs");
	if (memory != NULL && text_parse_double(memory, &kb, NULL))
		g_string_append_printf(words, "%s%.1f GB of memory",
		    words->len == 0 ? "" : ", ", kb / 1024 / 1024);
	if (words->len == 0)
		g_string_append(words, "its system tells nothing");
	return g_string_free(words, FALSE);
}

static void
add_free(GString *words, const char *value, const char *place)
{
	double kb = 0;

	if (value != NULL && text_parse_double(value, &kb, NULL))
		g_string_append_printf(words, "%s%.1f GB %sfor %s",
		    words->len == 0 ? "" : ", ", kb / 1024 / 1024,
		    words->len == 0 ? "free " : "", place);
}

char *
check_space(GHashTable *facts)
{
	static const char prefix[] = "free_kb ";
	g_autoptr(GString) words = g_string_new(NULL);
	GList *keys =
	    g_list_sort(g_hash_table_get_keys(facts), (GCompareFunc)strcmp);

	add_free(words, g_hash_table_lookup(facts, "tmp_free_kb"),
	    "temporary files");
	for (const GList *item = keys; item != NULL; item = item->next) {
		const char *key = item->data;
		if (g_str_has_prefix(key, prefix))
			add_free(words, g_hash_table_lookup(facts, key),
			    key + strlen(prefix));
	}
	g_list_free(keys);
	return words->len == 0 ? NULL : g_strdup(words->str);
}

char *
check_abload(const char *said)
{
	static const char wanted[] = "abload " VERSION;

	if (said != NULL && strcmp(said, wanted) == 0)
		return NULL;
	return g_strdup_printf("version wanted %s, as that of abrun, seen %s",
	    wanted,
	    said == NULL || *said == '\0' ? "none: it says nothing" : said);
}

const char *
check_cell_reason(const char *message)
{
	static const char *const sides[] = { "before the load: ",
		"after the load: " };

	for (size_t i = 0; i < G_N_ELEMENTS(sides); i++)
		if (g_str_has_prefix(message, sides[i]))
			return message + strlen(sides[i]);
	return message;
}
