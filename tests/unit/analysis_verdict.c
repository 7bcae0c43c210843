#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "analysis/analysis.h"
#include "stats/power.h"

#include "nights.h"

/* What differs between two levels in each round, in logs, on one metric. */
static StoreData *
night_of(const double *differences, size_t n, const char *metric,
    const char *unit, bool higher_is_better)
{
	StoreData *data = night_new("pair", "pair");

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *factor = night_factor(data, "library", CLASS_SERVER);
	night_level(factor, "libpthread", "");
	night_level(factor, "libthr", "");
	night_cells(data);
	night_load(data, "load", metric, unit, higher_is_better);
	data->rounds = (int)n;
	for (size_t i = 0; i < n; i++) {
		const double base = 100 + 10 * (double)(i * 3 % 7);
		const size_t first = i % 2;
		for (size_t j = 0; j < 2; j++) {
			const size_t cell = (first + j) % 2;
			night_run(data,
			    night_visit(
				data, i + 1, cell, (int64_t)(i / 2) + 1),
			    cell, 0, 1,
			    cell == 0 ? base : base * exp(differences[i]));
		}
	}
	return data;
}

static const AnalysisContrast *
only_contrast(const Analysis *analysis)
{
	const AnalysisLoad *load = analysis->loads->pdata[0];

	assert_int_equal(load->contrasts->len, 1);
	return load->contrasts->pdata[0];
}

static const double slower[] = { -.10, -.11, -.09, -.105, -.098 };
static const double tiny[] = { .0050, .0051, .0049, .0052, .0048 };
static const double none[] = { .06, -.05, .04, -.06, .02 };
static const double equal[] = { .001, -.001, .002, -.002, .0005 };

