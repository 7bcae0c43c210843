#include "analysis/asked.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/comparison.h"
#include "analysis/wording.h"
#include "base/text.h"

enum { NAME_BYTES = 400 };

static const char *const side_names[ASKED_SIDES] = { "of", "against" };

static json_t *
pattern_json(const CellPattern *pattern)
{
	json_t *object = json_object();

	for (guint i = 0; i < pattern->factors->len; i++) {
		const GPtrArray *levels = pattern->levels->pdata[i];
		json_t *names = json_array();
		for (guint j = 0; j < levels->len; j++)
			json_array_append_new(
			    names, json_string(levels->pdata[j]));
		json_object_set_new(object, pattern->factors->pdata[i], names);
	}
	return object;
}

char *
asked_text(const Design *design)
{
	json_t *list = json_array();

	for (guint i = 0; i < design->contrasts->len; i++) {
		const Contrast *contrast = design->contrasts->pdata[i];
		json_array_append_new(list,
		    json_pack("{s:s?, s:o, s:o}", "name",
			contrast->named ? contrast->name : NULL,
			side_names[ASKED_OF], pattern_json(contrast->of),
			side_names[ASKED_AGAINST],
			pattern_json(contrast->against)));
	}
	json_t *root = json_pack(
	    "{s:b, s:o}", "only", design->contrasts_replace, "contrasts", list);
	char *dumped = json_dumps(root, JSON_COMPACT);
	char *text = g_strdup(dumped);
	free(dumped);
	json_decref(root);
	return text;
}

char *
asked_names(const Design *design)
{
	GString *names = g_string_new(
	    design->contrasts_replace ? "" : "each factor's levels");

	for (guint i = 0; i < design->contrasts->len; i++) {
		const Contrast *contrast = design->contrasts->pdata[i];
		g_string_append_printf(
		    names, "%s%s", names->len > 0 ? "; " : "", contrast->name);
	}
	return g_string_free(names, FALSE);
}

static void
asked_contrast_free(void *what)
{
	AskedContrast *asked = what;

	if (asked == NULL)
		return;
	for (size_t side = 0; side < ASKED_SIDES; side++) {
		for (size_t f = 0; f < asked->n_factors; f++)
			g_free(asked->takes[side][f]);
		g_free(asked->takes[side]);
	}
	g_free(asked->name);
	g_free(asked);
}

static size_t
find_name(const GPtrArray *names, const char *name)
{
	size_t i = 0;

	while (i < names->len && g_strcmp0(names->pdata[i], name) != 0)
		i++;
	return i;
}

/* Adds one factor of a side; false where there is no such factor or level. */
static bool
take(AskedContrast *asked, const StoreData *data, size_t side, const char *name,
    const json_t *levels)
{
	size_t f = 0;

	while (f < data->factors->len &&
	    strcmp(((DataFactor *)data->factors->pdata[f])->name, name) != 0)
		f++;
	if (f == data->factors->len)
		return false;
	const GPtrArray *names =
	    ((const DataFactor *)data->factors->pdata[f])->levels;
	g_free(asked->takes[side][f]);
	asked->takes[side][f] = g_new0(bool, names->len + 1);
	for (size_t i = 0; i < json_array_size(levels); i++) {
		const size_t level = find_name(
		    names, json_string_value(json_array_get(levels, i)));
		if (level == names->len)
			return false;
		asked->takes[side][f][level] = true;
	}
	return json_array_size(levels) > 0;
}

static AskedContrast *
read_one(const StoreData *data, json_t *from)
{
	AskedContrast *asked = g_new0(AskedContrast, 1);
	bool ok = true;

	asked->name =
	    g_strdup(json_string_value(json_object_get(from, "name")));
	asked->n_factors = data->factors->len;
	for (size_t side = 0; side < ASKED_SIDES; side++) {
		json_t *object = json_object_get(from, side_names[side]);
		const char *factor = NULL;
		json_t *levels = NULL;
		asked->takes[side] = g_new0(bool *, data->factors->len + 1);
		ok = ok && json_object_size(object) > 0;
		json_object_foreach(object, factor, levels)
		{
			ok = ok && take(asked, data, side, factor, levels);
		}
	}
	if (ok)
		return asked;
	asked_contrast_free(asked);
	return NULL;
}

Asked *
asked_read(const StoreData *data)
{
	Asked *asked = g_new0(Asked, 1);
	const char *text = store_data_fact(data, ASKED_FACT);
	json_t *root = text == NULL ? NULL : json_loads(text, 0, NULL);
	const json_t *list = json_object_get(root, "contrasts");

	asked->contrasts = g_ptr_array_new_with_free_func(asked_contrast_free);
	for (size_t i = 0; i < json_array_size(list); i++) {
		AskedContrast *one = read_one(data, json_array_get(list, i));
		if (one != NULL)
			g_ptr_array_add(asked->contrasts, one);
	}
	asked->only = json_is_true(json_object_get(root, "only"));
	json_decref(root);
	return asked;
}

void
asked_free(Asked *asked)
{
	if (asked == NULL)
		return;
	g_ptr_array_unref(asked->contrasts);
	g_free(asked);
}

bool
asked_applies(const AskedContrast *asked, const Grid *grid)
{
	g_autofree bool *used = g_new0(bool, asked->n_factors + 1);

	for (size_t i = 0; i < grid->factors->len; i++)
		used[g_array_index(grid->factors, size_t, i)] = true;
	for (size_t f = 0; f < asked->n_factors; f++)
		if (!used[f] &&
		    (asked->takes[ASKED_OF][f] != NULL ||
			asked->takes[ASKED_AGAINST][f] != NULL))
			return false;
	return true;
}

