#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/analysis.h"

#include "nights.h"
#include "stats_golden.h"

#define DATA "tests/data/stats/"

static const AnalysisLoad *
first_load(const Analysis *analysis)
{
	return analysis->loads->pdata[0];
}

static const AnalysisContrast *
contrast(const Analysis *analysis, size_t index)
{
	return first_load(analysis)->contrasts->pdata[index];
}

/* kernel <4BSD, ULE> x library <libpthread, libthr>, one load. */
static StoreData *
night_2x2(FactorClass kernel_class)
{
	StoreData *data = night_new("ule-vs-4bsd", "ULE vs 4BSD");

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *kernel = night_factor(data, "kernel", kernel_class);
	night_level(kernel, "4BSD", "");
	night_level(kernel, "ULE", "");
	DataFactor *library = night_factor(data, "threadlib", CLASS_SERVER);
	night_level(library, "libpthread", "");
	night_level(library, "libthr", "");
	night_cells(data);
	night_load(data, "select", "tps", "queries/s", true);
	return data;
}

static size_t
cell_of(const char *kernel, const char *library)
{
	return (strcmp(kernel, "ULE") == 0 ? 2U : 0U) +
	    (strcmp(library, "libthr") == 0 ? 1U : 0U);
}

/* The six rounds of splitplot.R, each kernel freshly booted in each. */
static StoreData *
night_splitplot(void)
{
	StoreData *data = night_2x2(CLASS_BOOT);
	g_auto(GStrv) lines = golden_lines(DATA "in/splitplot_6rounds.csv");
	const DataVisit *visit = NULL;
	int64_t boot = 0;

	data->rounds = 6;
	data->runs_wanted = 2;
	for (size_t i = 1; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		const size_t round = (size_t)atoi(column[0]);
		const size_t cell = cell_of(column[1], column[3]);
		const int number = atoi(column[4]);
		if (number == 1 && strcmp(column[3], "libpthread") == 0)
			boot = night_boot(data, 0, true);
		if (number == 1)
			visit = night_visit(data, round, cell, boot);
		night_run(data, visit, cell, 0, number,
		    g_ascii_strtod(column[5], NULL));
	}
	assert_int_equal(data->runs->len, 48);
	return data;
}

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
	night_free(data);
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
	night_free(data);
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
		night_free(data);
	}
}

/* Rounds that share a boot are one boot, however many there are. */
static void
shared_boots_count_once(void **state)
{
	StoreData *data = night_2x2(CLASS_BOOT);
	static const double noise[] = { 0, .01, -.01, .02, .005, -.004, .011,
		-.003 };
	int64_t boot[2][4];

	(void)state;
	data->rounds = 8;
	for (size_t kernel = 0; kernel < 2; kernel++)
		for (size_t i = 0; i < 4; i++)
			boot[kernel][i] = night_boot(data, 0, true);
	for (size_t round = 1; round <= 8; round++)
		for (size_t cell = 0; cell < 4; cell++)
			night_run(data,
			    night_visit(data, round, cell,
				boot[cell / 2][(round - 1) / 2]),
			    cell, 0, 1,
			    (cell < 2 ? 100 : 110) *
				exp(noise[(round * 3 + cell) % 8]));
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisContrast *kernel = contrast(analysis, 0);
	assert_true(kernel->welch);
	assert_int_equal(kernel->n_test, 4);
	assert_int_equal(kernel->n_base, 4);
	/* Four boots against four: never more than 6 degrees of freedom. */
	assert_true(kernel->df <= 6 + 1e-9 && kernel->df >= 3);
	/* The library is compared within boots, by rounds. */
	assert_false(contrast(analysis, 1)->welch);
	assert_true(contrast(analysis, 1)->df == 7);
	g_clear_pointer(&analysis, analysis_free);
	night_free(data);
}

