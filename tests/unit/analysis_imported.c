#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contrasts.h"
#include "store/imported.h"

#define TABLES "tests/data/import/"

static Analysis *
analyse(const char *text)
{
	const ImportWish wish = {
		.path = "post.csv", .version = "0.1.0", .margin_percent = 1
	};
	g_autoptr(GError) failure = NULL;
	StoreData *data = imported_read(text, strlen(text), &wish, &failure);

	if (data == NULL)
		g_error("%s", failure->message);
	return analysis_new(data);
}

static void
forget(Analysis *analysis)
{
	StoreData *data = (StoreData *)analysis->data;

	analysis_free(analysis);
	store_data_free(data);
}

/* The head of a table, and its lines that hold a word. */
static Analysis *
analyse_lines(const char *path, const char *word)
{
	g_auto(GStrv) lines = golden_lines(path);
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; lines[i] != NULL; i++)
		if (i == 0 || strstr(lines[i], word) != NULL)
			g_string_append_printf(text, "%s\n", lines[i]);
	return analyse(text->str);
}

static void
check_ratio(const AnalysisContrast *c, double ratio, double low, double high,
    double p, double df)
{
	assert_true(c->welch);
	assert_false(c->raw);
	assert_digits(1 + c->percent.estimate / 100, ratio, 12);
	assert_digits(1 + c->percent.low / 100, low, 12);
	assert_digits(1 + c->percent.high / 100, high, 12);
	assert_digits(c->p, p, 9);
	assert_digits(c->df, df, 11);
}

/* One of R's contrasts of the 2007 post. */
static void
check_contrast(const AnalysisContrast *c, const json_t *root, const char *name)
{
	const json_t *golden = json_object_get(
	    json_object_get(root, "contrasts_satterthwaite_log"), name);

	check_ratio(c, golden_at(golden, "ratio"),
	    golden_at(golden, "ratio_ci95/0"),
	    golden_at(golden, "ratio_ci95/1"), golden_at(golden, "p"),
	    golden_at(golden, "df"));
}

static const char *const designs[] = { DATA "r/s1_select_design.json",
	DATA "r/s1_update_design.json" };

static void
the_2007_post_gives_the_factors_effects_of_r(void **state)
{
	Analysis *analysis = analyse_lines(TABLES "ule-vs-4bsd.csv", "");

	(void)state;
	assert_int_equal(analysis->loads->len, 2);
	assert_int_equal(analysis->family, 6);
	for (size_t i = 0; i < 2; i++) {
		json_t *root = golden_json(designs[i]);
		const AnalysisLoad *load = analysis->loads->pdata[i];
		assert_string_equal(load->unit, "runs");
		assert_int_equal(load->contrasts->len, 3);
		check_contrast(load->contrasts->pdata[0], root,
		    "main_sched_ule_minus_4bsd");
		check_contrast(load->contrasts->pdata[1], root,
		    "main_lib_libthr_minus_libpthread");
		check_contrast(load->contrasts->pdata[2], root, "interaction");
		json_decref(root);
	}
	assert_non_null(strstr(analysis->answer,
	    "libthr gives +7.8 % with 4BSD, +12.1 % with ULE"));
	assert_non_null(strstr(analysis->warnings->pdata[0], "not proved"));
	assert_non_null(strstr(analysis->warnings->pdata[1],
	    "each cell is one boot, and the intervals say how well its runs "
	    "repeat, not what another boot would give"));
	forget(analysis);
}

