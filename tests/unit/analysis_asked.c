/*
 * What the matrix asks to have compared: by hand from what the usual
 * comparisons of the same night say, which R has been asked about.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "analysis/asked.h"
#include "contrasts.h"

#define KERNELS                                                                \
	"\"of\":{\"kernel\":[\"ULE\"]},\"against\":{\"kernel\":[\"4BSD\"]}"
#define BOTH                                                                   \
	"\"of\":{\"kernel\":[\"ULE\"],\"threadlib\":[\"libthr\"]},"            \
	"\"against\":{\"kernel\":[\"4BSD\"],\"threadlib\":[\"libpthread\"]}"

static void
ask(StoreData *data, bool only, const char *contrasts)
{
	g_autofree char *text =
	    g_strdup_printf("{\"only\":%s,\"contrasts\":[%s]}",
		only ? "true" : "false", contrasts);

	night_fact(data, "experiment", 0, ASKED_FACT, text);
}

/* The mean of log(value) of a cell over the rounds of its one load. */
static double
mean_log(const Analysis *analysis, size_t cell)
{
	const StoreData *data = analysis->data;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		const DataSample *sample = data->samples->pdata[i];
		if (run->cell == (int64_t)cell && run->good) {
			sum += log(sample->value);
			n++;
		}
	}
	return sum / (double)n;
}

static void
done(Analysis **analysis, StoreData *data)
{
	g_clear_pointer(analysis, analysis_free);
	store_data_free(data);
}

static void
asked_alone_it_is_the_whole_family(void **state)
{
	StoreData *data = night_splitplot();
	json_t *root = golden_json(DATA "r/splitplot_golden.json");

	(void)state;
	ask(data, true, "{\"name\":null," KERNELS "}");
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_int_equal(first_load(analysis)->contrasts->len, 1);
	const AnalysisContrast *c = contrast(analysis, 0);
	assert_string_equal(c->name, "ULE / 4BSD");
	assert_digits(
	    c->estimate, golden_at(root, "per_round_kernel/mean"), 12);
	assert_digits(c->p, golden_at(root, "per_round_kernel/p"), 11);
	assert_true(c->p_holm == c->p);
	assert_string_equal(c->unit, "boots");
	assert_int_equal(c->n_test, 6);
	assert_int_equal(c->n_base, 6);
	assert_string_equal(c->test_name, "ULE / libpthread");
	assert_string_equal(c->base_name, "4BSD / libpthread");
	assert_true(c->asked);
	assert_null(c->factor);
	assert_int_equal(analysis->family, 1);
	assert_int_equal(analysis->family_asked, 1);
	assert_true(analysis->only_asked);
	json_decref(root);
	done(&analysis, data);
}

/* Both at once: in a full cross, the sum of the two main effects. */
static void
asked_besides_it_makes_the_family_larger(void **state)
{
	StoreData *data = night_splitplot();

	(void)state;
	ask(data, false, "{\"name\":\"all new\"," BOTH "}");
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_int_equal(first_load(analysis)->contrasts->len, 4);
	const AnalysisContrast *c = contrast(analysis, 3);
	assert_string_equal(c->name, "all new");
	assert_string_equal(c->test_label, "ULE with libthr");
	assert_string_equal(c->base_label, "4BSD with libpthread");
	assert_digits(c->estimate,
	    contrast(analysis, 0)->estimate + contrast(analysis, 1)->estimate,
	    12);
	assert_int_equal(analysis->family, 4);
	assert_int_equal(analysis->family_asked, 1);
	/* Of four, the least p is that of the library. */
	assert_digits(
	    contrast(analysis, 1)->p_holm, 4 * contrast(analysis, 1)->p, 12);
	assert_false(analysis->only_asked);
	done(&analysis, data);
}

