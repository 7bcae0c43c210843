#include "matrix/parse.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "matrix/words.h"

/* Scripts and contents of files are kept whole in memory once. */
enum { USED_FILE_BYTES = 64 << 20 };

char *
matrix_relative(const char *matrix_path, const char *path)
{
	if (g_str_has_prefix(path, "~/"))
		return g_build_filename(g_get_home_dir(), path + 2, NULL);
	g_autofree char *directory = g_path_get_dirname(matrix_path);
	if (g_path_is_absolute(path) || strcmp(directory, ".") == 0)
		return g_strdup(path);
	return g_build_filename(directory, path, NULL);
}

/* The places in order; free them with the array. */
static GPtrArray *
places(const char *matrix_path, const char *relative)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(list, matrix_relative(matrix_path, relative));
	if (strcmp(g_ptr_array_index(list, 0), relative) != 0)
		g_ptr_array_add(list, g_strdup(relative));
	if (!g_path_is_absolute(relative))
		g_ptr_array_add(
		    list, g_build_filename(SHAREDIR, relative, NULL));
	return list;
}

char *
matrix_find_file(const char *matrix_path, const char *relative)
{
	g_autoptr(GPtrArray) list = places(matrix_path, relative);

	for (guint i = 0; i < list->len; i++) {
		const char *path = g_ptr_array_index(list, i);
		if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
			return g_strdup(path);
	}
	return NULL;
}

char *
matrix_places(const char *matrix_path, const char *relative)
{
	g_autoptr(GPtrArray) list = places(matrix_path, relative);

	g_ptr_array_add(list, NULL);
	return g_strjoinv(", ", (char **)list->pdata);
}

/* Takes sha256. */
static void
add(Matrix *matrix, const char *path, const char *role, char *sha256)
{
	MatrixFile *file = g_new0(MatrixFile, 1);

	file->path = g_strdup(path);
	file->role = g_strdup(role);
	file->sha256 = sha256;
	g_ptr_array_add(matrix->files, file);
}

static void
add_file(Reader *reader, const ReaderNode *node, Matrix *matrix,
    const char *path, const char *role)
{
	size_t length = 0;
	g_autoptr(GError) error = NULL;

	for (guint i = 0; i < matrix->files->len; i++) {
		const MatrixFile *file = g_ptr_array_index(matrix->files, i);
		if (strcmp(file->path, path) == 0 &&
		    strcmp(file->role, role) == 0)
			return;
	}
	g_autofree char *data =
	    file_read(path, USED_FILE_BYTES, &length, &error);
	if (data == NULL)
		reader_mistake(reader, node, "%s", error->message);
	else
		add(matrix, path, role, text_sha256(data, length));
}

/* A relative name of a script; a bare word may be built into the tool. */
static void
add_script(
    Reader *reader, const ReaderNode *node, Matrix *matrix, const char *name)
{
	if (g_path_is_absolute(name))
		return; /* on the client host */
	g_autofree char *path = matrix_find_file(matrix->path, name);
	if (path != NULL)
		add_file(reader, node, matrix, path, "script");
}

static void
add_load_files(
    Reader *reader, const ReaderNode *node, Matrix *matrix, const Load *load)
{
	const LoadDef *def = load->def;

	add_file(reader, reader_get(node, "use"), matrix, def->path,
	    "load definition");
	for (guint i = 0; i < def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(def->keys, i);
		if (!key->script)
			continue;
		const char *given = load_key(load, key->name);
		const Factor *factor = matrix_factor(matrix, key->name);
		if (given != NULL)
			add_script(
			    reader, reader_get(node, key->name), matrix, given);
		else if (factor != NULL && factor->variable)
			for (guint j = 0; j < factor->levels->len; j++) {
				const Level *level =
				    g_ptr_array_index(factor->levels, j);
				add_script(reader, node, matrix, level->name);
			}
		else if (key->fallback != NULL)
			add_script(reader, node, matrix, key->fallback);
	}
}

/* Systems whose program is known to come; running them is refused. */
static const char *const coming[] = { "freebsd", NULL };

/* The part of every system's program. */
static const char common_part[] = "common";

