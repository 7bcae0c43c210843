#include "load_case.h"

#include "base/error.h"

/* A definition with this one metric, "x", and more lines. */
static void
open_metric(LoadCase *test, const char *metric, const char *more)
{
	g_autofree char *text =
	    g_strdup_printf("help = \"a test\"; command = \"x\";\n"
			    "metrics = ( { name = \"x\"; %s } );\n%s",
		metric, more);

	case_parse(test, text);
}

static void
assert_value(const char *metric, const char *out, double wanted)
{
	LoadCase test;

	open_metric(&test, metric, "");
	if (!case_says(&test, out))
		fail_msg("%s", test.error->message);
	assert_sample(&test, "x", wanted);
	case_close(&test);
}

static void
assert_refused(const char *metric, const char *out, const char *reason)
{
	LoadCase test;

	open_metric(&test, metric, "");
	if (case_says(&test, out))
		fail_msg("\"%s\" passed", out);
	assert_true(
	    g_error_matches(test.error, ABRUN_ERROR, ABRUN_ERROR_FAILED));
	assert_reason(&test, reason);
	case_close(&test);
}

static void
the_choice_says_which_match_counts(void **state)
{
	static const char three[] = "x 1\nx 2\nx 4.5\n";

	(void)state;
	assert_value("regex = \"^x (\\\\S+)$\";", three, 4.5);
	assert_value(
	    "regex = \"^x (\\\\S+)$\"; choice = \"last\";", three, 4.5);
	assert_value("regex = \"^x (\\\\S+)$\"; choice = \"first\";", three, 1);
	assert_value("regex = \"^x (\\\\S+)$\"; choice = \"sum\";", three, 7.5);
	assert_refused("regex = \"^x (\\\\S+)$\"; choice = \"only\";", three,
	    "x stands in the output more than once");
	assert_value(
	    "regex = \"^x (\\\\S+)$\"; choice = \"only\";", "y\nx 3\nz\n", 3);
	assert_value("regex = \"^x (\\\\S+)$\";", "x n/a\nx 3\n", 3);
	assert_refused("regex = \"^x (\\\\S+)$\"; choice = \"sum\";",
	    "x n/a\nx 3\n", "x is no plain number in \"x n/a\"");
}

static void
only_plain_whole_numbers_are_read(void **state)
{
	static const char *const bad[] = { "1234,5", "1.234.5", "1,234.5",
		"nan", "inf", "-inf", "0x10", "", "1e999", "--5", "1-2",
		"\xd9\xa3", "1_000" };
	static const char token[] = "regex = \"^x=(\\\\S*)$\"; min = -1e9;";
	static const char digits[] = "regex = \"x=([0-9.]+)\"; min = -1e9;";

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autofree char *out = g_strdup_printf("x=%s\n", bad[i]);
		assert_refused(token, out, "x is no plain number in \"x=");
	}
	assert_value(token, "x=-1.5e+3\n", -1500);
	/* A pattern that stops in the middle of a number. */
	assert_refused(digits, "x=1234,5 q/s\n", "no plain number");
	assert_refused(digits, "x=1.5e+06\n", "no plain number");
	assert_refused(digits, "x=12.5k\n", "no plain number");
	assert_value(digits, "x=12.5 k\n", 12.5);
	assert_value(digits, "x=12.5ms\n", 12.5);
	assert_value(digits, "x=12, y\n", 12);
	assert_refused("regex = \"([0-9]+) q/s\"; min = -1e9;", "x=-5 q/s\n",
	    "no plain number");
	assert_refused(
	    "regex = \"([0-9]{2}) q/s\";", "x=1234 q/s\n", "no plain number");
	/* What a pattern says about the surroundings is its own business. */
	assert_value("regex = \"^a,([0-9.]+),[0-9]\";", "a,1.5,7\n", 1.5);
	assert_refused("regex = \"^x=(?:none|(\\\\d+))$\";", "x=none\n",
	    "no plain number");
}

