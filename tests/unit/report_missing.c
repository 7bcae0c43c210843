/* What was not measured is not a number: C52 of the known accidents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "contrasts.h"
#include "report/report.h"

/* Both factors' first levels have figures in two rounds, in one of them not. */
static StoreData *
night_with_holes(void)
{
	StoreData *data = night_2x2(CLASS_SERVER);

	data->rounds = 2;
	for (size_t round = 1; round <= 2; round++)
		for (size_t server = 0; server < 4; server++) {
			const DataVisit *visit =
			    night_visit(data, round, server, 0);
			DataRun *run = night_run(
			    data, visit, server, 0, 1, 100 + (double)server);
			/* The last cell never, the first only once. */
			if (server < 3 && (server > 0 || round > 1))
				continue;
			run->good = false;
			run->failure = g_strdup("NO_RESULT");
			run->reason = g_strdup("it printed nothing");
		}
	return data;
}

static void
c52_a_missing_value_prints_a_dash_and_is_out_of_the_means(void **state)
{
	StoreData *data = night_with_holes();
	g_autoptr(Analysis) analysis = analysis_new(data);
	const GPtrArray *rows = first_load(analysis)->rows;
	const AnalysisRow *once = rows->pdata[0], *never = rows->pdata[3];

	(void)state;
	assert_int_equal(once->summary.n, 1);
	assert_true(once->summary.mean == 100);
	assert_int_equal(never->summary.n, 0);
	assert_true(isnan(never->summary.mean));

	g_autofree char *post = report_post.render(analysis);
	g_auto(GStrv) lines = g_strsplit(post, "\n", -1);
	size_t dashes = 0;
	for (size_t i = 0; lines[i] != NULL; i++) {
		g_autoptr(GRegex) empty =
		    g_regex_new("^ .* 0( +-){6}$", 0, 0, NULL);
		if (g_regex_match(empty, lines[i], 0, NULL))
			dashes++;
	}
	assert_int_equal(dashes, 1);
	assert_non_null(strstr(post, "no figure in 2 of 2 rounds"));
	assert_non_null(strstr(post, "failed: NO_RESULT: it printed nothing"));
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    c52_a_missing_value_prints_a_dash_and_is_out_of_the_means),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
