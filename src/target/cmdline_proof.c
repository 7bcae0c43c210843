#include "target/cmdline_proof.h"

#include <string.h>

#include "base/text.h"
#include "target/proof.h"

/* A command line has 4096 bytes at most on the largest of systems. */
enum { SHOWN_BYTES = 4096 };

static GPtrArray *
split(const char *text)
{
	g_auto(GStrv) parts = g_strsplit_set(text, " \t", -1);
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	for (char **part = parts; *part != NULL; part++)
		if (**part != '\0')
			g_ptr_array_add(words, g_strdup(*part));
	return words;
}

GPtrArray *
cmdline_proof_words(const Setting *setting)
{
	return split(setting->value);
}

static bool
has_word(const GPtrArray *words, const char *word)
{
	for (guint i = 0; i < words->len; i++)
		if (strcmp(words->pdata[i], word) == 0)
			return true;
	return false;
}

bool
cmdline_proof_has(const char *line, const char *word)
{
	g_autoptr(GPtrArray) words = split(line);

	return has_word(words, word);
}

static void
add_words(GPtrArray *to, const GPtrArray *settings)
{
	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = settings->pdata[i];
		if (setting->kind != SETTING_CMDLINE)
			continue;
		g_autoptr(GPtrArray) words = cmdline_proof_words(setting);
		for (guint j = 0; j < words->len; j++)
			if (!has_word(to, words->pdata[j]))
				g_ptr_array_add(to, g_strdup(words->pdata[j]));
	}
}

/* Those of all cells, each once. */
static GPtrArray *
all_words(const Matrix *matrix)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	for (guint f = 0; f < matrix->factors->len; f++) {
		const Factor *factor = matrix->factors->pdata[f];
		for (guint l = 0; l < factor->levels->len; l++)
			add_words(all,
			    ((const Level *)factor->levels->pdata[l])
				->settings);
	}
	return all;
}

void
cmdline_proof_judge(const Matrix *matrix, const GPtrArray *settings,
    const VerbAnswer *state, GPtrArray *proofs)
{
	g_autoptr(GPtrArray) all = all_words(matrix);
	g_autoptr(GPtrArray) wanted = g_ptr_array_new_with_free_func(g_free);
	const char *line = state->status == VERB_DONE
	    ? verb_answer_get(state, "cmdline")
	    : NULL;
	g_autofree char *shown =
	    text_printable(line == NULL ? "not told" : line, SHOWN_BYTES);
	g_autoptr(GPtrArray) there = split(line == NULL ? "" : line);

	add_words(wanted, settings);
	for (guint i = 0; i < all->len; i++) {
		const char *word = all->pdata[i];
		const bool want = has_word(wanted, word);
		g_ptr_array_add(proofs,
		    proof_new("cmdline", word, want ? "given" : "absent", shown,
			line == NULL                        ? PROOF_UNKNOWN
			    : has_word(there, word) == want ? PROOF_YES
							    : PROOF_NO));
	}
}