static void
values_out_of_range_are_accidents(void **state)
{
	static const char metric[] =
	    "regex = \"^x (\\\\S+)$\"; min = 1; max = 10.5;";

	(void)state;
	assert_value(metric, "x 1\n", 1);
	assert_value(metric, "x 10.5\n", 10.5);
	assert_refused(
	    metric, "x 0.99\n", "x = 0.99 is not between 1 and 10.5");
	assert_refused(metric, "x 10.51\n", "is not between");
	assert_refused("regex = \"^x (\\\\S+)$\";", "x -1\n",
	    "is not between 0 and 1e+12");
	assert_refused("regex = \"^x (\\\\S+)$\";",
	    "x 18446842801212211200.00\n", "is not between");
}

static void
absence_is_a_refusal_unless_optional(void **state)
{
	LoadCase test;

	(void)state;
	assert_refused("regex = \"^x (\\\\S+)$\";", "y 1\n",
	    "no x: nothing in the output matches \"^x (\\S+)$\"");
	assert_refused(
	    "regex = \"^x (\\\\S+)$\";", " \n\r\n", "no x: it printed nothing");
	open_metric(&test, "regex = \"^x (\\\\S+)$\"; optional = true;", "");
	test.load.primary = (char *)"wall";
	assert_true(case_says(&test, "y 1\n"));
	assert_true(isnan(case_sample(&test, "x")));
	assert_sample(&test, "wall", 3);
	case_close(&test);
}

static void
a_run_without_its_primary_metric_is_no_run(void **state)
{
	LoadCase test;
	LoadOutput output = case_output("y 1\n");

	(void)state;
	open_metric(&test, "regex = \"^x (\\\\S+)$\"; optional = true;", "");
	test.load.primary = (char *)"x";
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "no x, its primary metric");
	assert_int_equal(test.samples->len, 0);
	assert_true(case_says(&test, "x 1\n"));
	case_close(&test);

	open_metric(&test, "regex = \"^y (\\\\S+)$\";", "");
	test.load.primary = (char *)"maxrss";
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "no maxrss, its primary metric");
	output.maxrss_kb = 1024;
	assert_true(case_judge(&test, &output));
	case_close(&test);
}

static void
a_run_that_took_no_time_is_no_run(void **state)
{
	static const int64_t never[] = { 0, -2, -3000, INT64_MIN };
	LoadCase test;
	LoadOutput output = case_output("x 1\n");

	(void)state;
	open_metric(&test, "regex = \"^x (\\\\S+)$\";", "");
	for (size_t i = 0; i < G_N_ELEMENTS(never); i++) {
		output.wall_ms = never[i];
		assert_false(case_judge(&test, &output));
		assert_reason(&test, "ms of wall time, which cannot be");
		assert_int_equal(test.samples->len, 0);
	}
	output.wall_ms = 1;
	assert_true(case_judge(&test, &output));
	case_close(&test);
}

static void
standard_error_is_read_when_output_has_nothing(void **state)
{
	LoadCase test;
	LoadOutput output = case_output("y 1\n");

	(void)state;
	open_metric(&test, "regex = \"^x (\\\\S+)$\"; choice = \"only\";", "");
	output.err = "x 5\n";
	assert_true(case_judge(&test, &output));
	assert_sample(&test, "x", 5);
	output.out = "x 6\n";
	assert_true(case_judge(&test, &output));
	assert_sample(&test, "x", 6);
	case_close(&test);
}

static void
D59_a_number_too_small_for_its_digits_is_told(void **state)
{
	static const struct {
		const char *out;
		bool vanished;
	} cases[] = { { "x 0.0000\n", true }, { "x -0.0\n", true },
		{ "x 0\n", false }, { "x 0.01\n", false }, { "x 0e0\n", false },
		{ "x 0.00\nx 1.00\n", false }, { "x 1.00\nx 0.00\n", true } };
	LoadCase test;

	(void)state;
	open_metric(&test, "regex = \"^x (\\\\S+)$\";", "");
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		if (!case_says(&test, cases[i].out))
			fail_msg("%s", test.error->message);
		const LoadSample *sample = test.samples->pdata[0];
		assert_string_equal(sample->metric, "x");
		if (sample->vanished != cases[i].vanished)
			fail_msg("%s", cases[i].out);
	}
	case_close(&test);
}

static void
any_line_end_is_a_line_end(void **state)
{
	static const char metric[] =
	    "regex = \"^x (\\\\S+)$\"; choice = \"only\";";

	(void)state;
	assert_value(metric, "a\r\nx 3\r\nb\r\n", 3);
	assert_value(metric, "10%\r50%\rx 3\r", 3);
	assert_value(metric, "x 3", 3);
	assert_value(metric, "\xff\xfe\nx 3\n", 3);
}

