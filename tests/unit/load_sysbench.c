#include "load_case.h"

/* Every file of sysbench output there is, and what must be made of it. */
static const struct {
	const char *file;
	const char *threads;
	double tps, qps, lat_avg, lat_p95, errors; /* NAN: must not be there */
} good[] = {
	{ "sysbench-0.4.12-hgxl64-ro4.txt", "4", 15085.31, NAN, 0.26, 0.33, 0 },
	{ "sysbench-0.5-32thr-summary.txt", "32", 14319.78, NAN, 2.23, 2.35,
	    0 },
	{ "sysbench-0.5early-hgxl64-rw128.txt", "128", 1284.17, NAN, 99.67, NAN,
	    0 },
	{ "sysbench-1.0-histogram-local.txt", "4", 504.21, 504.21, 7.73, 20,
	    0 },
	{ "sysbench-1.0-oltp_point_select-local.txt", "10", 1676.64, 1676.64,
	    5.92, 7.30, 0 },
	{ "sysbench-1.0-oltp_read_only-local.txt", "10", 12.17, 194.78, 800.72,
	    6960.17, 0 },
	{ "sysbench-1.0-oltp_read_write-local.txt", "10", 7.91, 158.25, 1248.65,
	    4599.99, 0 },
	{ "sysbench-1.0-oltp_update_index-local.txt", "4", 4519.55, 4519.55,
	    0.88, 2.57, 0 },
	{ "sysbench-1.0-p0-local.txt", "4", 28021.84, 28021.84, 0.14, NAN, 0 },
	{ "sysbench-1.1-layout.txt", "64", 7199.06, 143981.24, 8.88, 9.39, 0 },
};

static const struct {
	const char *file;
	const char *threads;
	const char *reason;
} bad[] = {
	{ "sysbench-0.5-garbage-interval.txt", "16", "is not complete" },
	{ "sysbench-1.0-connect-fail-local.txt", "2",
	    "FATAL: unable to connect to MySQL server" },
	{ "sysbench-1.0-deadlocks-local.txt", "16",
	    "errors is 529, transactions / 100 is 6.38" },
	{ "sysbench-1.0-events-p99-local.txt", "4",
	    "seconds = 0.0227 is not between 0.1" },
	{ "sysbench-1.0-fatal-local.txt", "2",
	    "FATAL: mysql_stmt_prepare() failed" },
	{ "sysbench-1.0-fatal-truncated.txt", "2",
	    "FATAL: mysql_drv_query() returned error 1290" },
	{ "sysbench-1.0-killed-conn-local.txt", "2",
	    "FATAL: mysql_stmt_execute() returned error 2006" },
	{ "sysbench-1.0-sigterm-local.txt", "2", "is not complete" },
};

static void
open_sysbench(LoadCase *test, const char *threads)
{
	case_open(test, "sysbench");
	case_key(test, "test", "oltp_point_select");
	case_key(test, "threads", threads);
}

static void
assert_metric(const LoadCase *test, const char *metric, double wanted)
{
	if (isnan(wanted))
		assert_true(isnan(case_sample(test, metric)));
	else
		assert_sample(test, metric, wanted);
}

static void
D55_outputs_of_all_versions_give_their_figures(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		LoadCase test;
		open_sysbench(&test, good[i].threads);
		if (!case_file(&test, good[i].file))
			fail_msg("%s: %s", good[i].file, test.error->message);
		assert_metric(&test, "tps", good[i].tps);
		assert_metric(&test, "qps", good[i].qps);
		assert_metric(&test, "lat_avg", good[i].lat_avg);
		assert_metric(&test, "lat_p95", good[i].lat_p95);
		assert_metric(&test, "errors", good[i].errors);
		case_close(&test);
	}
}

static void
failed_and_cut_outputs_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		LoadCase test;
		open_sysbench(&test, bad[i].threads);
		if (case_file(&test, bad[i].file))
			fail_msg("%s passed", bad[i].file);
		assert_reason(&test, bad[i].reason);
		case_close(&test);
	}
}

static void
no_file_of_the_collection_is_forgotten(void **state)
{
	g_autoptr(GDir) dir = g_dir_open("tests/data/load", 0, NULL);
	const char *name = NULL;
	size_t seen = 0;

	(void)state;
	assert_non_null(dir);
	while ((name = g_dir_read_name(dir)) != NULL)
		seen += g_str_has_prefix(name, "sysbench-") ? 1 : 0;
	assert_int_equal(seen, G_N_ELEMENTS(good) + G_N_ELEMENTS(bad));
}

