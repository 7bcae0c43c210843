#include "analysis/estimate.h"

#include <math.h>

#include "analysis/contrast.h"
#include "stats/outliers.h"

static const double *
scale_of(const Grid *grid, bool raw)
{
	return raw ? grid->means : grid->logs;
}

bool
estimate_complete(const Grid *grid, const double *weights, size_t place)
{
	for (size_t row = 0; row < grid->rows->len; row++)
		if (weights[row] != 0 &&
		    isnan(grid->means[grid_at(grid, row, place)]))
			return false;
	return true;
}

static bool
is_raw(const Grid *grid, const double *weights)
{
	for (size_t row = 0; row < grid->rows->len && !grid->positive; row++)
		for (size_t place = 0; place < grid->places->len; place++) {
			const size_t at = grid_at(grid, row, place);
			if (weights[row] != 0 && !isnan(grid->means[at]) &&
			    isnan(grid->logs[at]))
				return true;
		}
	return false;
}

static void
note_rounds(Estimate *estimate, const Grid *grid, const double *weights)
{
	size_t last = 0;

	for (size_t place = 0; place < grid->places->len; place++) {
		const size_t round =
		    g_array_index(grid->places, GridPlace, place).round;
		if (estimate_complete(grid, weights, place))
			estimate->n_rounds++;
		else if (round != last) {
			g_array_append_val(estimate->left_out, round);
			last = round;
		}
	}
}

/*
 * Two complete rounds that share the boot of one boot-class combination are
 * not two boots.
 */
static bool
boots_are_shared(const Grid *grid, const double *weights)
{
	g_autoptr(GHashTable) seen =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (size_t place = 0; place < grid->places->len; place++) {
		if (!estimate_complete(grid, weights, place))
			continue;
		const size_t target =
		    g_array_index(grid->places, GridPlace, place).target;
		for (size_t row = 0; row < grid->rows->len; row++) {
			if (weights[row] == 0)
				continue;
			char *key =
			    g_strdup_printf("%zu/%" G_GINT64_FORMAT, target,
				(gint64)grid->boots[grid_at(grid, row, place)]);
			const gpointer before = g_hash_table_lookup(seen, key);
			if (before != NULL &&
			    before != GSIZE_TO_POINTER(place + 1)) {
				g_free(key);
				return true;
			}
			g_hash_table_insert(
			    seen, key, GSIZE_TO_POINTER(place + 1));
		}
	}
	return false;
}

/*
 * The sum's values in the rounds that are complete for `over`, and where
 * these are if places is not NULL.
 */
static GArray *
sums_of(const Grid *grid, const double *weights, const double *over, bool raw,
    GArray *places)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	const double *scale = scale_of(grid, raw);

	for (size_t place = 0; place < grid->places->len; place++) {
		double sum = 0;
		if (!estimate_complete(grid, over, place))
			continue;
		for (size_t row = 0; row < grid->rows->len; row++)
			if (weights[row] != 0)
				sum += weights[row] *
				    scale[grid_at(grid, row, place)];
		g_array_append_val(values, sum);
		if (places != NULL)
			g_array_append_val(places, place);
	}
	return values;
}

static MeanTest
test_of(const Grid *grid, const GArray *values)
{
	const double *group = (const double *)(void *)values->data;
	const size_t length = values->len;
	const double one = 1;
	return stats_contrast(&group, &length, &one, 1, grid->level);
}

static MeanTest
by_rounds(const Grid *grid, const double *weights, const double *over, bool raw)
{
	g_autoptr(GArray) values = sums_of(grid, weights, over, raw, NULL);

	return test_of(grid, values);
}

/* Fewer rounds have no others that one could be far from. */
enum { FAR_ROUNDS = 5 };

/* The rounds far from the others, and the test that they may turn. */
static void
look_for_far(Estimate *estimate, const Grid *grid, const double *weights)
{
	g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(size_t));
	g_autoptr(GArray) near = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) values =
	    sums_of(grid, weights, weights, estimate->raw, places);
	const double *sums = (const double *)(void *)values->data;
	g_autofree bool *far = g_new0(bool, values->len + 1);

	if (values->len < FAR_ROUNDS ||
	    stats_outliers(sums, values->len, far) == 0)
		return;
	for (guint i = 0; i < values->len; i++) {
		const size_t place = g_array_index(places, size_t, i);
		const size_t round =
		    g_array_index(grid->places, GridPlace, place).round;
		if (far[i])
			g_array_append_val(estimate->far, round);
		else
			g_array_append_val(near, sums[i]);
	}
	estimate->without = test_of(grid, near);
}

/* Which of the independent groups of units a row belongs to. */
static size_t
group_of(const Grid *grid, size_t row, FactorClass class)
{
	switch (class) {
	case CLASS_BOOT:
		return grid_row(grid, row)->cell->boot;
	case CLASS_SERVER:
		return grid_row(grid, row)->cell->server;
	case CLASS_LOAD:
		return row;
	}
	g_assert_not_reached();
}

/*
 * What one row of a group gives in one unit: sum and count, since a boot may
 * serve several rounds.
 */
typedef struct {
	double sum, count;
} Part;

/*
 * The unit of a group's values at one place: its boot for boot-class
 * contrasts, else the place alone.  Where every visit has its own boot the
 * group is spread over several, which are together one unit.
 */