static void
bad_ends_are_refused_with_last_words(void **state)
{
	LoadCase test;
	LoadOutput output = case_output("x 1\n");

	(void)state;
	open_metric(&test, "regex = \"^x (\\\\S+)$\";", "exit_status = 3;");
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "exit status 0 where 3 is wanted (last: x 1)");
	output.status = 3;
	assert_true(case_judge(&test, &output));
	output.err = "oh\nno\033[2J\n\n";
	output.status = 1;
	assert_false(case_judge(&test, &output));
	assert_reason(
	    &test, "exit status 1 where 3 is wanted (last: no\\x1b[2J)");
	output.status = -1;
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "exit status is not known");
	output.status = 3;
	output.signal = "SEGV";
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "ended by signal SEGV");
	output.timed_out = true;
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "did not end within 1 min and was stopped");
	case_close(&test);
}

static void
forbidden_words_in_either_stream_fail_a_run(void **state)
{
	LoadCase test;
	LoadOutput output = case_output("x 1\nFATAL: gone\n");

	(void)state;
	open_metric(&test, "regex = \"^x (\\\\S+)$\";",
	    "forbid = [ \"^FATAL\", \"^lost \" ]; require = [ \"^x\" ];");
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "it said: FATAL: gone");
	output.out = "x 1\n";
	output.err = "we lost nothing\nlost all\n";
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "it said: lost all");
	output.err = "we lost nothing\n";
	assert_true(case_judge(&test, &output));
	output.out = "";
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "nothing in it matches \"^x\"");
	output.err = "";
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "it printed nothing");
	case_close(&test);
}

static void
figures_are_computed_and_compared(void **state)
{
	LoadCase test;

	(void)state;
	open_metric(&test, "formula = \"(n - 1) / seconds * 2\";",
	    "numbers = ( { name = \"n\"; regex = \"^n (\\\\S+)$\"; },\n"
	    " { name = \"seconds\"; regex = \"^s (\\\\S+)$\"; },\n"
	    " { name = \"maybe\"; regex = \"^m (\\\\S+)$\"; optional = true; } "
	    ");\n"
	    "checks = ( { what = \"n is about 100\"; left = \"n\"; right = "
	    "\"{run}01 - 1\"; within = 0.01; },\n"
	    " { what = \"few\"; left = \"maybe\"; right = \"n / 50\"; at_most "
	    "= true; } );");
	assert_true(case_says(&test, "n 101\ns 4\n"));
	assert_sample(&test, "x", 50);
	assert_true(isnan(case_sample(&test, "n")));
	assert_true(case_says(&test, "n 101\ns 4\nm 2.02\n"));
	assert_true(case_says(&test, "n 101\ns 4\nm 0\n"));
	assert_false(case_says(&test, "n 101\ns 4\nm 2.03\n"));
	assert_reason(
	    &test, "contradict \"few\": maybe is 2.03, n / 50 is 2.02");
	assert_false(case_says(&test, "n 102\ns 4\n"));
	assert_reason(&test, "contradict \"n is about 100\": n is 102");
	assert_false(case_says(&test, "n 101\ns 0\n"));
	assert_reason(&test, "has no finite value");
	assert_false(case_says(&test, "n 101\n"));
	assert_reason(&test, "no seconds: nothing in the output");
	case_close(&test);
}

static void
the_process_bounds_what_its_output_says(void **state)
{
	LoadCase test;
	LoadOutput output = case_output("s 3\n");

	(void)state;
	open_metric(&test, "regex = \"^s (\\\\S+)$\";",
	    "checks = ( { what = \"no longer than it ran\"; left = \"x\"; "
	    "right = \"wall\"; at_most = true; } );");
	assert_true(case_judge(&test, &output));
	output.wall_ms = 2999;
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "x is 3, wall is 2.999");
	output.wall_ms = -1;
	assert_true(case_judge(&test, &output));
	assert_true(isnan(case_sample(&test, "wall")));
	case_close(&test);
}