static void
another_number_of_threads_is_refused(void **state)
{
	LoadCase test;

	(void)state;
	open_sysbench(&test, "8");
	assert_false(
	    case_file(&test, "sysbench-1.0-oltp_point_select-local.txt"));
	assert_reason(&test, "threads_used is 10, {threads} is 8");
	case_close(&test);
}

/*
 * D55: what 0.4 calls "Read, Write" and "per-request statistics" and 0.5
 * otherwise are the same figures under the same names.
 */
static void
D55_the_words_of_a_version_do_not_matter(void **state)
{
	static const char *const words[][2] = {
		{ "sysbench 0.4.12: ", "sysbench 0.5: " },
		{ "Test execution summary:", "General statistics:" },
		{ "per-request statistics:", "response time:" },
		{ "    deadlocks:       ", "    ignored errors:  " },
	};
	LoadCase test;
	g_autofree char *text =
	    file_read("tests/data/load/sysbench-0.4.12-hgxl64-ro4.txt", 1 << 20,
		NULL, NULL);
	g_autoptr(GString) later = g_string_new(text);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_string_replace(later, words[i][0], words[i][1], 1) != 1)
			fail_msg("no %s", words[i][0]);
	open_sysbench(&test, "4");
	LoadOutput output = case_output(later->str);
	output.wall_ms = -1;
	if (!case_judge(&test, &output))
		fail_msg("%s", test.error->message);
	assert_metric(&test, "tps", 15085.31);
	assert_metric(&test, "lat_avg", .26);
	assert_metric(&test, "lat_p95", .33);
	assert_metric(&test, "errors", 0);
	case_close(&test);
}

/* The good output with one piece of text replaced. */
static void
refuse_forged(const char *from, const char *to, const char *reason)
{
	LoadCase test;
	g_autofree char *text =
	    file_read("tests/data/load/sysbench-1.0-oltp_point_select-local"
		      ".txt",
		1 << 20, NULL, NULL);
	g_autoptr(GString) forged = g_string_new(text);

	assert_int_equal(g_string_replace(forged, from, to, 1), 1);
	open_sysbench(&test, "10");
	LoadOutput output = case_output(forged->str);
	output.wall_ms = 8300;
	if (case_judge(&test, &output))
		fail_msg("\"%s\" for \"%s\" passed", to, from);
	assert_reason(&test, reason);
	case_close(&test);
}

static void
figures_that_contradict_each_other_are_refused(void **state)
{
	(void)state;
	refuse_forged("(1676.64 per sec.)\n    queries",
	    "(2676.64 per sec.)\n    queries",
	    "transactions over time are the rate");
	refuse_forged("number of events:              13753",
	    "number of events:              13752", "one transaction");
	refuse_forged("reconnects:                          0",
	    "reconnects:                          1", "reconnects:");
	refuse_forged(
	    "(1676.64 per sec.)", "(nan per sec.)", "tps is no plain number");
	refuse_forged("5.92\n", "inf\n", "lat_avg is no plain number");
	refuse_forged("13753  (1676.64 per sec.)\n    queries",
	    "13753  (1606.40 per sec.)\n    queries",
	    "transactions over time are the rate");
	refuse_forged("13753  (1676.64 per sec.)\n    queries",
	    "13753  (1696.64 per sec.)\n    queries",
	    "transactions over time are the rate");
	refuse_forged("8.2016s", "0.0000s", "seconds = 0 is not between");
	refuse_forged("Threads fairness",
	    "SQL statistics:\n"
	    "    transactions:                        9  (1.00 per sec.)\n",
	    "more than once");
}

static void
D54_an_underflowed_rate_is_refused(void **state)
{
	(void)state;
	refuse_forged("(1676.64 per sec.)",
	    "(18446842801212211200.00 per sec.)",
	    "tps = 1.84468428e+19 is not between");
}

static void
D57_a_decimal_comma_is_refused(void **state)
{
	(void)state;
	refuse_forged("(1676.64 per sec.)", "(1676,64 per sec.)",
	    "tps is no plain number in \"transactions: ");
	refuse_forged("8.2016s", "8,2016s", "seconds is no plain number");
	refuse_forged("avg:                                    5.92",
	    "avg:                                    5,92",
	    "lat_avg is no plain number");
}

/* It gives up waiting for its threads and still ends with 0. */
static void
C47_a_forced_end_is_refused_whatever_the_status(void **state)
{
	(void)state;
	refuse_forged("Threads started!\n",
	    "Threads started!\nFATAL: The --time limit has expired, forcing "
	    "shutdown...\n",
	    "it said: FATAL: The --time limit has expired");
	refuse_forged("    execution time (avg/stddev):",
	    "Time limit exceeded, exiting...\n    execution (avg/stddev):",
	    "is not complete");
}

