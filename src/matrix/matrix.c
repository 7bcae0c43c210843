#include "matrix/matrix.h"

#include <string.h>

#include "base/text.h"
#include "matrix/parse.h"
#include "matrix/words.h"

enum { TITLE_BYTES = 200 };

const Factor *
matrix_factor(const Matrix *matrix, const char *name)
{
	for (guint i = 0; i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		if (strcmp(factor->name, name) == 0)
			return factor;
	}
	return NULL;
}

static const Host *
find_host(const GPtrArray *hosts, const char *name)
{
	for (guint i = 0; i < hosts->len; i++) {
		const Host *host = g_ptr_array_index(hosts, i);
		if (host->name != NULL && strcmp(host->name, name) == 0)
			return host;
	}
	return NULL;
}

const Host *
matrix_host(const Matrix *matrix, const char *name)
{
	const Host *target = find_host(matrix->targets, name);

	return target != NULL ? target : find_host(matrix->hosts, name);
}

const char *
load_key(const Load *load, const char *name)
{
	for (guint i = 0; i < load->keys->len; i++) {
		const LoadKey *key = g_ptr_array_index(load->keys, i);
		if (strcmp(key->name, name) == 0)
			return key->value;
	}
	return NULL;
}

const char **
level_names(const Factor *factor)
{
	const guint n = factor->levels->len;
	const char **names = g_new0(const char *, n + 1);

	for (guint i = 0; i < n; i++) {
		const Level *level = g_ptr_array_index(factor->levels, i);
		names[i] = level->name;
	}
	return names;
}

const char **
factor_names(const Matrix *matrix)
{
	const guint n = matrix->factors->len;
	const char **names = g_new0(const char *, n + 1);

	for (guint i = 0; i < n; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		names[i] = factor->name;
	}
	return names;
}

static Matrix *
matrix_new(const char *path, const char *source)
{
	Matrix *matrix = g_new0(Matrix, 1);
	g_autofree char *file = g_path_get_basename(path);

	if (g_str_has_suffix(file, ".cfg"))
		file[strlen(file) - strlen(".cfg")] = '\0';
	matrix->name = text_safe_name(file);
	matrix->path = g_strdup(path);
	matrix->source = g_strdup(source);
	matrix->hosts = g_ptr_array_new_with_free_func(host_free);
	matrix->targets = g_ptr_array_new_with_free_func(host_free);
	matrix->factors = g_ptr_array_new_with_free_func(factor_free);
	matrix->loads = g_ptr_array_new_with_free_func(load_free);
	matrix->monitors = g_ptr_array_new_with_free_func(monitor_free);
	matrix->files = g_ptr_array_new_with_free_func(matrix_file_free);
	return matrix;
}

/* It becomes the subject of a mail. */
static void
read_title(Reader *reader, Matrix *matrix)
{
	const ReaderNode *root = reader_root(reader);

	matrix->title = reader_string(reader, root, "title");
	if (matrix->title == NULL)
		matrix->title = g_strdup(matrix->name);
	g_autofree char *line = text_printable(matrix->title, TITLE_BYTES);
	if (strcmp(line, matrix->title) != 0)
		reader_mistake_key(reader, root, "title",
		    "must be one line of at most %d bytes", TITLE_BYTES);
}

/* Takes the reader; NULL with error if it is NULL. */
static Matrix *
read_matrix(Reader *opened, GError **error)
{
	g_autoptr(Reader) reader = opened;

	if (reader == NULL)
		return NULL;
	g_autoptr(Matrix) matrix =
	    matrix_new(reader_path(reader), reader_text(reader));
	const ReaderNode *root = reader_root(reader);
	reader_keys(reader, root, &place_matrix, words_places, NULL);
	read_title(reader, matrix);
	read_hosts(reader, matrix);
	read_factors(reader, matrix);
	read_server(reader, matrix);
	read_loads(reader, matrix);
	read_monitors(reader, matrix);
	matrix->notify = reader_strings(reader, root, "notify");
	matrix->visit = reader_strings(reader, root, "visit");
	read_design(reader, matrix);
	check_levels(reader, matrix);
	check_sections(reader, matrix);
	check_templates(reader, matrix);
	check_keys(reader, matrix);
	check_loads(reader, matrix);
	find_files(reader, matrix);
	if (!reader_finish(reader, error))
		return NULL;
	return g_steal_pointer(&matrix);
}

Matrix *
matrix_load(const char *path, GError **error)
{
	return read_matrix(reader_open(path, error), error);
}

Matrix *
matrix_parse(const char *text, size_t length, const char *path, GError **error)
{
	return read_matrix(reader_parse(text, length, path, error), error);
}
