#include "store/imported_rows.h"

#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/text.h"
#include "store/imported.h"
#include "store/rows.h"

enum { SHOWN_BYTES = 60, NO_COLUMN = -1 };

/* Columns that are no factors, the needed ones first. */
enum { LOAD, METRIC, RUN, VALUE, NEEDED, ROUND = NEEDED, BOOT, START, FIXED };

static const char *const fixed[FIXED] = {
	[LOAD] = "load",
	[METRIC] = "metric",
	[RUN] = "run",
	[VALUE] = "value",
	[ROUND] = "round",
	[BOOT] = "boot",
	[START] = "start",
};

typedef struct {
	const char *path;
	const char *const *lower;
	StoreData *data;
	Csv csv;
	int column[FIXED]; /* NO_COLUMN */
	GArray *factors;   /* guint: column of each factor */
	guint n_columns;
	GStringChunk *names;
	GHashTable *cells; /* levels as text -> index + 1 */
	GHashTable *seen;  /* what each row is the value of -> its line */
	GArray *rows;      /* ImportRow */
} Import;

static bool G_GNUC_PRINTF(3, 4)
    refuse(const Import *import, GError **error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *text = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE, "%s:%zu: %s",
	    import->path, import->csv.line, text);
	return false;
}

/* The next record; NULL at the end, and with an error. */
static GPtrArray *
next_record(Import *import, GError **error)
{
	GError *failure = NULL;
	GPtrArray *fields = csv_next(&import->csv, &failure);

	if (failure != NULL) {
		(void)refuse(import, error, "%s", failure->message);
		g_error_free(failure);
	}
	return fields;
}

static int
fixed_column(const char *name)
{
	for (int i = 0; i < FIXED; i++)
		if (strcmp(fixed[i], name) == 0)
			return i;
	return NO_COLUMN;
}

static bool
add_column(
    Import *import, const GPtrArray *header, guint column, GError **error)
{
	const char *name = header->pdata[column];
	const int known = fixed_column(name);

	if (*name == '\0')
		return refuse(
		    import, error, "column %u has no name", column + 1);
	for (guint i = 0; i < column; i++)
		if (strcmp(header->pdata[i], name) == 0)
			return refuse(import, error,
			    "column \"%s\" is there twice", name);
	if (known != NO_COLUMN) {
		import->column[known] = (int)column;
		return true;
	}
	if (import->factors->len == MATRIX_FACTORS)
		return refuse(import, error, "more than %d columns of factors",
		    MATRIX_FACTORS);
	DataFactor *factor = data_factor_new();
	factor->name = g_strdup(name);
	g_ptr_array_add(import->data->factors, factor);
	g_array_append_val(import->factors, column);
	return true;
}

static bool
read_header(Import *import, GError **error)
{
	GError *failure = NULL;
	g_autoptr(GPtrArray) header = next_record(import, &failure);

	if (failure != NULL) {
		g_propagate_error(error, failure);
		return false;
	}
	import->csv.line = MAX(import->csv.line, 1);
	if (header == NULL)
		return refuse(import, error, "nothing but empty lines");
	for (int i = 0; i < FIXED; i++)
		import->column[i] = NO_COLUMN;
	for (guint i = 0; i < header->len; i++)
		if (!add_column(import, header, i, error))
			return false;
	for (int i = 0; i < NEEDED; i++)
		if (import->column[i] == NO_COLUMN)
			return refuse(import, error,
			    "no column \"%s\"; wanted are load, metric, run, "
			    "value and one for each factor",
			    fixed[i]);
	if (import->factors->len == 0)
		return refuse(import, error,
		    "no column of a factor: nothing is compared");
	import->n_columns = header->len;
	return true;
}

/* A field that must not be empty; NULL with an error. */
static const char *
field_of(const Import *import, const GPtrArray *fields, guint column,
    const char *name, GError **error)
{
	const char *field = fields->pdata[column];

	if (*field != '\0')
		return field;
	(void)refuse(import, error, "%s is empty", name);
	return NULL;
}

/* The place of a name in a list, to which it is added. */
static size_t
place_of(GPtrArray *names, const char *name)
{
	for (guint i = 0; i < names->len; i++)
		if (strcmp(names->pdata[i], name) == 0)
			return i;
	g_ptr_array_add(names, g_strdup(name));
	return names->len - 1;
}

static void
add_cell(Import *import, const GArray *levels)
{
	const StoreData *data = import->data;
	DataCell *cell = data_cell_new();
	g_autoptr(GString) name = g_string_new(NULL);

	cell->id = data->cells->len;
	for (guint i = 0; i < levels->len; i++) {
		const DataFactor *factor = data->factors->pdata[i];
		const size_t level = g_array_index(levels, size_t, i);
		g_array_append_val(cell->levels, level);
		g_string_append_printf(name, "%s%s", i == 0 ? "" : " / ",
		    (const char *)factor->levels->pdata[level]);
	}
	cell->name = g_strdup(name->str);
	g_ptr_array_add(data->cells, cell);
}

