/*
 * Reference values of tests/data/stats, for unit tests that run from the top
 * directory.  What cannot be read ends the test.
 */
#ifndef TESTS_UNIT_STATS_GOLDEN_H
#define TESTS_UNIT_STATS_GOLDEN_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>
#include <jansson.h>

/* Every line; g_strfreev(). */
static inline char **
golden_lines(const char *path)
{
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		g_error("cannot read %s", path);
	char **lines = g_strsplit(g_strchomp(text), "\n", -1);
	g_free(text);
	return lines;
}

/* One number a line: an array of double. */
static inline GArray *
golden_numbers(const char *path)
{
	g_auto(GStrv) lines = golden_lines(path);
	GArray *numbers = g_array_new(FALSE, FALSE, sizeof(double));

	for (size_t i = 0; lines[i] != NULL; i++) {
		const double value = g_ascii_strtod(lines[i], NULL);
		g_array_append_val(numbers, value);
	}
	return numbers;
}

static inline json_t *
golden_json(const char *path)
{
	json_t *root = json_load_file(path, 0, NULL);

	if (root == NULL)
		g_error("cannot read %s", path);
	return root;
}

/* The number at "a/b/1" below a value. */
static inline double
golden_at(const json_t *root, const char *path)
{
	g_auto(GStrv) keys = g_strsplit(path, "/", -1);
	const json_t *value = root;

	for (size_t i = 0; keys[i] != NULL; i++)
		value = json_is_array(value)
		    ? json_array_get(
			  value, (size_t)g_ascii_strtoull(keys[i], NULL, 10))
		    : json_object_get(value, keys[i]);
	if (!json_is_number(value))
		g_error("no number at %s", path);
	return json_number_value(value);
}

/* The cells of the 2007 post: in the files' names, and in R's results. */
static const struct {
	const char *file, *cell;
} golden_cells[] = {
	{ "4bsd_libpthread", "A_4bsd_libpthread" },
	{ "4bsd_libthr", "B_4bsd_libthr" },
	{ "ule_libpthread", "C_ule_libpthread" },
	{ "ule_libthr", "D_ule_libthr" },
};

/* Digits that agree: 15 for all of them. */
static inline double
golden_digits(double got, double want)
{
	if (got == want)
		return 15;
	const double scale = want == 0 ? 1 : fabs(want);
	return fmin(15, -log10(fabs(got - want) / scale));
}

#define assert_digits(got, want, digits)                                       \
	do {                                                                   \
		const double g_ = (got), w_ = (want);                          \
		if (!(golden_digits(g_, w_) >= (digits)))                      \
			fail_msg("%s: got %.17g, want %.17g", #got, g_, w_);   \
	} while (0)

#endif