static gint64
unit_of(const Grid *grid, const GArray *rows, size_t place, FactorClass class)
{
	const gint64 alone = -1 - (gint64)place;
	gint64 unit = alone;

	for (size_t i = 0; class == CLASS_BOOT && i < rows->len; i++) {
		const size_t at =
		    grid_at(grid, g_array_index(rows, size_t, i), place);
		if (isnan(grid->means[at]))
			continue;
		if (unit != alone && unit != grid->boots[at])
			return alone;
		unit = grid->boots[at];
	}
	return unit;
}

/* Adds one place's values of a group's rows to the parts of their units. */
static void
gather(const Grid *grid, const GArray *rows, size_t place, FactorClass class,
    const double *scale, GHashTable *units, GArray *order)
{
	const gint64 unit = unit_of(grid, rows, place, class);

	for (size_t i = 0; i < rows->len; i++) {
		const size_t row = g_array_index(rows, size_t, i);
		const double value = scale[grid_at(grid, row, place)];
		if (isnan(value))
			continue;
		Part *parts = g_hash_table_lookup(units, &unit);
		if (parts == NULL) {
			parts = g_new0(Part, rows->len);
			g_hash_table_insert(
			    units, g_memdup2(&unit, sizeof unit), parts);
			g_array_append_val(order, unit);
		}
		parts[i].sum += value;
		parts[i].count++;
	}
}

/* The weighted sums of one group's complete units on one target. */
static GArray *
group_values(const Grid *grid, const double *weights, FactorClass class,
    const GArray *rows, size_t target, bool raw)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GHashTable) units =
	    g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(gint64));

	for (size_t place = 0; place < grid->places->len; place++)
		if (g_array_index(grid->places, GridPlace, place).target ==
		    target)
			gather(grid, rows, place, class, scale_of(grid, raw),
			    units, order);
	for (size_t i = 0; i < order->len; i++) {
		const Part *parts = g_hash_table_lookup(
		    units, &g_array_index(order, gint64, i));
		double sum = 0;
		for (size_t j = 0; j < rows->len; j++)
			sum += weights[g_array_index(rows, size_t, j)] *
			    parts[j].sum / parts[j].count;
		if (!isnan(sum))
			g_array_append_val(values, sum);
	}
	return values;
}

/* GArray of size_t: the weighted rows of each group, in order of rows. */
static GPtrArray *
groups_in(const Grid *grid, const double *weights, FactorClass class)
{
	GPtrArray *groups =
	    g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);

	for (size_t row = 0; row < grid->rows->len; row++) {
		const gpointer group =
		    GSIZE_TO_POINTER(group_of(grid, row, class));
		if (weights[row] == 0)
			continue;
		GArray *rows = g_hash_table_lookup(known, group);
		if (rows == NULL) {
			rows = g_array_new(FALSE, FALSE, sizeof(size_t));
			g_hash_table_insert(known, group, rows);
			g_ptr_array_add(groups, rows);
		}
		g_array_append_val(rows, row);
	}
	return groups;
}

/*
 * Targets that give every group a value count alike; within each the groups
 * are independent.
 */
static MeanTest
by_units(const Grid *grid, const double *weights, FactorClass class, bool raw)
{
	g_autoptr(GPtrArray) groups = groups_in(grid, weights, class);
	g_autoptr(GPtrArray) sets =
	    g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (size_t target = 0; target < grid->data->targets->len; target++) {
		const guint before = sets->len;
		bool all = true;
		for (size_t i = 0; i < groups->len; i++) {
			GArray *set = group_values(grid, weights, class,
			    groups->pdata[i], target, raw);
			g_ptr_array_add(sets, set);
			all = all && set->len > 0;
		}
		if (!all)
			g_ptr_array_set_size(sets, (gint)before);
	}
	const size_t n = sets->len;
	g_autofree const double **values = g_new(const double *, n + 1);
	g_autofree size_t *lengths = g_new(size_t, n + 1);
	g_autofree double *shares = g_new(double, n + 1);
	for (size_t i = 0; i < n; i++) {
		const GArray *set = sets->pdata[i];
		values[i] = (const double *)(const void *)set->data;
		lengths[i] = set->len;
		shares[i] = (double)groups->len / (double)n;
	}
	return stats_contrast(values, lengths, shares, n, grid->level);
}

void
estimate_init(Estimate *estimate, const Grid *grid, const double *weights,
    FactorClass class)
{
	*estimate = (Estimate){
		.raw = is_raw(grid, weights),
		.left_out = g_array_new(FALSE, FALSE, sizeof(size_t)),
		.far = g_array_new(FALSE, FALSE, sizeof(size_t)),
	};
	/* What the values of an imported round share, nobody saw. */
	if (!grid->imported)
		note_rounds(estimate, grid, weights);
	estimate->shared_boots =
	    class == CLASS_BOOT && boots_are_shared(grid, weights);
	estimate->welch =
	    estimate->n_rounds < CONTRAST_ROUNDS || estimate->shared_boots;
	estimate->test = estimate->welch
	    ? by_units(grid, weights, class, estimate->raw)
	    : by_rounds(grid, weights, weights, estimate->raw);
	if (!estimate->welch)
		look_for_far(estimate, grid, weights);
}

static void
clear_array(GArray **array)
{
	if (*array != NULL)
		g_array_unref(*array);
	*array = NULL;
}

void
estimate_clear(Estimate *estimate)
{
	clear_array(&estimate->left_out);
	clear_array(&estimate->far);
}

double
estimate_mean(const Grid *grid, const double *weights, const double *over,
    bool welch, bool raw)
{
	return welch
	    ? by_units(grid, weights, CLASS_LOAD, raw).difference.estimate
	    : by_rounds(grid, weights, over, raw).difference.estimate;
}