static bool
read_cell(Import *import, const GPtrArray *fields, size_t *cell, GError **error)
{
	g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(size_t));
	g_autoptr(GString) key = g_string_new(NULL);

	for (guint i = 0; i < import->factors->len; i++) {
		DataFactor *factor = import->data->factors->pdata[i];
		const char *name = field_of(import, fields,
		    g_array_index(import->factors, guint, i), factor->name,
		    error);
		if (name == NULL)
			return false;
		const size_t level = place_of(factor->levels, name);
		if (level == MATRIX_LEVELS)
			return refuse(import, error,
			    "factor %s has more than %d levels", factor->name,
			    MATRIX_LEVELS);
		if (factor->settings->len <= level)
			g_ptr_array_add(factor->settings, g_strdup(""));
		g_array_append_val(levels, level);
		g_string_append_printf(key, "%zu ", level);
	}
	const gpointer known = g_hash_table_lookup(import->cells, key->str);
	if (known != NULL) {
		*cell = GPOINTER_TO_SIZE(known) - 1;
		return true;
	}
	*cell = import->data->cells->len;
	g_hash_table_insert(
	    import->cells, g_strdup(key->str), GSIZE_TO_POINTER(*cell + 1));
	add_cell(import, levels);
	return true;
}

static bool
read_metric(
    Import *import, const GPtrArray *fields, ImportRow *row, GError **error)
{
	const char *load = field_of(
	    import, fields, (guint)import->column[LOAD], fixed[LOAD], error);
	const char *metric = load == NULL
	    ? NULL
	    : field_of(import, fields, (guint)import->column[METRIC],
		  fixed[METRIC], error);

	if (metric == NULL)
		return false;
	row->metric = imported_metric(
	    import->data, load, metric, import->lower, &row->load);
	return true;
}

static bool
read_value(const Import *import, const GPtrArray *fields, double *value,
    GError **error)
{
	const char *text = fields->pdata[import->column[VALUE]];

	if (number_parse(text, strlen(text), value))
		return true;
	g_autofree char *shown = text_printable(text, SHOWN_BYTES);
	return refuse(import, error,
	    "value \"%s\" is no number; leave the lines of a failed run out",
	    shown);
}

static bool
read_number(
    const Import *import, const GPtrArray *fields, int *number, GError **error)
{
	const char *text = fields->pdata[import->column[RUN]];
	int64_t run = 0;

	if (!text_parse_int(text, -IMPORTED_RUNS, IMPORTED_RUNS, &run, NULL)) {
		g_autofree char *shown = text_printable(text, SHOWN_BYTES);
		return refuse(import, error,
		    "run \"%s\" is no number of a run: 1 and so on, 0 and "
		    "below for a warm-up",
		    shown);
	}
	*number = (int)run;
	return true;
}

/* Round, boot and start, where there is such a column. */
static bool
read_when(
    Import *import, const GPtrArray *fields, ImportRow *row, GError **error)
{
	const char **when[] = { &row->round, &row->boot, &row->start };

	for (int i = ROUND; i < FIXED; i++) {
		if (import->column[i] == NO_COLUMN)
			continue;
		const char *name = field_of(
		    import, fields, (guint)import->column[i], fixed[i], error);
		if (name == NULL)
			return false;
		*when[i - ROUND] =
		    g_string_chunk_insert_const(import->names, name);
	}
	return true;
}

static bool
is_new(Import *import, const ImportRow *row, GError **error)
{
	char *key = g_strdup_printf("%zu\n%zu\n%s\n%s\n%s\n%s\n%d", row->cell,
	    row->load, row->metric, row->round == NULL ? "" : row->round,
	    row->boot == NULL ? "" : row->boot,
	    row->start == NULL ? "" : row->start, row->number);
	const gpointer before = g_hash_table_lookup(import->seen, key);

	if (before != NULL) {
		g_free(key);
		return refuse(import, error,
		    "the same run and metric are there in line %zu",
		    GPOINTER_TO_SIZE(before));
	}
	g_hash_table_insert(import->seen, key, GSIZE_TO_POINTER(row->line));
	return true;
}

static bool
read_row(Import *import, const GPtrArray *fields, GError **error)
{
	ImportRow row = { .line = import->csv.line };

	if (import->rows->len == IMPORTED_RUNS)
		return refuse(
		    import, error, "more than %d values", IMPORTED_RUNS);
	if (fields->len != import->n_columns)
		return refuse(import, error,
		    "%u fields, where the first line has %u", fields->len,
		    import->n_columns);
	if (!read_cell(import, fields, &row.cell, error) ||
	    !read_metric(import, fields, &row, error) ||
	    !read_number(import, fields, &row.number, error) ||
	    !read_value(import, fields, &row.value, error) ||
	    !read_when(import, fields, &row, error) ||
	    !is_new(import, &row, error))
		return false;
	g_array_append_val(import->rows, row);
	return true;
}

static bool
read_rows(Import *import, GError **error)
{
	GError *failure = NULL;

	for (;;) {
		g_autoptr(GPtrArray) fields = next_record(import, &failure);
		if (fields == NULL)
			break;
		if (!read_row(import, fields, error))
			return false;
	}
	if (failure != NULL) {
		g_propagate_error(error, failure);
		return false;
	}
	return import->rows->len > 0 ||
	    refuse(import, error, "no values below this line");
}

bool
imported_table(StoreData *data, const char *text, size_t length,
    const ImportWish *wish, ImportTable *table, GError **error)
{
	g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(GHashTable) cells =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) seen =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	Import import = { .path = wish->path,
		.lower = wish->lower,
		.data = data,
		.factors = factors,
		.names = table->names,
		.cells = cells,
		.seen = seen,
		.rows = table->rows };

	csv_init(&import.csv, text, length);
	return read_header(&import, error) && read_rows(&import, error);
}
