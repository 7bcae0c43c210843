/*
 * The pairs of sets in tests/data/stats: those of the 2007 post (metrics
 * "select" and "update", six pairs each), and "s2_tps".
 */
#ifndef TESTS_UNIT_STATS_PAIRS_H
#define TESTS_UNIT_STATS_PAIRS_H

#include "stats_golden.h"

#define DATA "tests/data/stats/"

/* Base and test file of each pair, as golden.R names them. */
static const struct {
	const char *pair, *base, *test;
} golden_pairs[] = {
	{ "libthr_vs_libpthread__4bsd", "4bsd_libpthread", "4bsd_libthr" },
	{ "libthr_vs_libpthread__ule", "ule_libpthread", "ule_libthr" },
	{ "ule_vs_4bsd__libpthread", "4bsd_libpthread", "ule_libpthread" },
	{ "ule_vs_4bsd__libthr", "4bsd_libthr", "ule_libthr" },
	{ "ule_libthr_vs_4bsd_libpthread", "4bsd_libpthread", "ule_libthr" },
	{ "ule_libpthread_vs_4bsd_libthr", "4bsd_libthr", "ule_libpthread" },
};

static inline GArray *
golden_set(const char *metric, const char *name)
{
	g_autofree char *path = strcmp(metric, "s2_tps") == 0
	    ? g_strdup_printf(DATA "in/%s.txt", name)
	    : g_strdup_printf(DATA "in/s1_%s_%s.txt", name, metric);

	return golden_numbers(path);
}

static inline const double *
golden_values(const GArray *set)
{
	return (const double *)(const void *)set->data;
}

/* What R says of one pair; *root is to be released. */
static inline json_t *
golden_pair(const char *metric, const char *pair, json_t **root)
{
	g_autofree char *path = g_str_has_prefix(metric, "s2_")
	    ? g_strdup_printf(DATA "r/%s.json", metric)
	    : g_strdup_printf(DATA "r/s1_%s_pairs.json", metric);

	*root = golden_json(path);
	return g_str_has_prefix(metric, "s2_") ? *root
					       : json_object_get(*root, pair);
}

/* Two sets with what R says of them. */
typedef void GoldenCheck(
    const GArray *base, const GArray *test, const json_t *golden);

static inline void
golden_check_files(const char *base_file, const char *test_file,
    const char *json, const char *pair, GoldenCheck *check)
{
	g_autofree char *base_path = g_strdup_printf(DATA "in/%s", base_file);
	g_autofree char *test_path = g_strdup_printf(DATA "in/%s", test_file);
	g_autofree char *json_path = g_strdup_printf(DATA "r/%s", json);
	g_autoptr(GArray) base = golden_numbers(base_path);
	g_autoptr(GArray) test = golden_numbers(test_path);
	json_t *root = golden_json(json_path);

	check(base, test, pair == NULL ? root : json_object_get(root, pair));
	json_decref(root);
}

/* All of them, and two more in which sizes differ or values are whole. */
static inline void
golden_check_pairs(GoldenCheck *check)
{
	for (size_t m = 0; m < 2; m++)
		for (size_t i = 0; i < G_N_ELEMENTS(golden_pairs); i++) {
			const char *metric = m == 0 ? "select" : "update";
			g_autofree char *base = g_strdup_printf(
			    "s1_%s_%s.txt", golden_pairs[i].base, metric);
			g_autofree char *test = g_strdup_printf(
			    "s1_%s_%s.txt", golden_pairs[i].test, metric);
			g_autofree char *json =
			    g_strdup_printf("s1_%s_pairs.json", metric);
			golden_check_files(
			    base, test, json, golden_pairs[i].pair, check);
		}
	golden_check_files(
	    "s2_rc6.txt", "s2_rc6_systime.txt", "s2_tps.json", NULL, check);
	golden_check_files("s2_rc6_count.txt", "s2_rc6_systime_count.txt",
	    "s2_count.json", NULL, check);
	golden_check_files("iguana.txt", "chameleon.txt",
	    "iguana_chameleon.json", NULL, check);
}

#endif