bool
asked_differs(const AskedContrast *asked, const Grid *grid, size_t factor)
{
	const bool *of = asked->takes[ASKED_OF][factor];
	const bool *against = asked->takes[ASKED_AGAINST][factor];
	const size_t n = grid_factor(grid, factor)->levels->len;

	for (size_t level = 0; level < n; level++)
		if ((of == NULL || of[level]) !=
		    (against == NULL || against[level]))
			return true;
	return false;
}

static bool
takes_row(
    const AskedContrast *asked, const Grid *grid, AskedSide side, size_t row)
{
	if (grid_row(grid, row)->again)
		return false;
	for (size_t f = 0; f < asked->n_factors; f++) {
		const bool *takes = asked->takes[side][f];
		if (takes != NULL && !takes[grid_level(grid, row, f)])
			return false;
	}
	return true;
}

/* The combination of held factors that a row belongs to; free it. */
static char *
held_of(const AskedContrast *asked, const Grid *grid, size_t row)
{
	GString *key = g_string_new(NULL);

	for (size_t i = 0; i < grid->factors->len; i++) {
		const size_t factor = g_array_index(grid->factors, size_t, i);
		if (!asked_differs(asked, grid, factor))
			g_string_append_printf(
			    key, "%zu ", grid_level(grid, row, factor));
	}
	return g_string_free(key, FALSE);
}

/* One combination: how many rows each side has there, and the last of each. */
typedef struct {
	size_t n[ASKED_SIDES], row[ASKED_SIDES];
} Held;

static GHashTable *
combinations(const AskedContrast *asked, const Grid *grid, Held **of_row)
{
	GHashTable *held =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);

	for (size_t row = 0; row < grid->rows->len; row++) {
		g_autofree char *key = held_of(asked, grid, row);
		Held *here = g_hash_table_lookup(held, key);
		if (here == NULL) {
			here = g_new0(Held, 1);
			g_hash_table_insert(held, g_steal_pointer(&key), here);
		}
		of_row[row] = here;
		for (AskedSide side = ASKED_OF; side < ASKED_SIDES; side++)
			if (takes_row(asked, grid, side, row)) {
				here->n[side]++;
				here->row[side] = row;
			}
	}
	return held;
}

static bool
has_both(const Held *here)
{
	return here->n[ASKED_OF] > 0 && here->n[ASKED_AGAINST] > 0;
}

double *
asked_weigh(
    const AskedContrast *asked, const Grid *grid, size_t *test, size_t *base)
{
	const size_t n = grid->rows->len, baseline = grid_baseline(grid);
	g_autofree Held **of_row = g_new0(Held *, n + 1);
	g_autoptr(GHashTable) held = combinations(asked, grid, of_row);
	g_autofree double *weights = g_new0(double, n + 1);
	GHashTableIter iter;
	gpointer value = NULL;
	double both = 0;

	*test = *base = SIZE_MAX;
	g_hash_table_iter_init(&iter, held);
	while (g_hash_table_iter_next(&iter, NULL, &value))
		both += has_both(value);
	if (!(both > 0))
		return NULL;
	for (size_t row = 0; row < n; row++) {
		const Held *here = of_row[row];
		if (!has_both(here))
			continue;
		if (takes_row(asked, grid, ASKED_OF, row))
			weights[row] += 1 / (both * (double)here->n[ASKED_OF]);
		if (takes_row(asked, grid, ASKED_AGAINST, row))
			weights[row] -=
			    1 / (both * (double)here->n[ASKED_AGAINST]);
		if (here->n[ASKED_OF] != 1 || here->n[ASKED_AGAINST] != 1)
			continue;
		if (*test == SIZE_MAX || here->row[ASKED_AGAINST] == baseline) {
			*test = here->row[ASKED_OF];
			*base = here->row[ASKED_AGAINST];
		}
	}
	return g_steal_pointer(&weights);
}

char *
asked_label(const AskedContrast *asked, const StoreData *data, AskedSide side)
{
	GString *label = g_string_new(NULL);

	for (size_t f = 0; f < asked->n_factors; f++) {
		const bool *takes = asked->takes[side][f];
		const DataFactor *factor = data->factors->pdata[f];
		g_autofree char *prefix = g_strdup_printf("%s ", factor->name);
		bool first = true;
		for (size_t i = 0; takes != NULL && i < factor->levels->len;
		     i++) {
			if (!takes[i])
				continue;
			g_autofree char *level = wording_level(data, f, i);
			const bool twice =
			    !first && g_str_has_prefix(level, prefix);
			g_string_append_printf(label, "%s%s",
			    !first               ? " or "
				: label->len > 0 ? " with "
						 : "",
			    twice ? level + strlen(prefix) : level);
			first = false;
		}
	}
	return g_string_free(label, FALSE);
}

char *
asked_name(const AskedContrast *asked, const StoreData *data)
{
	g_autofree char *of = asked_label(asked, data, ASKED_OF);
	g_autofree char *against = asked_label(asked, data, ASKED_AGAINST);
	const DataFactor *first = NULL;

	if (asked->name != NULL)
		return text_printable(asked->name, NAME_BYTES);
	for (size_t f = asked->n_factors; f-- > 0;)
		if (asked->takes[ASKED_OF][f] != NULL)
			first = data->factors->pdata[f];
	return comparison_name(first, of, against);
}
