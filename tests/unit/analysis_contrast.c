#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contrasts.h"

static void
check_golden(const AnalysisContrast *c, const json_t *root, const char *name)
{
	const json_t *golden = json_object_get(root, name);

	assert_false(c->welch);
	assert_false(c->raw);
	assert_int_equal(c->n_rounds, 6);
	assert_int_equal(c->left_out->len, 0);
	assert_digits(c->estimate, golden_at(golden, "mean"), 12);
	assert_digits(
	    1 + c->percent.estimate / 100, golden_at(golden, "ratio"), 12);
	assert_digits(
	    1 + c->percent.low / 100, golden_at(golden, "ratio_ci95/0"), 12);
	assert_digits(
	    1 + c->percent.high / 100, golden_at(golden, "ratio_ci95/1"), 12);
	assert_digits(c->p, golden_at(golden, "p"), 11);
	assert_true(c->df == 5);
}

static void
a_split_plot_night_agrees_with_r(void **state)
{
	StoreData *data = night_splitplot();
	json_t *root = golden_json(DATA "r/splitplot_golden.json");
	g_autoptr(Analysis) analysis = analysis_new(data);

	(void)state;
	assert_int_equal(first_load(analysis)->contrasts->len, 3);
	check_golden(contrast(analysis, 0), root, "per_round_kernel");
	check_golden(contrast(analysis, 1), root, "per_round_lib");
	check_golden(contrast(analysis, 2), root, "per_round_interaction");
	assert_string_equal(contrast(analysis, 0)->name, "ULE / 4BSD");
	assert_string_equal(contrast(analysis, 0)->unit, "boots");
	assert_string_equal(contrast(analysis, 1)->unit, "starts");
	assert_int_equal(contrast(analysis, 0)->n_test, 6);
	assert_int_equal(analysis->family, 3);
	/* Holm over the three, worked out from R's p. */
	assert_digits(contrast(analysis, 1)->p_holm,
	    3 * golden_at(root, "per_round_lib/p"), 11);
	assert_digits(contrast(analysis, 0)->p_holm,
	    2 * golden_at(root, "per_round_kernel/p"), 11);
	assert_int_equal(contrast(analysis, 0)->verdict, VERDICT_SLOWER);
	assert_int_equal(contrast(analysis, 1)->verdict, VERDICT_FASTER);
	assert_int_equal(contrast(analysis, 2)->verdict, VERDICT_NONE_SHOWN);
	assert_int_equal(analysis->boots_made, 12);
	json_decref(root);
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

static void
tables_hold_means_of_starts(void **state)
{
	StoreData *data = night_splitplot();
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisLoad *load = first_load(analysis);

	(void)state;
	assert_int_equal(load->rows->len, 4);
	const AnalysisRow *row = load->rows->pdata[0];
	assert_int_equal(row->summary.n, 6);
	/* The mean of the two runs of its first start. */
	assert_digits(
	    g_array_index(row->values, double, 0), (4058.47 + 4046.44) / 2, 14);
	assert_string_equal(row->names->pdata[0], "4BSD");
	assert_string_equal(row->names->pdata[1], "libpthread");
	assert_string_equal(load->unit, "starts");
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

/*
 * Without a complete round there is Welch on unit means: each cell's runs of
 * the 2007 post in rounds of their own, so that none is complete.
 */
static void
incomplete_rounds_fall_back_to_welch(void **state)
{
	static const char *const files[] = { "4bsd_libpthread", "4bsd_libthr",
		"ule_libpthread", "ule_libthr" };
	static const char *const contrasts[] = { "main_sched_ule_minus_4bsd",
		"main_lib_libthr_minus_libpthread", "interaction" };
	static const char *const metrics[] = { "select", "update" };

	(void)state;
	for (size_t m = 0; m < G_N_ELEMENTS(metrics); m++) {
		StoreData *data = night_2x2(CLASS_SERVER);
		data->rounds = 20;
		for (size_t cell = 0; cell < 4; cell++) {
			g_autofree char *path = g_strdup_printf(
			    DATA "in/s1_%s_%s.txt", files[cell], metrics[m]);
			g_autoptr(GArray) runs = golden_numbers(path);
			for (size_t i = 0; i < 5; i++)
				night_run(data,
				    night_visit(
					data, cell * 5 + i + 1, cell, 0),
				    cell, 0, 1, g_array_index(runs, double, i));
		}
		g_autofree char *path =
		    g_strdup_printf(DATA "r/s1_%s_design.json", metrics[m]);
		json_t *root = golden_json(path);
		g_autoptr(Analysis) analysis = analysis_new(data);
		for (size_t i = 0; i < 3; i++) {
			const AnalysisContrast *c = contrast(analysis, i);
			const json_t *golden =
			    json_object_get(json_object_get(root,
						"contrasts_satterthwaite_log"),
				contrasts[i]);
			assert_true(c->welch);
			assert_int_equal(c->n_rounds, 0);
			assert_int_equal(c->left_out->len, 20);
			assert_digits(1 + c->percent.estimate / 100,
			    golden_at(golden, "ratio"), 12);
			assert_digits(1 + c->percent.low / 100,
			    golden_at(golden, "ratio_ci95/0"), 12);
			assert_digits(1 + c->percent.high / 100,
			    golden_at(golden, "ratio_ci95/1"), 12);
			assert_digits(c->p, golden_at(golden, "p"), 10);
			assert_digits(c->df, golden_at(golden, "df"), 11);
		}
		json_decref(root);
		g_clear_pointer(&analysis, analysis_free);
		store_data_free(data);
	}
}

static void
a_round_without_a_cell_is_left_out_where_it_is_needed(void **state)
{
	StoreData *data = night_splitplot();

	(void)state;
	for (size_t i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (visit->round == 5 && visit->server == 3)
			visit->status = VISIT_FAILED;
	}
	g_autoptr(Analysis) analysis = analysis_new(data);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(contrast(analysis, i)->n_rounds, 5);
		assert_int_equal(contrast(analysis, i)->left_out->len, 1);
		assert_int_equal(
		    g_array_index(contrast(analysis, i)->left_out, size_t, 0),
		    5);
	}
	const AnalysisRow *row = first_load(analysis)->rows->pdata[3];
	assert_int_equal(row->failed, 1);
	assert_int_equal(row->summary.n, 5);
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

static void
excluded_cells_leave_the_rest_comparable(void **state)
{
	StoreData *data = night_splitplot();

	(void)state;
	/* ULE with libthr was never part of the matrix. */
	g_ptr_array_remove_index(data->cells, 3);
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_int_equal(first_load(analysis)->contrasts->len, 2);
	assert_int_equal(contrast(analysis, 0)->n_rounds, 6);
	assert_string_equal(contrast(analysis, 1)->name, "libthr / libpthread");
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

static void
the_baseline_again_is_the_noise_and_no_contrast(void **state)
{
	StoreData *data = night_2x2(CLASS_SERVER);
	const size_t base[] = { 0, 0 };
	static const double values[] = { 100, 101, 99, 102 };

	(void)state;
	data->rounds = 4;
	night_cell(data, base, true);
	for (size_t round = 1; round <= 4; round++)
		for (size_t cell = 0; cell < 5; cell++)
			night_run(data,
			    night_visit(data, round, cell < 4 ? cell : 1000, 0),
			    cell, 0, 1, values[(round + cell % 3) % 4]);
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisLoad *load = first_load(analysis);
	assert_int_equal(load->contrasts->len, 3);
	assert_int_equal(load->rows->len, 5);
	assert_true(((AnalysisRow *)load->rows->pdata[4])->again);
	assert_int_equal(load->noise_rounds, 4);
	assert_true(load->noise.low < load->noise.estimate &&
	    load->noise.estimate < load->noise.high);
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

/* A load without a variable has one row for all its cells. */
static void
a_load_sees_only_the_variables_it_uses(void **state)
{
	StoreData *data = night_new("sweep", "sweep");

	(void)state;
	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *library = night_factor(data, "preload", CLASS_SERVER);
	night_level(library, "libc", "");
	night_level(library, "jemalloc", "");
	DataFactor *clients = night_factor(data, "clients", CLASS_LOAD);
	night_level(clients, "1", "");
	night_level(clients, "16", "");
	night_cells(data);
	g_ptr_array_add(
	    night_load(data, "many", "tps", "queries/s", true)->variables,
	    g_strdup("clients"));
	night_load(data, "one", "tps", "queries/s", true);
	for (size_t round = 1; round <= 3; round++)
		for (size_t server = 0; server < 2; server++) {
			const DataVisit *visit =
			    night_visit(data, round, server, 0);
			const double value =
			    100 + (double)(round * (server + 2) % 5);
			night_run(data, visit, 2 * server, 0, 1, value);
			night_run(data, visit, 2 * server + 1, 0, 1, value * 4);
			night_run(data, visit, 2 * server, 1, 1, value);
		}
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisLoad *many = analysis->loads->pdata[0];
	const AnalysisLoad *one = analysis->loads->pdata[1];
	assert_int_equal(many->rows->len, 4);
	assert_int_equal(many->contrasts->len, 3);
	assert_string_equal(
	    ((AnalysisContrast *)many->contrasts->pdata[1])->name,
	    "clients 16 / 1");
	assert_string_equal(
	    ((AnalysisContrast *)many->contrasts->pdata[1])->unit, "runs");
	assert_int_equal(one->rows->len, 2);
	assert_int_equal(one->contrasts->len, 1);
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

static void
values_without_logarithm_are_told_as_differences(void **state)
{
	StoreData *data = night_2x2(CLASS_SERVER);

	(void)state;
	data->rounds = 3;
	for (size_t round = 1; round <= 3; round++)
		for (size_t cell = 0; cell < 4; cell++)
			night_run(data, night_visit(data, round, cell, 0), cell,
			    0, 1,
			    (double)(round * round % 4) - 1 +
				(cell >= 2 ? 5 : 0) +
				(double)(round * cell % 3) / 10);
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_true(contrast(analysis, 0)->raw);
	assert_true(fabs(contrast(analysis, 0)->percent.estimate - 5) < .2);
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_split_plot_night_agrees_with_r),
		cmocka_unit_test(tables_hold_means_of_starts),
		cmocka_unit_test(incomplete_rounds_fall_back_to_welch),
		cmocka_unit_test(
		    a_round_without_a_cell_is_left_out_where_it_is_needed),
		cmocka_unit_test(excluded_cells_leave_the_rest_comparable),
		cmocka_unit_test(
		    the_baseline_again_is_the_noise_and_no_contrast),
		cmocka_unit_test(a_load_sees_only_the_variables_it_uses),
		cmocka_unit_test(
		    values_without_logarithm_are_told_as_differences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
