#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "contrasts.h"
#include "report/report.h"

enum { RUN_S = 60, VISIT_S = 600 };

/* R's boots, whose figures are here the logarithms, in thousandths. */
static StoreData *
night_of_boots(bool timed)
{
	StoreData *data = night_of_two("boots", "kernel", CLASS_BOOT, "A", "B");
	g_auto(GStrv) lines = golden_lines(DATA "in/nested_2x6x5.csv");
	DataVisit *visit = NULL;

	data->rounds = 6;
	data->runs_wanted = 5;
	for (size_t i = 1; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		const size_t cell = strcmp(column[0], "B") == 0 ? 1 : 0;
		const int number = atoi(column[2]);
		if (number == 1) {
			visit = night_visit(data,
			    (size_t)((atoi(column[1]) - 1) % 6 + 1), cell,
			    night_boot(data, 0, true));
			visit->began = 1000 * (double)i;
			visit->ended = visit->began + (timed ? VISIT_S : 0);
		}
		DataRun *run = night_run(data, visit, cell, 0, number,
		    exp(g_ascii_strtod(column[3], NULL) / 1000));
		run->wall_ms = timed ? 1000 * RUN_S : 0;
	}
	assert_int_equal(data->runs->len, 60);
	return data;
}

static void
the_runs_of_a_start_that_are_best_follow_from_r(void **state)
{
	StoreData *data = night_of_boots(true);
	g_autoptr(Analysis) analysis = analysis_new(data);
	json_t *root = golden_json(DATA "r/nested_golden.json");
	const Advice advice = first_load(analysis)->advice;
	const double runs = (golden_at(root, "per_kernel/A/var_run") +
				golden_at(root, "per_kernel/B/var_run")) /
	    2;
	const double boots = (golden_at(root, "per_kernel/A/var_boot") +
				 golden_at(root, "per_kernel/B/var_boot")) /
	    2;

	(void)state;
	assert_digits(advice.run_cv, sqrt(runs) / 10, 10);
	assert_digits(advice.unit_cv, sqrt(boots) / 10, 10);
	/* 5 runs of 60 s in 600 s: a boot costs 300 s. */
	assert_digits(advice.best, sqrt(5 * runs / boots), 10);
	g_autofree char *text = report_markdown.render(analysis);
	assert_non_null(strstr(text,
	    "load: runs of one start differ by 1.71 % (CV), starts besides "
	    "by 5.25 %. For the time that they took here 1 run of each start "
	    "would tell most; there were 5."));
	json_decref(root);
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

static void
without_times_there_is_no_advice(void **state)
{
	StoreData *data = night_of_boots(false);
	g_autoptr(Analysis) analysis = analysis_new(data);

	(void)state;
	assert_true(isnan(first_load(analysis)->advice.best));
	g_autofree char *text = report_markdown.render(analysis);
	assert_null(strstr(text, "would tell most"));
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    the_runs_of_a_start_that_are_best_follow_from_r),
		cmocka_unit_test(without_times_there_is_no_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
