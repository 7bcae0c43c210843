#include "plan/plan.h"

static const Factor *
factor_at(const Plan *plan, size_t f)
{
	return g_ptr_array_index(plan->matrix->factors, f);
}

/* Variables are of the loads alone. */
static bool
is_of_server(const Plan *plan, size_t f)
{
	return factor_at(plan, f)->class >= CLASS_SERVER;
}

static bool
is_usable(const Plan *plan, const Cell *cell, GHashTable *without)
{
	for (size_t f = 0; f < plan->matrix->factors->len; f++)
		if (without != NULL &&
		    g_hash_table_contains(without, plan_level(plan, cell, f)))
			return false;
	return true;
}

/* How many levels of a cell are not held yet. */
static size_t
gain_of(const Plan *plan, const Cell *cell, GHashTable *held)
{
	size_t gain = 0;

	for (size_t f = 0; f < plan->matrix->factors->len; f++)
		gain += is_of_server(plan, f) &&
		    !g_hash_table_contains(held, plan_level(plan, cell, f));
	return gain;
}

static void
hold(const Plan *plan, const Cell *cell, GHashTable *held)
{
	for (size_t f = 0; f < plan->matrix->factors->len; f++)
		(void)g_hash_table_add(
		    held, (gpointer)plan_level(plan, cell, f));
}

/* Of those that add most the first; *gain is 0 when none adds anything. */
static size_t
next_server(
    const Plan *plan, GHashTable *held, GHashTable *without, size_t *gain)
{
	size_t best = 0;

	*gain = 0;
	for (size_t s = 0; s < plan->n_servers; s++) {
		const Cell *cell = plan_server_cell(plan, s);
		const size_t gained = gain_of(plan, cell, held);
		if (gained > *gain && is_usable(plan, cell, without)) {
			best = s;
			*gain = gained;
		}
	}
	return best;
}

static int
by_number(gconstpointer a, gconstpointer b)
{
	const size_t one = *(const size_t *)a, other = *(const size_t *)b;

	return (one > other) - (one < other);
}

GArray *
plan_cover(const Plan *plan, GHashTable *without)
{
	GArray *cover = g_array_new(FALSE, FALSE, sizeof(size_t));
	g_autoptr(GHashTable) held =
	    g_hash_table_new(g_direct_hash, g_direct_equal);
	size_t gain = 1;

	while (gain > 0) {
		const size_t server = next_server(plan, held, without, &gain);
		if (gain == 0)
			break;
		hold(plan, plan_server_cell(plan, server), held);
		g_array_append_val(cover, server);
	}
	/* Without a factor of the server there is one, as it is. */
	const size_t first = 0;
	if (cover->len == 0 &&
	    is_usable(plan, plan_server_cell(plan, first), without))
		g_array_append_val(cover, first);
	g_array_sort(cover, by_number);
	return cover;
}

char *
plan_server_words(const Plan *plan, size_t server)
{
	const Cell *cell = plan_server_cell(plan, server);
	GString *words = g_string_new(NULL);

	for (size_t f = 0; f < plan->matrix->factors->len; f++)
		if (is_of_server(plan, f))
			g_string_append_printf(words, "%s%s=%s",
			    words->len == 0 ? "" : ", ",
			    factor_at(plan, f)->name,
			    plan_level(plan, cell, f)->name);
	if (words->len == 0)
		g_string_append(words, "the only cell");
	return g_string_free(words, FALSE);
}
