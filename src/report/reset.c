#include "report/reset.h"

#include "analysis/facts.h"
#include "analysis/wording.h"
#include "base/text.h"
#include "report/sections.h"

/* "a and b", the loads that write and are reset so often; NULL: none. */
static char *
loads_of(const StoreData *data, Reset reset, guint *n)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < data->loads->len; i++) {
		const DataLoad *load = data->loads->pdata[i];
		if (load->writes && load->reset == (int)reset)
			g_ptr_array_add(names,
			    text_printable(load->name, SECTION_TEXT_BYTES));
	}
	*n = names->len;
	return names->len == 0 ? NULL : wording_list(names);
}

static void
add_resets(const StoreData *data, GString *words)
{
	static const struct {
		Reset reset;
		const char *when;
	} all[] = {
		{ RESET_RUN, "before every run" },
		{ RESET_START, "in every start" },
		{ RESET_ROUND, "in every round" },
	};
	const char *before = " Data reset ";

	for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
		guint n;
		g_autofree char *loads = loads_of(data, all[i].reset, &n);
		if (loads == NULL)
			continue;
		g_string_append_printf(
		    words, "%s%s for %s", before, all[i].when, loads);
		before = ", ";
	}
	if (words->len > 0)
		g_string_append_c(words, '.');
}

static void
add_copies(const StoreData *data, GString *words)
{
	g_autoptr(GPtrArray) from = facts_of_all(data, "server.datadir_from");

	for (guint i = 0; i < from->len; i++) {
		g_autofree char *path =
		    text_printable(from->pdata[i], SECTION_TEXT_BYTES);
		g_string_append_printf(
		    words, " Each start had a fresh copy of %s.", path);
	}
}

char *
reset_words(const StoreData *data)
{
	guint n;
	GString *words = g_string_new(NULL);
	g_autofree char *never = loads_of(data, RESET_NEVER, &n);

	add_resets(data, words);
	if (never != NULL)
		g_string_append_printf(words, " %s %s never reset.", never,
		    n == 1 ? "writes and is" : "write and are");
	add_copies(data, words);
	return g_string_free(words, FALSE);
}