/* A part of a system's program; false when there is none. */
static bool
add_os_part(
    Reader *reader, const ReaderNode *node, Matrix *matrix, const char *name)
{
	g_autofree char *relative = g_strdup_printf("hooks/os/%s.sh", name);
	g_autofree char *path = matrix_find_file(matrix->path, relative);

	if (path != NULL)
		add_file(
		    reader, reader_get(node, "os"), matrix, path, "os program");
	return path != NULL;
}

static void
add_os(Reader *reader, const ReaderNode *node, Matrix *matrix, const Host *host)
{
	static const char *const known[] = { "linux", "freebsd", NULL };

	if (host->os == NULL || !text_is_safe_name(host->os))
		return;
	if (strcmp(host->os, common_part) == 0) {
		reader_mistake_key(reader, node, "os",
		    "\"%s\" is no system but a part of each one's program",
		    common_part);
		return;
	}
	if (add_os_part(reader, node, matrix, host->os)) {
		g_autofree char *boot = g_strconcat(host->os, "-boot", NULL);
		(void)add_os_part(reader, node, matrix, boot);
		if (!add_os_part(reader, node, matrix, common_part))
			reader_mistake_key(reader, node, "os",
			    "hooks/os/%s.sh, which every system needs, is not "
			    "beside the program for \"%s\"",
			    common_part, host->os);
		return;
	}
	if (g_strv_contains(coming, host->os))
		return;
	g_autofree char *relative = g_strdup_printf("hooks/os/%s.sh", host->os);
	g_autofree char *guess = reader_guess(host->os, known);
	g_autofree char *list = matrix_places(matrix->path, relative);
	reader_mistake_key(reader, node, "os",
	    "no program for \"%s\"%s looked for %s", host->os,
	    *guess == '\0' ? "," : guess, list);
}

/* file = [ "/path/on/target=contents" ] */
static void
add_contents(Reader *reader, const ReaderNode *factors, Matrix *matrix)
{
	for (guint i = 0; i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		const ReaderNode *node = reader_element(factors, i);
		for (guint j = 0; j < factor->levels->len; j++) {
			const Level *level =
			    g_ptr_array_index(factor->levels, j);
			for (guint k = 0; k < level->settings->len; k++) {
				const Setting *setting =
				    g_ptr_array_index(level->settings, k);
				if (setting->kind != SETTING_FILE)
					continue;
				g_autofree char *path = matrix_relative(
				    matrix->path, setting->value);
				add_file(reader, reader_element(node, j),
				    matrix, path, "file");
			}
		}
	}
}

/* Programs of hooks/visit; whether all are there is seen when they are run. */
static void
add_steps(Reader *reader, const ReaderNode *list, Matrix *matrix)
{
	for (guint i = 0; i < matrix->visit->len; i++) {
		const char *words = g_ptr_array_index(matrix->visit, i);
		g_autofree char *name = g_strndup(words, strcspn(words, " "));
		g_autofree char *relative =
		    g_strconcat("hooks/visit/", name, NULL);
		g_autofree char *path =
		    matrix_find_file(matrix->path, relative);
		if (path != NULL)
			add_file(reader, reader_element(list, i), matrix, path,
			    "visit hook");
	}
}

void
find_files(Reader *reader, Matrix *matrix)
{
	const ReaderNode *root = reader_root(reader);
	const ReaderNode *targets = reader_get(root, "targets");
	const ReaderNode *hosts = reader_get(root, "hosts");
	const ReaderNode *loads = reader_get(root, "loads");

	add(matrix, matrix->path, "matrix",
	    text_sha256(matrix->source, strlen(matrix->source)));
	for (guint i = 0; i < matrix->targets->len; i++)
		add_os(reader, reader_element(targets, i), matrix,
		    g_ptr_array_index(matrix->targets, i));
	for (guint i = 0; i < matrix->hosts->len; i++)
		add_os(reader, reader_element(hosts, i), matrix,
		    g_ptr_array_index(matrix->hosts, i));
	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = g_ptr_array_index(matrix->loads, i);
		if (load->def != NULL)
			add_load_files(
			    reader, reader_element(loads, i), matrix, load);
	}
	add_contents(reader, reader_get(root, "factors"), matrix);
	add_steps(reader, reader_get(root, "visit"), matrix);
}
