#include "plan/pattern.h"

#include <string.h>

#include "base/error.h"

static const Factor *
factor_at(const Matrix *matrix, size_t i)
{
	return g_ptr_array_index(matrix->factors, i);
}

static const char *
level_name(const Matrix *matrix, size_t factor, size_t level)
{
	const Level *found =
	    g_ptr_array_index(factor_at(matrix, factor)->levels, level);
	return found->name;
}

void
pattern_free(Pattern *pattern)
{
	if (pattern == NULL)
		return;
	for (size_t i = 0; i < pattern->n_factors; i++)
		g_free(pattern->match[i]);
	g_free(pattern->match);
	g_free(pattern);
}

static void
set_unknown(GError **error, const Matrix *matrix, const CellPattern *source,
    const char *key, const char *what, const char *name)
{
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s:%d: design.%s: there is no %s \"%s\"", matrix->path,
	    source->line, key, what, name);
}

static bool
pattern_add(Pattern *pattern, const Matrix *matrix, const CellPattern *source,
    const char *key, size_t i, GError **error)
{
	const char *name = g_ptr_array_index(source->factors, i);
	const GPtrArray *levels = g_ptr_array_index(source->levels, i);
	size_t f = 0;

	while (f < matrix->factors->len &&
	    strcmp(factor_at(matrix, f)->name, name) != 0)
		f++;
	if (f == matrix->factors->len) {
		set_unknown(error, matrix, source, key, "factor", name);
		return false;
	}
	const size_t n = factor_at(matrix, f)->levels->len;
	g_free(pattern->match[f]);
	pattern->match[f] = g_new0(bool, n);
	for (size_t j = 0; j < levels->len; j++) {
		const char *wanted = g_ptr_array_index(levels, j);
		size_t l = 0;
		while (l < n && strcmp(level_name(matrix, f, l), wanted) != 0)
			l++;
		if (l == n) {
			g_autofree char *what =
			    g_strdup_printf("level of factor %s named", name);
			set_unknown(error, matrix, source, key, what, wanted);
			return false;
		}
		pattern->match[f][l] = true;
	}
	return true;
}

Pattern *
pattern_new(const Matrix *matrix, const CellPattern *source, const char *key,
    GError **error)
{
	Pattern *pattern = g_new0(Pattern, 1);

	pattern->n_factors = matrix->factors->len;
	pattern->match = g_new0(bool *, pattern->n_factors + 1);
	for (size_t i = 0; i < source->factors->len; i++)
		if (!pattern_add(pattern, matrix, source, key, i, error)) {
			pattern_free(pattern);
			return NULL;
		}
	return pattern;
}

bool
pattern_matches(const Pattern *pattern, const size_t *levels)
{
	for (size_t i = 0; i < pattern->n_factors; i++)
		if (pattern->match[i] != NULL && !pattern->match[i][levels[i]])
			return false;
	return true;
}