static void
the_other_way_round_is_not_asked_twice(void **state)
{
	StoreData *data = night_splitplot();
	json_t *root = golden_json(DATA "r/splitplot_golden.json");

	(void)state;
	ask(data, false,
	    "{\"name\":null,\"of\":{\"kernel\":[\"4BSD\"]},"
	    "\"against\":{\"kernel\":[\"ULE\"]}}");
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_int_equal(first_load(analysis)->contrasts->len, 3);
	assert_int_equal(analysis->family, 3);
	assert_string_equal(contrast(analysis, 0)->name, "libthr / libpthread");
	assert_string_equal(contrast(analysis, 2)->name, "4BSD / ULE");
	assert_digits(contrast(analysis, 2)->estimate,
	    -golden_at(root, "per_round_kernel/mean"), 12);
	json_decref(root);
	done(&analysis, data);
}

/* What both sides name alike, or neither, is held. */
static void
sides_are_compared_where_there_are_cells_of_both(void **state)
{
	StoreData *data = night_splitplot();

	(void)state;
	/* 4BSD has no cell with libthr: nothing can be said of it there. */
	g_ptr_array_remove_index(data->cells, (guint)cell_of("4BSD", "libthr"));
	ask(data, true,
	    "{\"name\":null," KERNELS "},{\"name\":\"held\","
	    "\"of\":{\"kernel\":[\"ULE\"],\"threadlib\":[\"libpthread\"]},"
	    "\"against\":{\"kernel\":[\"4BSD\"],"
	    "\"threadlib\":[\"libpthread\"]}},"
	    "{\"name\":\"a mean\",\"of\":{\"kernel\":[\"ULE\"],"
	    "\"threadlib\":[\"libpthread\",\"libthr\"]},"
	    "\"against\":{\"kernel\":[\"4BSD\"],"
	    "\"threadlib\":[\"libpthread\"]}}");
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_int_equal(first_load(analysis)->contrasts->len, 3);
	const double base = mean_log(analysis, 0);
	const double ule = mean_log(analysis, 2), both = mean_log(analysis, 3);
	assert_digits(contrast(analysis, 0)->estimate, ule - base, 10);
	assert_digits(contrast(analysis, 1)->estimate, ule - base, 10);
	assert_digits(
	    contrast(analysis, 2)->estimate, (ule + both) / 2 - base, 10);
	assert_string_equal(
	    contrast(analysis, 2)->test_label, "ULE with libpthread or libthr");
	done(&analysis, data);
}

static void
two_boots_of_a_side_make_no_verdict(void **state)
{
	StoreData *data = night_splitplot();

	(void)state;
	ask(data, true, "{\"name\":\"all new\"," BOTH "}");
	for (size_t i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (visit->round > 2)
			visit->status = VISIT_FAILED;
	}
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_string_equal(contrast(analysis, 0)->reason,
	    "2 boots of ULE, 2 boots of 4BSD; a verdict needs 3 of each");
	assert_true(isnan(contrast(analysis, 0)->p));
	assert_int_equal(analysis->family, 0);
	assert_int_equal(analysis->family_asked, 0);
	done(&analysis, data);
}

static void
a_load_is_not_asked_about_variables_of_others(void **state)
{
	StoreData *data = night_new("vars", "Variables");

	(void)state;
	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *clients = night_factor(data, "clients", CLASS_LOAD);
	night_level(clients, "1", "");
	night_level(clients, "64", "");
	night_cells(data);
	DataLoad *load = night_load(data, "select", "tps", "queries/s", true);
	g_ptr_array_add(load->variables, g_strdup("clients"));
	night_load(data, "update", "tps", "queries/s", true);
	ask(data, true,
	    "{\"name\":null,\"of\":{\"clients\":[\"64\"]},"
	    "\"against\":{\"clients\":[\"1\"]}}");
	for (size_t round = 1; round <= 3; round++) {
		const DataVisit *visit = night_visit(data, round, 0, 0);
		for (size_t cell = 0; cell < 2; cell++)
			night_run(data, visit, cell, 0, 1,
			    100 * (double)(cell + 1) + (double)round);
		night_run(data, visit, 0, 1, 1, 100 + (double)round);
	}
	g_autoptr(Analysis) analysis = analysis_new(data);
	const AnalysisLoad *update = analysis->loads->pdata[1];
	assert_string_equal(contrast(analysis, 0)->name, "clients 64 / 1");
	assert_string_equal(contrast(analysis, 0)->unit, "runs");
	assert_int_equal(update->contrasts->len, 0);
	assert_int_equal(update->unasked->len, 1);
	assert_string_equal(update->unasked->pdata[0], "clients 64 / 1");
	assert_non_null(strstr(analysis->answer,
	    "update: nothing of what was asked is about it."));
	done(&analysis, data);
}