static void
more_is_faster_only_where_more_is_better(void **state)
{
	static const struct {
		const char *metric, *unit;
		bool higher_is_better;
		const char *word, *answer;
	} cases[] = {
		{ "tps", "queries/s", true, "slower",
		    "load: libthr is 9.6 % slower than libpthread "
		    "(8.7 to 10.4).\n" },
		{ "wall", "s", false, "faster",
		    "load: libthr takes 9.6 % less time (wall) than "
		    "libpthread (8.7 to 10.4).\n" },
		{ "maxrss", "kB", false, "better",
		    "load: libthr has 9.6 % less maxrss than libpthread "
		    "(8.7 to 10.4), which is better.\n" },
		{ "hits", "%", true, "worse",
		    "load: libthr has 9.6 % less hits than libpthread "
		    "(8.7 to 10.4), which is worse.\n" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		StoreData *data = night_of(slower, 5, cases[i].metric,
		    cases[i].unit, cases[i].higher_is_better);
		g_autoptr(Analysis) analysis = analysis_new(data);
		const AnalysisLoad *load = analysis->loads->pdata[0];
		assert_string_equal(
		    verdict_word(
			only_contrast(analysis)->verdict, load->metric),
		    cases[i].word);
		assert_string_equal(analysis->answer, cases[i].answer);
		g_clear_pointer(&analysis, analysis_free);
		store_data_free(data);
	}
}

static void
a_certain_but_small_difference_is_said_to_be_small(void **state)
{
	StoreData *data = night_of(tiny, 5, "tps", "queries/s", true);
	g_autoptr(Analysis) analysis = analysis_new(data);

	(void)state;
	assert_int_equal(only_contrast(analysis)->verdict, VERDICT_FASTER);
	assert_string_equal(
	    only_contrast(analysis)->remark, "but under the margin of 1 %");
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

static void
nothing_shown_tells_what_would_have_been_seen(void **state)
{
	StoreData *data = night_of(none, 5, "tps", "queries/s", true);
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisContrast *contrast = only_contrast(analysis);
	double sum = 0, squares = 0;

	(void)state;
	assert_int_equal(contrast->verdict, VERDICT_NONE_SHOWN);
	for (size_t i = 0; i < 5; i++)
		sum += none[i];
	for (size_t i = 0; i < 5; i++)
		squares += (none[i] - sum / 5) * (none[i] - sum / 5);
	assert_true(fabs(contrast->detectable -
			100 *
			    expm1(stats_detectable_difference(
				sqrt(squares / 4 / 5), 4, .95, .8))) < 1e-6);
	assert_non_null(
	    strstr(analysis->answer, "no difference shown between libthr and"));
	assert_string_equal(analysis->headline, "no difference shown");
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

static void
equivalence_needs_the_margin_of_the_matrix(void **state)
{
	StoreData *data = night_of(equal, 5, "tps", "queries/s", true);

	(void)state;
	g_autoptr(Analysis) wide = analysis_new(data);
	assert_int_equal(only_contrast(wide)->verdict, VERDICT_EQUIVALENT);
	assert_non_null(strstr(
	    wide->answer, "equivalent within 1 %: libthr and libpthread"));
	data->margin_percent = .1;
	g_autoptr(Analysis) narrow = analysis_new(data);
	assert_int_equal(only_contrast(narrow)->verdict, VERDICT_NONE_SHOWN);
	data->margin_percent = 0;
	g_autoptr(Analysis) without = analysis_new(data);
	assert_int_equal(only_contrast(without)->verdict, VERDICT_NONE_SHOWN);
	g_clear_pointer(&wide, analysis_free);
	g_clear_pointer(&narrow, analysis_free);
	g_clear_pointer(&without, analysis_free);
	store_data_free(data);
}

/* Of many contrasts one may leave out 0 by chance: that is no verdict. */
static void
an_interval_off_zero_is_no_verdict_among_many(void **state)
{
	static const double weak[] = { .010, .022, .006, .018, .001, .012 };
	StoreData *data = night_of(weak, 6, "tps", "queries/s", true);

	(void)state;
	g_autoptr(Analysis) alone = analysis_new(data);
	assert_int_equal(only_contrast(alone)->verdict, VERDICT_FASTER);
	const double p = only_contrast(alone)->p;
	/* The same figures on nine more loads that show nothing. */
	for (size_t load = 1; load < 10; load++) {
		g_autofree char *name = g_strdup_printf("load%zu", load);
		night_load(data, name, "tps", "queries/s", true);
		for (size_t i = 0; i < data->visits->len; i++)
			night_run(data, data->visits->pdata[i],
			    ((DataVisit *)data->visits->pdata[i])->server, load,
			    1, 100 + (double)((i * 7 + load) % 11));
	}
	g_autoptr(Analysis) many = analysis_new(data);
	const AnalysisLoad *load = many->loads->pdata[0];
	const AnalysisContrast *contrast = load->contrasts->pdata[0];
	assert_int_equal(many->family, 10);
	assert_true(fabs(contrast->p - p) < 1e-15);
	assert_true(p < .05 && contrast->p_holm > .05);
	assert_int_equal(contrast->verdict, VERDICT_NONE_SHOWN);
	assert_non_null(strstr(contrast->remark,
	    "its interval alone leaves out 0, but one of 10"));
	g_clear_pointer(&alone, analysis_free);
	g_clear_pointer(&many, analysis_free);
	store_data_free(data);
}

static void
equal_values_prove_nothing(void **state)
{
	static const double same[] = { .1, .1, .1, .1 };
	StoreData *data = night_of(same, 4, "tps", "queries/s", true);
	g_autoptr(Analysis) analysis = analysis_new(data);

	(void)state;
	assert_int_equal(only_contrast(analysis)->verdict, VERDICT_TOO_FEW);
	assert_string_equal(only_contrast(analysis)->reason,
	    "no variance at all between rounds");
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
}

/* The words of reports, JSON and CSV, and the manual explains each. */
static void
the_vocabulary_is_fixed(void **state)
{
	static const char *const words[] = {
		[VERDICT_FASTER] = "faster",
		[VERDICT_SLOWER] = "slower",
		[VERDICT_EQUIVALENT] = "equivalent",
		[VERDICT_NONE_SHOWN] = "no difference shown",
		[VERDICT_TOO_FEW] = "not enough data",
	};
	g_autofree char *page = NULL;

	(void)state;
	assert_true(g_file_get_contents(
	    "src/man/abrun-statistics.7", &page, NULL, NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_autofree char *item = g_strdup_printf(".It %s", words[i]);
		assert_string_equal(verdict_name((Verdict)i), words[i]);
		if (i != VERDICT_SLOWER)
			assert_non_null(strstr(page, item));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(more_is_faster_only_where_more_is_better),
		cmocka_unit_test(
		    a_certain_but_small_difference_is_said_to_be_small),
		cmocka_unit_test(nothing_shown_tells_what_would_have_been_seen),
		cmocka_unit_test(equivalence_needs_the_margin_of_the_matrix),
		cmocka_unit_test(an_interval_off_zero_is_no_verdict_among_many),
		cmocka_unit_test(equal_values_prove_nothing),
		cmocka_unit_test(the_vocabulary_is_fixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
