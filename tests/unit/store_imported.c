#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/error.h"
#include "store/imported.h"

#define HEADER "kernel,load,metric,run,value\n"
#define NOTHING "A,select,tps,1,5\n"

static const ImportWish usual = {
	.path = "t.csv", .version = "0.1.0", .margin_percent = 1
};

static StoreData *
read_text(const char *text, GError **error)
{
	return imported_read(text, strlen(text), &usual, error);
}

static StoreData *
read_good(const char *text)
{
	g_autoptr(GError) failure = NULL;
	StoreData *data = read_text(text, &failure);

	if (data == NULL)
		fail_msg("%s", failure->message);
	return data;
}

static void
hostile_tables_are_refused_with_file_and_line(void **state)
{
	static const struct {
		const char *text, *said;
	} cases[] = {
		{ "", "t.csv:1: nothing but empty lines" },
		{ "\n\r\n# kernel\n", "t.csv:1: nothing but empty lines" },
		{ HEADER, "t.csv:1: no values below this line" },
		{ "load,metric,run,value\n",
		    "t.csv:1: no column of a factor: "
		    "nothing is compared" },
		{ "kernel,load,metric,value\n",
		    "t.csv:1: no column \"run\"; wanted are load, metric, run, "
		    "value and one for each factor" },
		{ "\nkernel;load;metric;run;value\n",
		    "t.csv:2: no column \"load\"; wanted are load, metric, "
		    "run, value and one for each factor" },
		{ "kernel,load,metric,run,value,kernel\n",
		    "t.csv:1: column \"kernel\" is there twice" },
		{ "kernel,load,metric,run,value,\n",
		    "t.csv:1: column 6 has no name" },
		{ HEADER NOTHING "A,select,tps,2\n",
		    "t.csv:3: 4 fields, where the first line has 5" },
		{ HEADER "A,select,tps,1,2,5\n",
		    "t.csv:2: 6 fields, where the first line has 5" },
		{ HEADER "A,select,tps,1,\"2,5\"\n",
		    "t.csv:2: value \"2,5\" is no number; leave the lines of a "
		    "failed run out" },
		{ HEADER "\nA,select,tps,1,nan\n",
		    "t.csv:3: value \"nan\" is no number; leave the lines of a "
		    "failed run out" },
		{ HEADER "A,select,tps,1,inf\n",
		    "t.csv:2: value \"inf\" is no number; leave the lines of a "
		    "failed run out" },
		{ HEADER "A,select,tps,1,\n",
		    "t.csv:2: value \"\" is no number; leave the lines of a "
		    "failed run out" },
		{ HEADER "A,select,tps,first,1\n",
		    "t.csv:2: run \"first\" is no number of a run: 1 and so "
		    "on, 0 and below for a warm-up" },
		{ HEADER ",select,tps,1,1\n", "t.csv:2: kernel is empty" },
		{ HEADER "A,,tps,1,1\n", "t.csv:2: load is empty" },
		{ HEADER "A,select,\" \",1,1\n", "t.csv:2: metric is empty" },
		{ HEADER NOTHING "B,select,tps,1,5\n" NOTHING,
		    "t.csv:4: the same run and metric are there in line 2" },
		{ HEADER "\"A,select,tps,1,1\n",
		    "t.csv:2: a quote is not closed within 4096 bytes" },
		{ HEADER "\"A\"b,select,tps,1,1\n",
		    "t.csv:2: text follows a closing quote" },
		{ HEADER "A\"b,select,tps,1,1\n",
		    "t.csv:2: a quote stands within a field" },
		{ HEADER "A\033[2J,select,tps,1,1\n",
		    "t.csv:2: a field holds the control character \\x1b" },
		{ HEADER "\"A\nB\",select,tps,1,1\n",
		    "t.csv:2: a field holds the control character \\x0a" },
		{ HEADER "A\r,select,tps,1,1\n",
		    "t.csv:2: a field holds the control character \\x0d" },
		{ HEADER "\xff,select,tps,1,1\n",
		    "t.csv:2: a field is no UTF-8 text" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) failure = NULL;
		assert_null(read_text(cases[i].text, &failure));
		assert_true(
		    g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_USAGE));
		assert_string_equal(failure->message, cases[i].said);
	}
	g_autoptr(GError) failure = NULL;
	assert_null(imported_read(HEADER "A\0B,select,tps,1,1\n",
	    strlen(HEADER) + strlen("A B,select,tps,1,1\n"), &usual, &failure));
	assert_string_equal(failure->message,
	    "t.csv:2: a field holds the control character \\x00");
}

/* "text" so many times below a head. */
static char *
repeated(const char *head, const char *text, size_t times)
{
	GString *out = g_string_new(head);

	for (size_t i = 0; i < times; i++)
		g_string_append(out, text);
	return g_string_free(out, FALSE);
}