static void
two_boots_of_a_kernel_give_no_verdict(void **state)
{
	StoreData *data = night_2x2(CLASS_BOOT);

	(void)state;
	data->rounds = 6;
	int64_t boot[2][2];
	for (size_t kernel = 0; kernel < 2; kernel++)
		for (size_t i = 0; i < 2; i++)
			boot[kernel][i] = night_boot(data, 0, true);
	for (size_t round = 1; round <= 6; round++)
		for (size_t cell = 0; cell < 4; cell++)
			night_run(data,
			    night_visit(data, round, cell,
				boot[cell / 2][(round - 1) / 3]),
			    cell, 0, 1,
			    100 * (cell < 2 ? 1 : 2) *
				(1 + .001 * (double)(round * 7 % 5 + cell)));
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_int_equal(contrast(analysis, 0)->verdict, VERDICT_TOO_FEW);
	assert_string_equal(contrast(analysis, 0)->reason,
	    "2 boots of ULE, 2 boots of 4BSD; a verdict needs 3 of each");
	assert_true(isnan(contrast(analysis, 0)->p));
	assert_int_equal(contrast(analysis, 2)->verdict, VERDICT_TOO_FEW);
	assert_int_equal(analysis->family, 1);
	g_clear_pointer(&analysis, analysis_free);
	night_free(data);
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
	night_free(data);
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
	night_free(data);
}

/* Effects are differences within a host: a faster host changes none. */
static void
hosts_are_compared_with_themselves(void **state)
{
	StoreData *data = night_splitplot();
	json_t *root = golden_json(DATA "r/splitplot_golden.json");

	(void)state;
	g_ptr_array_add(data->targets, g_strdup("lab2"));
	/* The odd rounds were run by another host, three times as fast. */
	for (size_t i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		visit->target = visit->round % 2;
	}
	for (size_t i = 0; i < data->runs->len; i++) {
		DataSample *sample = data->samples->pdata[i];
		const DataVisit *visit =
		    data->visits
			->pdata[((DataRun *)data->runs->pdata[i])->visit - 1];
		if (visit->target == 1)
			sample->value *= 3;
	}
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_int_equal(contrast(analysis, 1)->n_rounds, 6);
	assert_digits(
	    contrast(analysis, 1)->p, golden_at(root, "per_round_lib/p"), 9);
	json_decref(root);
	g_clear_pointer(&analysis, analysis_free);
	night_free(data);
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
	night_free(data);
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
	night_free(data);
}

static void
only_good_measured_runs_of_valid_visits_count(void **state)
{
	StoreData *data = night_2x2(CLASS_SERVER);

	(void)state;
	data->rounds = 1;
	DataVisit *bad = night_visit(data, 1, 0, 0);
	bad->status = VISIT_SUPERSEDED;
	night_run(data, bad, 0, 0, 1, 1);
	const DataVisit *visit = night_visit(data, 1, 0, 0);
	night_run(data, visit, 0, 0, 0, 5);
	night_run(data, visit, 0, 0, 1, 100);
	night_run(data, visit, 0, 0, 2, 7)->good = false;
	night_run(data, visit, 0, 0, 3, 102);
	night_run(data, visit, 0, 0, 4, NAN);
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisRow *row = first_load(analysis)->rows->pdata[0];
	assert_int_equal(row->summary.n, 1);
	assert_true(row->summary.mean == 101);
	assert_true(isnan(row->summary.sd));
	assert_int_equal(analysis->warmups, 1);
	assert_int_equal(contrast(analysis, 0)->verdict, VERDICT_TOO_FEW);
	g_clear_pointer(&analysis, analysis_free);
	night_free(data);
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
	night_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_split_plot_night_agrees_with_r),
		cmocka_unit_test(tables_hold_means_of_starts),
		cmocka_unit_test(incomplete_rounds_fall_back_to_welch),
		cmocka_unit_test(shared_boots_count_once),
		cmocka_unit_test(two_boots_of_a_kernel_give_no_verdict),
		cmocka_unit_test(
		    a_round_without_a_cell_is_left_out_where_it_is_needed),
		cmocka_unit_test(excluded_cells_leave_the_rest_comparable),
		cmocka_unit_test(hosts_are_compared_with_themselves),
		cmocka_unit_test(
		    the_baseline_again_is_the_noise_and_no_contrast),
		cmocka_unit_test(a_load_sees_only_the_variables_it_uses),
		cmocka_unit_test(only_good_measured_runs_of_valid_visits_count),
		cmocka_unit_test(
		    values_without_logarithm_are_told_as_differences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
