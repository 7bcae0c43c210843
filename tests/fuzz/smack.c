/* Scripts of abload: read at each level, whatever they hold. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abload/gendata.h"
#include "abload/query.h"
#include "abload/smack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
free_words(gpointer words)
{
	words_free(words);
}

/* What a run would make of it, as far as it needs no file. */
static void
make_ready(const Smack *smack, bool compat)
{
	enum { MOST = 1 << 16 };
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(free_words);
	g_autofree WordDraw *draws =
	    g_new0(WordDraw, smack->dictionaries->len + 1);
	WordSource source = { .random = random_stream(1, "fuzz", 0),
		.clients = 1 };

	for (guint i = 0; i < smack->dictionaries->len; i++) {
		const SmackDictionary *dictionary =
		    g_ptr_array_index(smack->dictionaries, i);
		Words *words = words_from_text(dictionary, dictionary->source,
		    strlen(dictionary->source), compat, NULL);
		if (words == NULL)
			return;
		g_ptr_array_add(all, words);
	}
	for (guint i = 0; i < smack->queries->len; i++) {
		g_autofree char *why = NULL;
		g_autoptr(Query) query =
		    query_new(g_ptr_array_index(smack->queries, i), smack, all,
			compat, &why, NULL);
		if (query == NULL || query->longest > MOST)
			continue;
		g_autofree char *text = g_malloc(query->longest + 1);
		if (query_fill(query, draws, &source, text) > query->longest)
			abort();
	}
	for (guint i = 0; i < smack->tables->len; i++) {
		const SmackTable *table = g_ptr_array_index(smack->tables, i);
		uint64_t rows;
		g_autofree char *format = NULL;
		if (!gendata_command(table->generator, &rows, &format))
			continue;
		g_autoptr(GenData) generator = gendata_new(format, NULL);
		g_autoptr(GString) row = g_string_new(NULL);
		if (generator != NULL)
			gendata_row(generator, row);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const SmackLevel levels[] = { SMACK_WARN, SMACK_STRICT,
		SMACK_COMPAT };

	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
		g_autoptr(SmackNotes) notes = smack_notes_new();
		g_autoptr(Smack) smack = smack_read(
		    "fuzz", (const char *)data, size, levels[i], notes);
		if ((smack == NULL) != (notes->mistakes->len > 0))
			abort();
		if (smack != NULL)
			make_ready(smack, levels[i] == SMACK_COMPAT);
	}
	return 0;
}