static void
what_has_no_end_is_refused(void **state)
{
	g_autofree char *field = repeated(HEADER, "x", 5000);
	g_autofree char *fields = repeated("", "x,", 5000);
	g_autofree char *factors = repeated("load,metric,run,value", ",f", 40);
	g_autoptr(GString) runs = g_string_new(HEADER);
	g_autoptr(GError) wide = NULL, many = NULL, twice = NULL,
			  endless = NULL;

	(void)state;
	for (int i = 0; i <= IMPORTED_RUNS; i++)
		g_string_append_printf(
		    runs, "A,l%d,tps,%d,5\n", i / IMPORTED_RUNS, i % 100000);
	assert_null(read_text(field, &wide));
	assert_string_equal(
	    wide->message, "t.csv:2: a field has more than 4096 bytes");
	assert_null(read_text(fields, &many));
	assert_string_equal(many->message, "t.csv:1: more than 256 fields");
	assert_null(read_text(factors, &twice));
	assert_string_equal(
	    twice->message, "t.csv:1: column \"f\" is there twice");
	assert_null(read_text(runs->str, &endless));
	assert_string_equal(
	    endless->message, "t.csv:100002: more than 100000 values");
}

static void
quotes_crlf_marks_and_comments_are_read(void **state)
{
	StoreData *data = read_good("\xef\xbb\xbf"
				    "\"kernel\",load,metric,run,value\r\n"
				    "# by hand\r\n\r\n"
				    "\"A, with \"\"WITNESS\"\"\",select , "
				    "tps (queries/s),1, 5.5 \r\n"
				    "B,select,tps,0,6e3");

	(void)state;
	const DataFactor *factor = data->factors->pdata[0];
	assert_string_equal(factor->name, "kernel");
	assert_int_equal(factor->levels->len, 2);
	assert_string_equal(factor->levels->pdata[0], "A, with \"WITNESS\"");
	const DataLoad *load = data->loads->pdata[0];
	assert_string_equal(load->name, "select");
	assert_int_equal(load->metrics->len, 1);
	const DataMetric *metric = load->metrics->pdata[0];
	assert_string_equal(metric->name, "tps");
	assert_string_equal(metric->unit, "queries/s");
	assert_true(metric->higher_is_better && metric->primary);
	assert_false(((const DataRun *)data->runs->pdata[0])->warmup);
	assert_true(((const DataRun *)data->runs->pdata[1])->warmup);
	assert_true(
	    ((const DataSample *)data->samples->pdata[1])->value == 6000);
	store_data_free(data);
}

/* What varies within a boot is not changed by a reboot. */
static void
classes_follow_from_boots_and_starts(void **state)
{
	static const struct {
		const char *columns;
		FactorClass kernel, library, clients;
		const char *unit;
		guint boots, visits;
	} cases[] = {
		{ "x,y,z", CLASS_LOAD, CLASS_LOAD, CLASS_LOAD, "runs", 0, 1 },
		{ "round,y,z", CLASS_LOAD, CLASS_LOAD, CLASS_LOAD, "rounds", 0,
		    2 },
		{ "round,boot,z", CLASS_BOOT, CLASS_LOAD, CLASS_LOAD, "boots",
		    4, 4 },
		{ "round,boot,start", CLASS_BOOT, CLASS_SERVER, CLASS_LOAD,
		    "starts", 4, 8 },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_string_append_printf(text,
		    "%s,kernel,lib,clients,load,metric,run,value\n",
		    cases[i].columns);
		for (int j = 0; j < 16; j++)
			g_string_append_printf(text,
			    "%d,%s,%d,%s,%s,%d,l,tps,1,%d\n", j / 8,
			    j / 4 % 2 ? "a" : "b", j / 2, j / 4 % 2 ? "K" : "L",
			    j / 2 % 2 ? "m" : "n", j % 2, 100 + j);
		g_autoptr(GError) failure = NULL;
		StoreData *data = read_text(text->str, &failure);
		const size_t first = i == 0 ? 3 : i == 1 ? 2 : i == 2 ? 1 : 0;
		if (data == NULL)
			fail_msg("%s", failure->message);
		const DataFactor *const *factors =
		    (const DataFactor *const *)data->factors->pdata + first;
		assert_int_equal(factors[0]->class, cases[i].kernel);
		assert_int_equal(factors[1]->class, cases[i].library);
		assert_int_equal(factors[2]->class, cases[i].clients);
		assert_string_equal(imported_unit(data), cases[i].unit);
		assert_int_equal(data->boots->len, cases[i].boots);
		assert_int_equal(data->visits->len, cases[i].visits);
		assert_int_equal(data->samples->len, 16);
		store_data_free(data);
	}
}

static void
times_and_what_is_named_are_better_when_less(void **state)
{
	static const char *const lower[] = { "misses", NULL };
	const ImportWish wish = {
		.path = "x/my run.csv", .version = "0.1.0", .lower = lower
	};
	static const char text[] = HEADER "A,l,wall (s),1,1\n"
					  "A,l,misses,1,1\nA,l,hits,1,1\n";
	StoreData *data = imported_read(text, strlen(text), &wish, NULL);

	(void)state;
	assert_non_null(data);
	assert_string_equal(data->name, "my_run-imported");
	assert_string_equal(data->title, "my run");
	assert_string_equal(imported_from(data), "x/my run.csv");
	const DataLoad *load = data->loads->pdata[0];
	for (guint i = 0; i < 3; i++) {
		const DataMetric *metric = load->metrics->pdata[i];
		assert_true(metric->primary == (i == 0));
		assert_true(metric->higher_is_better == (i == 2));
	}
	store_data_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_tables_are_refused_with_file_and_line),
		cmocka_unit_test(what_has_no_end_is_refused),
		cmocka_unit_test(quotes_crlf_marks_and_comments_are_read),
		cmocka_unit_test(classes_follow_from_boots_and_starts),
		cmocka_unit_test(times_and_what_is_named_are_better_when_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