/* A store that somebody has edited: what is left is told. */
static void
what_cannot_be_read_is_left_out(void **state)
{
	static const char *const bad[] = { "{\"name\":\"x\"}", "7",
		"{\"name\":\"x\",\"of\":{\"kernel\":[\"CBS\"]},"
		"\"against\":{\"kernel\":[\"4BSD\"]}}",
		"{\"name\":\"x\",\"of\":{\"cores\":[\"1\"]},"
		"\"against\":{\"kernel\":[\"4BSD\"]}}",
		"{\"name\":\"x\",\"of\":{\"kernel\":[]},"
		"\"against\":{\"kernel\":[\"4BSD\"]}}",
		"{\"name\":\"x\",\"of\":{\"kernel\":[1]},"
		"\"against\":{\"kernel\":[\"4BSD\"]}}",
		"not JSON" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		StoreData *data = night_splitplot();
		ask(data, false, bad[i]);
		g_autoptr(Analysis) analysis = analysis_new(data);
		assert_int_equal(first_load(analysis)->contrasts->len, 3);
		assert_int_equal(analysis->family_asked, 0);
		done(&analysis, data);
	}
}

static CellPattern *
pattern(const char *factor, const char *level)
{
	CellPattern *made = g_new0(CellPattern, 1);
	GPtrArray *levels = g_ptr_array_new();

	g_ptr_array_add(levels, (gpointer)level);
	made->factors = g_ptr_array_new();
	made->levels =
	    g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	g_ptr_array_add(made->factors, (gpointer)factor);
	g_ptr_array_add(made->levels, levels);
	return made;
}

static void
clear(CellPattern *made)
{
	g_ptr_array_unref(made->factors);
	g_ptr_array_unref(made->levels);
	g_free(made);
}

static void
a_store_keeps_what_the_design_asks(void **state)
{
	Contrast asked = { .name = g_strdup("new \"kernel\""),
		.named = true,
		.of = pattern("kernel", "ULE"),
		.against = pattern("kernel", "4BSD") };
	Design design = { .contrasts = g_ptr_array_new(),
		.contrasts_replace = true };
	StoreData *data = night_splitplot();

	(void)state;
	g_ptr_array_add(design.contrasts, &asked);
	g_autofree char *text = asked_text(&design);
	g_autofree char *names = asked_names(&design);
	night_fact(data, "experiment", 0, ASKED_FACT, text);
	g_autoptr(Asked) read = asked_read(data);
	assert_string_equal(names, "new \"kernel\"");
	assert_true(read->only);
	assert_int_equal(read->contrasts->len, 1);
	g_autofree char *name = asked_name(read->contrasts->pdata[0], data);
	g_autofree char *of =
	    asked_label(read->contrasts->pdata[0], data, ASKED_OF);
	assert_string_equal(name, "new \"kernel\"");
	assert_string_equal(of, "ULE");
	design.contrasts_replace = false;
	g_autofree char *besides = asked_names(&design);
	assert_string_equal(besides, "each factor's levels; new \"kernel\"");
	clear(asked.of);
	clear(asked.against);
	g_free(asked.name);
	g_ptr_array_unref(design.contrasts);
	store_data_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asked_alone_it_is_the_whole_family),
		cmocka_unit_test(asked_besides_it_makes_the_family_larger),
		cmocka_unit_test(the_other_way_round_is_not_asked_twice),
		cmocka_unit_test(
		    sides_are_compared_where_there_are_cells_of_both),
		cmocka_unit_test(two_boots_of_a_side_make_no_verdict),
		cmocka_unit_test(a_load_is_not_asked_about_variables_of_others),
		cmocka_unit_test(what_cannot_be_read_is_left_out),
		cmocka_unit_test(a_store_keeps_what_the_design_asks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
