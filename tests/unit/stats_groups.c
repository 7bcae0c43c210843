#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/groups.h"

#include "stats_pairs.h"

/* Sets with what they hold. */
typedef struct {
	GPtrArray *sets; /* GArray of double */
	const double **values;
	size_t *lengths;
} Sets;

static void
sets_init(Sets *sets)
{
	*sets = (Sets){ g_ptr_array_new_with_free_func(
			    (GDestroyNotify)g_array_unref),
		g_new(const double *, 20), g_new(size_t, 20) };
}

static void
sets_clear(Sets *sets)
{
	g_ptr_array_unref(sets->sets);
	g_free(sets->values);
	g_free(sets->lengths);
}

/* Takes the set. */
static void
sets_add(Sets *sets, GArray *set)
{
	sets->values[sets->sets->len] = golden_values(set);
	sets->lengths[sets->sets->len] = set->len;
	g_ptr_array_add(sets->sets, set);
}

/* Lines "group value". */
static void
sets_read(Sets *sets, const char *path)
{
	g_auto(GStrv) lines = golden_lines(path);
	GArray *set = NULL;
	g_autofree char *group = g_strdup("");

	for (size_t i = 0; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], " ", 2);
		if (strcmp(group, column[0]) != 0) {
			if (set != NULL)
				sets_add(sets, set);
			set = g_array_new(FALSE, FALSE, sizeof(double));
			g_free(group);
			group = g_strdup(column[0]);
		}
		const double value = g_ascii_strtod(column[1], NULL);
		g_array_append_val(set, value);
	}
	sets_add(sets, set);
}

/*
 * NIST's SmLs01 to 09: nine groups of 21, 201 and 2001 values that begin with
 * x.4, x.3, x.5, ... and then change between a tenth below and a tenth above;
 * x is 1, 1000000, 1000000000000.  SmLs07 is there to be compared with.
 */
static void
sets_make(Sets *sets, const char *whole, size_t length)
{
	static const int first[] = { 4, 3, 5, 3, 5, 3, 5, 3, 5 };

	for (size_t i = 0; i < G_N_ELEMENTS(first); i++) {
		GArray *set = g_array_new(FALSE, FALSE, sizeof(double));
		for (size_t j = 0; j < length; j++) {
			const int tenth = j == 0 ? first[i]
			    : j % 2 == 1         ? first[i] - 1
						 : first[i] + 1;
			g_autofree char *text =
			    g_strdup_printf("%s.%d", whole, tenth);
			const double value = g_ascii_strtod(text, NULL);
			g_array_append_val(set, value);
		}
		sets_add(sets, set);
	}
}

static Anova
anova_of(const Sets *sets)
{
	return stats_anova(sets->values, sets->lengths, sets->sets->len);
}

/* A row of nist_anova.csv. */
static void
check_certified(const Sets *sets, char **column, double digits)
{
	const Anova anova = anova_of(sets);

	assert_digits(anova.f, atof(column[5]), digits);
	assert_digits(anova.between, atof(column[3]), digits - .3);
	assert_digits(anova.within, atof(column[4]), digits - .3);
	assert_true(anova.df_between == atof(column[2]) - 1);
	assert_true(anova.df_within == atof(column[1]) - atof(column[2]));
}

/*
 * Digits that the values as doubles allow: 1000000000000.4 has only four
 * behind the point, and the squares lose more than their ratio.
 */
static void
certified_analyses_of_nist_are_met(void **state)
{
	static const char *const wholes[] = { "1", "1000000", "1000000000000" };
	static const size_t lengths[] = { 21, 201, 2001 };
	static const double digits[] = { 12.5, 9, 4 };
	g_auto(GStrv) lines = golden_lines(DATA "r/nist_anova.csv");
	size_t checked = 0;

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++, checked++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		Sets sets;
		sets_init(&sets);
		if (g_str_has_prefix(column[0], "SmLs0")) {
			const size_t number = (size_t)(column[0][5] - '1');
			sets_make(
			    &sets, wholes[number / 3], lengths[number % 3]);
			check_certified(&sets, column, digits[number / 3]);
		} else {
			g_autofree char *path =
			    g_strdup_printf(DATA "nist/%s.dat", column[0]);
			sets_read(&sets, path);
			check_certified(&sets, column,
			    strcmp(column[0], "AtmWtAg") == 0 ? 9 : 12.5);
		}
		sets_clear(&sets);
	}
	assert_int_equal(checked, 11);
}

static void
the_made_sets_are_those_of_nist(void **state)
{
	Sets read, made;

	(void)state;
	sets_init(&read);
	sets_init(&made);
	sets_read(&read, DATA "nist/SmLs07.dat");
	sets_make(&made, "1000000000000", 21);
	assert_int_equal(read.sets->len, made.sets->len);
	for (size_t i = 0; i < read.sets->len; i++)
		assert_memory_equal(
		    read.values[i], made.values[i], 21 * sizeof(double));
	sets_clear(&read);
	sets_clear(&made);
}

/* The cells of the 2007 post, in the order in which R names them. */
static const char *const cells[][2] = {
	{ "A_4bsd_libpthread", "4bsd_libpthread" },
	{ "B_4bsd_libthr", "4bsd_libthr" },
	{ "C_ule_libpthread", "ule_libpthread" },
	{ "D_ule_libthr", "ule_libthr" },
};