static void
each_pair_of_the_2007_post_is_as_in_r(void **state)
{
	static const struct {
		const char *word, *name;
	} pairs[] = {
		{ "4BSD,", "libthr_minus_libpthread__4bsd" },
		{ "ULE,", "libthr_minus_libpthread__ule" },
		{ "libpthread", "ule_minus_4bsd__libpthread" },
		{ "libthr", "ule_minus_4bsd__libthr" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		Analysis *analysis =
		    analyse_lines(TABLES "ule-vs-4bsd.csv", pairs[i].word);
		for (size_t j = 0; j < 2; j++) {
			json_t *root = golden_json(designs[j]);
			const AnalysisLoad *load = analysis->loads->pdata[j];
			assert_int_equal(load->contrasts->len, 1);
			check_contrast(
			    load->contrasts->pdata[0], root, pairs[i].name);
			json_decref(root);
		}
		forget(analysis);
	}
}

static void
the_sys_time_post_is_as_in_r(void **state)
{
	Analysis *analysis = analyse_lines(TABLES "sys_time.csv", "");
	json_t *root = golden_json(DATA "r/s2_tps.json");
	const json_t *golden = json_object_get(root, "welch_log_gmr");

	(void)state;
	check_ratio(contrast(analysis, 0), golden_at(golden, "gmr"),
	    golden_at(golden, "ci95/0"), golden_at(golden, "ci95/1"),
	    golden_at(golden, "p"), golden_at(golden, "df"));
	assert_int_equal(contrast(analysis, 0)->verdict, VERDICT_FASTER);
	json_decref(root);
	forget(analysis);
}

/* One figure of each of 14 kernels. */
static void
the_list_of_2005_is_not_enough_data(void **state)
{
	Analysis *analysis = analyse_lines(TABLES "history.csv", "");

	(void)state;
	assert_int_equal(analysis->family, 0);
	assert_int_equal(first_load(analysis)->rows->len, 14);
	assert_int_equal(first_load(analysis)->contrasts->len, 13);
	for (size_t i = 0; i < 13; i++)
		assert_int_equal(
		    contrast(analysis, i)->verdict, VERDICT_TOO_FEW);
	assert_string_equal(
	    analysis->headline, "not enough data for a verdict");
	forget(analysis);
}

/*
 * R's split-plot night, as another tool would write it down: the same
 * estimates, but by Welch on means of boots, since nobody saw the rounds.
 */
static void
imported_boots_are_units_and_rounds_are_not(void **state)
{
	g_auto(GStrv) lines = golden_lines(DATA "in/splitplot_6rounds.csv");
	g_autoptr(GString) text =
	    g_string_new("round,kernel,boot,lib,run,value,load,metric\n");
	json_t *root = golden_json(DATA "r/splitplot_golden.json");

	(void)state;
	for (size_t i = 1; lines[i] != NULL; i++)
		g_string_append_printf(text, "%s,select,tps\n", lines[i]);
	Analysis *analysis = analyse(text->str);
	const AnalysisContrast *kernel = contrast(analysis, 0);
	assert_digits(
	    kernel->estimate, golden_at(root, "per_round_kernel/mean"), 12);
	assert_digits(contrast(analysis, 1)->estimate,
	    golden_at(root, "per_round_lib/mean"), 12);
	assert_string_equal(kernel->unit, "boots");
	assert_int_equal(kernel->n_base, 6);
	assert_int_equal(kernel->n_test, 6);
	assert_true(kernel->welch);
	assert_true(kernel->df > 5 && kernel->df <= 10);
	assert_int_equal(kernel->verdict, VERDICT_SLOWER);
	json_decref(root);
	forget(analysis);
}

static void
cells_of_unequal_length_miss_nothing(void **state)
{
	Analysis *analysis = analyse("kernel,load,metric,run,value\n"
				     "A,l,tps,1,100\nA,l,tps,2,101\n"
				     "A,l,tps,3,102\nB,l,tps,1,100\n"
				     "B,l,tps,2,102\n");

	(void)state;
	assert_int_equal(contrast(analysis, 0)->left_out->len, 0);
	assert_int_equal(contrast(analysis, 0)->verdict, VERDICT_NONE_SHOWN);
	const AnalysisRow *row = first_load(analysis)->rows->pdata[1];
	assert_int_equal(row->summary.n, 2);
	assert_int_equal(row->failed, 0);
	assert_int_equal(analysis->visits_planned, analysis->visits_valid);
	forget(analysis);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_2007_post_gives_the_factors_effects_of_r),
		cmocka_unit_test(each_pair_of_the_2007_post_is_as_in_r),
		cmocka_unit_test(the_sys_time_post_is_as_in_r),
		cmocka_unit_test(the_list_of_2005_is_not_enough_data),
		cmocka_unit_test(imported_boots_are_units_and_rounds_are_not),
		cmocka_unit_test(cells_of_unequal_length_miss_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
