#include "matrix/matrix.h"

#include <string.h>

const char *
setting_threadlib_name(const char *value)
{
	static const char file[] = "libmap:";

	return g_str_has_prefix(value, file) ? value + strlen(file) : value;
}

bool
setting_same_subject(const Setting *a, const Setting *b)
{
	return a->kind == b->kind && strcmp(a->name, b->name) == 0 &&
	    g_strcmp0(a->apply, b->apply) == 0;
}

static guint
subject_hash(gconstpointer data)
{
	const Setting *setting = data;

	return g_str_hash(setting->name) * 31 + (guint)setting->kind +
	    (setting->apply == NULL ? 0 : g_str_hash(setting->apply));
}

static gboolean
subject_equal(gconstpointer a, gconstpointer b)
{
	return setting_same_subject(a, b);
}

GPtrArray *
matrix_subjects(const Matrix *matrix)
{
	GPtrArray *subjects = g_ptr_array_new();
	g_autoptr(GHashTable) seen =
	    g_hash_table_new(subject_hash, subject_equal);

	for (guint i = 0; i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		for (guint j = 0; j < factor->levels->len; j++) {
			const Level *level =
			    g_ptr_array_index(factor->levels, j);
			for (guint k = 0; k < level->settings->len; k++) {
				Setting *setting =
				    g_ptr_array_index(level->settings, k);
				if (g_hash_table_add(seen, setting))
					g_ptr_array_add(subjects, setting);
			}
		}
	}
	return subjects;
}