static void
every_run_has_its_process_figures(void **state)
{
	LoadCase test;
	LoadOutput output = case_output("");

	(void)state;
	case_open(&test, "command");
	assert_true(case_judge(&test, &output));
	assert_int_equal(test.samples->len, 1);
	assert_sample(&test, "wall", 3);
	output.user_ms = 0;
	output.sys_ms = 250;
	output.maxrss_kb = 1536;
	assert_true(case_judge(&test, &output));
	assert_int_equal(test.samples->len, 4);
	assert_sample(&test, "user", 0);
	assert_sample(&test, "sys", 0.25);
	assert_sample(&test, "maxrss", 1.5);
	assert_string_equal(loaddef_process_metrics[3].unit, "MiB");
	assert_string_equal(test.load.primary, "wall");
	output.status = 2;
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "exit status 2");
	case_close(&test);
}

static void
a_bad_pattern_cannot_hold_up_the_night(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);

	(void)state;
	for (int i = 0; i < 4000; i++)
		g_string_append_c(out, 'a');
	g_string_append(out, "!\n5\n");
	assert_refused("regex = \"(?:a|aa)+(\\\\d)\";", out->str,
	    "was given up: it takes too many steps");
}

/* Long output is searched in pieces: nothing may be lost between them. */
static void
long_output_is_read_to_its_end(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);

	(void)state;
	for (int i = 0; i < 20000; i++)
		g_string_append_printf(out, "x %d\n", 1000 + i % 7);
	double sum = 0;
	for (int i = 0; i < 20000; i++)
		sum += 1000 + i % 7;
	assert_value(
	    "regex = \"^x (\\\\d+)$\"; choice = \"sum\";", out->str, sum);
	assert_value(
	    "regex = \"^x (\\\\d+)$\"; choice = \"first\";", out->str, 1000);
	g_string_append(out, "final\nx 99\n");
	assert_value("regex = \"^final\\nx (\\\\d+)$\";", out->str, 99);
}

static void
very_long_lines_are_cut_at_a_blank(void **state)
{
	g_autoptr(GString) out = g_string_new("x 1 ");

	(void)state;
	while (out->len < LOAD_LINE_BYTES - 6)
		g_string_append_c(out, '.');
	g_string_append(out, " y 123456 z 5\n");
	assert_value(
	    "regex = \"^x (\\\\d+) \"; choice = \"only\";", out->str, 1);
	assert_refused(
	    "regex = \"y (\\\\d+)\";", out->str, "(very long lines were cut)");
}

static void
cut_output_gives_only_what_stands_last(void **state)
{
	static const char out[] = "x 1\n[abrun: 300000000 bytes cut]\nx 2\n";

	(void)state;
	assert_value("regex = \"^x (\\\\S+)$\";", out, 2);
	assert_refused("regex = \"^x (\\\\S+)$\"; choice = \"sum\";", out,
	    "x cannot be read: the output was too large to be kept whole");
	assert_refused("regex = \"^z (\\\\S+)$\"; choice = \"only\";", out,
	    "no x: nothing in the output");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_choice_says_which_match_counts),
		cmocka_unit_test(only_plain_whole_numbers_are_read),
		cmocka_unit_test(values_out_of_range_are_accidents),
		cmocka_unit_test(absence_is_a_refusal_unless_optional),
		cmocka_unit_test(a_run_without_its_primary_metric_is_no_run),
		cmocka_unit_test(a_run_that_took_no_time_is_no_run),
		cmocka_unit_test(
		    standard_error_is_read_when_output_has_nothing),
		cmocka_unit_test(D59_a_number_too_small_for_its_digits_is_told),
		cmocka_unit_test(any_line_end_is_a_line_end),
		cmocka_unit_test(bad_ends_are_refused_with_last_words),
		cmocka_unit_test(forbidden_words_in_either_stream_fail_a_run),
		cmocka_unit_test(figures_are_computed_and_compared),
		cmocka_unit_test(the_process_bounds_what_its_output_says),
		cmocka_unit_test(every_run_has_its_process_figures),
		cmocka_unit_test(a_bad_pattern_cannot_hold_up_the_night),
		cmocka_unit_test(long_output_is_read_to_its_end),
		cmocka_unit_test(very_long_lines_are_cut_at_a_blank),
		cmocka_unit_test(cut_output_gives_only_what_stands_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
