#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contrasts.h"

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
	store_data_free(data);
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
	store_data_free(data);
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
	store_data_free(data);
}

static void
C52_only_good_measured_runs_of_valid_visits_count(void **state)
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
	store_data_free(data);
}

/* Fewer than 3 rounds: Welch on unit means (DESIGN, "Statistics"). */
static void
two_rounds_are_too_few_for_differences(void **state)
{
	(void)state;
	for (size_t rounds = 2; rounds <= 3; rounds++) {
		StoreData *data = night_2x2(CLASS_SERVER);
		data->rounds = (int)rounds;
		for (size_t round = 1; round <= rounds; round++)
			for (size_t cell = 0; cell < 4; cell++)
				night_run(data,
				    night_visit(data, round, cell, 0), cell, 0,
				    1,
				    100 + (double)((round * 7 + cell * 5) % 4));
		g_autoptr(Analysis) analysis = analysis_new(data);
		const AnalysisContrast *first = contrast(analysis, 0);
		assert_int_equal(first->n_rounds, rounds);
		assert_int_equal(first->welch, rounds == 2);
		if (rounds == 3)
			assert_true(first->df == 2);
		g_clear_pointer(&analysis, analysis_free);
		store_data_free(data);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_boots_count_once),
		cmocka_unit_test(two_rounds_are_too_few_for_differences),
		cmocka_unit_test(two_boots_of_a_kernel_give_no_verdict),
		cmocka_unit_test(hosts_are_compared_with_themselves),
		cmocka_unit_test(
		    C52_only_good_measured_runs_of_valid_visits_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