/* As seen with six runnable threads a CPU: the rate was taken 93 ms later. */
static void
a_rate_that_was_taken_late_is_good(void **state)
{
	LoadCase test;
	g_autofree char *text =
	    file_read("tests/data/load/sysbench-1.0-oltp_point_select-local"
		      ".txt",
		1 << 20, NULL, NULL);
	g_autoptr(GString) late = g_string_new(text);

	(void)state;
	assert_int_equal(g_string_replace(late, "1676.64", "6601.98", 0), 2);
	assert_true(g_string_replace(late, "13753", "21127", 0) > 1);
	assert_int_equal(g_string_replace(late, "8.2016s", "3.1070s", 1), 1);
	open_sysbench(&test, "10");
	LoadOutput output = case_output(late->str);
	output.wall_ms = 3400;
	if (!case_judge(&test, &output))
		fail_msg("refused: %s", test.error->message);
	assert_metric(&test, "tps", 6601.98);
	case_close(&test);
}

/* The end of a run bounds what its output says of its time. */
static void
a_run_longer_than_its_process_is_refused(void **state)
{
	LoadCase test;
	g_autofree char *text =
	    file_read("tests/data/load/sysbench-1.0-oltp_read_only-local.txt",
		1 << 20, NULL, NULL);

	(void)state;
	open_sysbench(&test, "10");
	LoadOutput output = case_output(text);
	output.wall_ms = 8400;
	assert_true(case_judge(&test, &output));
	output.wall_ms = 8200;
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "did not measure longer than it ran");
	case_close(&test);
}

static void
any_beginning_of_an_output_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
		LoadCase test;
		g_autofree char *path =
		    g_strdup_printf("tests/data/load/%s", good[i].file);
		g_autofree char *text = file_read(path, 1 << 20, NULL, NULL);
		char *note = strstr(text, "\n# exit status"); /* not its own */
		if (note != NULL)
			*note = '\0';
		open_sysbench(&test, good[i].threads);
		assert_beginnings_are_refused(&test, good[i].file, text);
		case_close(&test);
	}
}

static bool
writes(const char *name)
{
	LoadCase test;

	case_open(&test, "sysbench");
	case_key(&test, "test", name);
	case_values(&test);
	g_autofree char *command =
	    load_expand_command(test.load.command, test.values, NULL);
	assert_non_null(command);
	const bool yes = g_regex_match_simple(
	    test.load.def->writes, command, G_REGEX_MULTILINE | G_REGEX_RAW, 0);
	case_close(&test);
	return yes;
}

static void
only_tests_known_to_read_are_taken_for_readers(void **state)
{
	static const char *const readers[] = { "oltp_point_select",
		"oltp_read_only", "select_random_points",
		"select_random_ranges",
		"/usr/share/sysbench/oltp_read_only.lua" };
	static const char *const writers[] = { "oltp_update_index",
		"oltp_update_non_index", "oltp_insert", "oltp_delete",
		"oltp_read_write", "oltp_write_only", "bulk_insert", "mine.lua",
		"/oltp_read_only/mine.lua", "oltp_read_only_not.lua" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(readers); i++)
		if (writes(readers[i]))
			fail_msg("%s writes", readers[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(writers); i++)
		if (!writes(writers[i]))
			fail_msg("%s does not write", writers[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    D55_outputs_of_all_versions_give_their_figures),
		cmocka_unit_test(failed_and_cut_outputs_are_refused),
		cmocka_unit_test(no_file_of_the_collection_is_forgotten),
		cmocka_unit_test(another_number_of_threads_is_refused),
		cmocka_unit_test(D55_the_words_of_a_version_do_not_matter),
		cmocka_unit_test(
		    figures_that_contradict_each_other_are_refused),
		cmocka_unit_test(D54_an_underflowed_rate_is_refused),
		cmocka_unit_test(D57_a_decimal_comma_is_refused),
		cmocka_unit_test(
		    C47_a_forced_end_is_refused_whatever_the_status),
		cmocka_unit_test(a_rate_that_was_taken_late_is_good),
		cmocka_unit_test(a_run_longer_than_its_process_is_refused),
		cmocka_unit_test(any_beginning_of_an_output_is_refused),
		cmocka_unit_test(
		    only_tests_known_to_read_are_taken_for_readers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