/* Games and Howell's test of one of the four sets' pairs. */
static void
check_unequal(const json_t *r, const Summary *base, const Summary *test)
{
	const TukeyTest t =
	    stats_games_howell(base, test, G_N_ELEMENTS(cells), .95);

	assert_digits(t.difference.estimate, golden_at(r, "diff"), 11);
	assert_digits(t.difference.low, golden_at(r, "ci95/0"), 10);
	assert_digits(t.difference.high, golden_at(r, "ci95/1"), 10);
	if (golden_at(r, "p") > 1e-9)
		assert_true(fabs(t.p - golden_at(r, "p")) < 1e-9);
	else
		assert_true(t.p < 1e-9);
	assert_true(isnan(stats_games_howell(base, test, 1, .95).p));
}

static void
check_pairs_of(const char *metric)
{
	g_autofree char *path =
	    g_strdup_printf(DATA "r/s1_%s_design.json", metric);
	json_t *root = golden_json(path);
	const json_t *oneway = json_object_get(root, "oneway_anova");
	Sets sets;
	size_t checked = 0;

	sets_init(&sets);
	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++)
		sets_add(&sets, golden_set(metric, cells[i][1]));
	const Anova anova = anova_of(&sets);
	assert_digits(anova.f, golden_at(oneway, "F/0"), 12);
	assert_digits(anova.p, golden_at(oneway, "p/0"), 12);
	assert_digits(anova.within, golden_at(oneway, "ss/1"), 12);
	for (size_t i = 0; i < G_N_ELEMENTS(cells); i++)
		for (size_t j = i + 1; j < G_N_ELEMENTS(cells); j++) {
			g_autofree char *name =
			    g_strdup_printf("%s-%s", cells[j][0], cells[i][0]);
			const json_t *r = json_object_get(
			    json_object_get(root, "tukey_hsd"), name);
			const Summary base =
			    stats_summary(sets.values[i], sets.lengths[i]);
			const Summary test =
			    stats_summary(sets.values[j], sets.lengths[j]);
			const TukeyTest tukey =
			    stats_tukey(&anova, &base, &test, .95);
			assert_digits(tukey.difference.estimate,
			    golden_at(r, "diff"), 12);
			assert_digits(
			    tukey.difference.low, golden_at(r, "lwr"), 11);
			assert_digits(
			    tukey.difference.high, golden_at(r, "upr"), 11);
			if (golden_at(r, "p adj") > 1e-9)
				assert_digits(
				    tukey.p, golden_at(r, "p adj"), 9);
			else
				assert_true(tukey.p < 1e-9);
			check_unequal(
			    json_object_get(
				json_object_get(root, "games_howell"), name),
			    &base, &test);
			checked++;
		}
	assert_int_equal(checked, 6);
	sets_clear(&sets);
	json_decref(root);
}

static void
all_pairs_agree_with_r(void **state)
{
	(void)state;
	check_pairs_of("select");
	check_pairs_of("update");
}

/* qtukey and ptukey themselves, by sets that have just these numbers. */
static void
the_studentized_range_agrees_with_r(void **state)
{
	json_t *root = golden_json(DATA "r/quantiles_power.json");
	const Anova four = { 1, 16 * 2, 3, 16, 1, .5 };
	const Anova eight = { 1, 32 * 2, 7, 32, 1, .5 };
	/* Of two sets of two values each the standard error is then 1. */
	const Summary base = { 2, 0, 0, 0, 0, 0, 0 };
	Summary test = base;

	(void)state;
	test.mean = 4;
	const TukeyTest tukey = stats_tukey(&four, &base, &test, .95);
	assert_digits(
	    1 - tukey.p, golden_at(root, "quantiles/ptukey_4_4_16"), 12);
	assert_digits(tukey.difference.high - 4,
	    golden_at(root, "quantiles/qtukey_95_k4_df16"), 12);
	assert_digits(
	    stats_tukey(&eight, &base, &test, .95).difference.high - 4,
	    golden_at(root, "quantiles/qtukey_95_k8_df32"), 12);
	json_decref(root);
}

static void
groups_that_tell_nothing_have_no_analysis(void **state)
{
	const double x[] = { 1, 2, 3 }, still[] = { 5, 5, 5 };
	const double nan[] = { 1, NAN, 3 };
	const double *const same[] = { still, still };
	const double *const groups[] = { x, nan };
	const size_t lengths[] = { 3, 3 }, ones[] = { 1, 1 };
	const size_t empty[] = { 3, 0 }, few[] = { 2, 1 };

	(void)state;
	assert_true(isnan(stats_anova(groups, lengths, 2).f));
	assert_true(isnan(stats_anova(groups, lengths, 1).f));
	assert_true(isnan(stats_anova(groups, ones, 2).f));
	assert_true(isnan(stats_anova(groups, empty, 2).f));
	assert_true(isnan(stats_anova(NULL, NULL, 0).f));
	const Anova equal = stats_anova(same, lengths, 2);
	assert_true(isnan(equal.p) && equal.within == 0);
	const Summary s = stats_summary(x, 3);
	assert_true(isnan(stats_tukey(&equal, &s, &s, .95).p));
	/* One degree of freedom is too few for the range. */
	const double *const pair[] = { x, still };
	const Anova one = stats_anova(pair, few, 2);
	assert_true(one.df_within == 1 && one.p > 0);
	assert_true(isnan(stats_tukey(&one, &s, &s, .95).p));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(certified_analyses_of_nist_are_met),
		cmocka_unit_test(the_made_sets_are_those_of_nist),
		cmocka_unit_test(all_pairs_agree_with_r),
		cmocka_unit_test(the_studentized_range_agrees_with_r),
		cmocka_unit_test(groups_that_tell_nothing_have_no_analysis),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
