#include "run/paths.h"

#include <string.h>

static int
compare(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
paths_sorted(GHashTable *table)
{
	GPtrArray *keys = g_ptr_array_new();
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, &key, NULL))
		g_ptr_array_add(keys, key);
	g_ptr_array_sort(keys, compare);
	return keys;
}

char *
paths_from_matrix(const char *matrix_path, const char *path)
{
	if (path == NULL)
		return NULL;
	if (g_str_has_prefix(path, "~/"))
		return g_build_filename(g_get_home_dir(), path + 2, NULL);
	if (g_path_is_absolute(path))
		return g_strdup(path);
	g_autofree char *directory = g_path_get_dirname(matrix_path);
	return g_build_filename(directory, path, NULL);
}
