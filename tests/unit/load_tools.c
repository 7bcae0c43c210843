#include "load_case.h"

static void
open_smack(LoadCase *test, const char *clients, const char *rounds)
{
	case_open(test, "super-smack");
	case_key(test, "smack", "select-key.smack");
	case_key(test, "clients", clients);
	case_key(test, "rounds", rounds);
}

static char *
read_data(const char *name)
{
	g_autofree char *path = g_strdup_printf("tests/data/load/%s", name);
	char *text = file_read(path, 1 << 20, NULL, NULL);

	assert_non_null(text);
	return text;
}

/* The reports of a file, one run each. */
static char **
reports(const char *name)
{
	g_autofree char *text = read_data(name);
	g_auto(GStrv) parts = g_strsplit(text, "Query Barrel Report", -1);
	g_autoptr(GPtrArray) runs = g_ptr_array_new();

	for (size_t i = 1; parts[i] != NULL; i++)
		g_ptr_array_add(
		    runs, g_strconcat("Query Barrel Report", parts[i], NULL));
	g_ptr_array_add(runs, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&runs), FALSE);
}

/* A report without a measured process around it. */
static bool
judge_text(LoadCase *test, const char *text)
{
	LoadOutput output = case_output(text);

	output.wall_ms = -1;
	return case_judge(test, &output);
}

static void
assert_reports(const char *name, const char *clients, const char *rounds,
    const double *qps, size_t n)
{
	LoadCase test;
	g_auto(GStrv) runs = reports(name);

	assert_int_equal(g_strv_length(runs), n);
	open_smack(&test, clients, rounds);
	for (size_t i = 0; i < n; i++) {
		if (!judge_text(&test, runs[i]))
			fail_msg("%s: %s", name, test.error->message);
		assert_sample(&test, "qps", qps[i]);
	}
	case_close(&test);
}

static void
reports_of_super_smack_give_the_rate_of_all_types(void **state)
{
	static const double keys[] = { 34471.81, 33924.31, 33955.01 };
	static const double updates[] = { 8365.10, 6200.72, 5360.88 };
	static const double public[] = { 5017.26 };
	static const double tutorial[] = { 4360.61 };

	(void)state;
	assert_reports(
	    "supersmack-select-key-local.txt", "10", "20000", keys, 3);
	assert_reports(
	    "supersmack-update-select-local.txt", "10", "10000", updates, 3);
	assert_reports(
	    "supersmack-public-select-key.txt", "20", "1000", public, 1);
	assert_reports("supersmack-tutorial.txt", "10", "1000", tutorial, 1);
}

static void
a_lost_client_of_super_smack_is_no_result(void **state)
{
	LoadCase test;
	g_autofree char *text = read_data("supersmack-killed-conn.txt");
	char *report = strstr(text, "Query Barrel");

	(void)state;
	open_smack(&test, "10", "20000");
	assert_false(judge_text(&test, text));
	assert_reason(&test, "it said: Error running query select * from");
	assert_false(judge_text(&test, report));
	assert_reason(&test, "clients_seen is 1, {clients} is 10");
	case_close(&test);
	open_smack(&test, "1", "20000");
	assert_false(judge_text(&test, report));
	assert_reason(&test, "every client sent all its queries");
	case_close(&test);
}

static void
the_table_probe_of_super_smack_is_no_error(void **state)
{
	LoadCase test;
	g_auto(GStrv) runs = reports("supersmack-select-key-local.txt");
	LoadOutput output = case_output(runs[0]);

	(void)state;
	open_smack(&test, "10", "20000");
	output.wall_ms = 11700;
	output.err = "Error running query select count(*) from http_auth:Table "
		     "'test.http_auth' doesn't exist\n";
	assert_true(case_judge(&test, &output));
	output.err = "Error running query select 1:Server has gone away\n";
	assert_false(case_judge(&test, &output));
	output.err = "";
	output.wall_ms = 11400; /* 400000 queries took 11604 ms */
	assert_false(case_judge(&test, &output));
	assert_reason(&test, "did not measure longer than it ran");
	g_autofree char *three = g_strjoinv("", runs);
	assert_false(judge_text(&test, three));
	assert_reason(&test, "more than once");
	g_autofree char *none = g_strdup(runs[0]);
	memcpy(strstr(none, "34471.81"), "n/a     ", 8);
	assert_false(judge_text(&test, none));
	assert_reason(&test, "qps");
	case_close(&test);
}

static void
open_slap(LoadCase *test, const char *clients, const char *queries)
{
	case_open(test, "mysqlslap");
	case_key(test, "query", "select 1");
	case_key(test, "clients", clients);
	case_key(test, "queries", queries);
}

static void
the_rate_of_mysqlslap_is_computed(void **state)
{
	LoadCase test;

	(void)state;
	open_slap(&test, "10", "20000");
	if (!case_file(&test, "mariadb-slap-local.txt"))
		fail_msg("%s", test.error->message);
	assert_sample(&test, "qps", 20000 / 50.020);
	case_close(&test);
	open_slap(&test, "4", "40003");
	if (!case_file(&test, "mariadb-slap-odd-local.txt"))
		fail_msg("%s", test.error->message);
	assert_sample(&test, "qps", 40000 / 0.887);
	case_close(&test);
}

static void
refuse_slap(const char *clients, const char *queries, const char *file,
    const char *reason)
{
	LoadCase test;

	open_slap(&test, clients, queries);
	if (case_file(&test, file))
		fail_msg("%s passed", file);
	assert_reason(&test, reason);
	case_close(&test);
}

static void
errors_and_several_blocks_of_mysqlslap_are_refused(void **state)
{
	(void)state;
	refuse_slap("1", "10", "mariadb-slap-error-local.txt",
	    "it said: mariadb-slap: Cannot run query");
	refuse_slap("600", "10", "mysqlslap-public-error.txt",
	    "Cannot run query UPDATE");
	refuse_slap(
	    "2", "400", "mariadb-slap-multi-local.txt", "more than once");
	refuse_slap("1", "400", "mariadb-slap-csv-local.txt",
	    "matches \"^Benchmark$\"");
	refuse_slap("9", "20000", "mariadb-slap-local.txt",
	    "clients_seen is 10, {clients} is 9");
	refuse_slap("10", "19999", "mariadb-slap-local.txt",
	    "no more queries than were asked for");
	refuse_slap("4", "40004", "mariadb-slap-odd-local.txt",
	    "no query is left out but for rounding");
}

static void
open_pgbench(LoadCase *test, const char *clients, const char *threads)
{
	case_open(test, "pgbench");
	case_key(test, "clients", clients);
	case_key(test, "threads", threads);
}

static void
pgbench_is_read_in_both_dialects(void **state)
{
	LoadCase test;
	g_autofree char *text = read_data("pgbench-old-2tps.txt");

	(void)state;
	open_pgbench(&test, "8", "2");
	if (!judge_text(&test, text))
		fail_msg("%s", test.error->message);
	assert_sample(&test, "tps", 9837.334350);
	assert_sample(&test, "lat_avg", 0.774);
	assert_true(isnan(case_sample(&test, "errors")));
	memcpy(strstr(text, "240000/"), "230000/", 7);
	assert_false(judge_text(&test, text));
	assert_reason(&test, "all transactions were done");
	case_close(&test);

	open_pgbench(&test, "4", "2");
	if (!case_file(&test, "pgbench-15-select-only-local.txt"))
		fail_msg("%s", test.error->message);
	assert_sample(&test, "tps", 16239.884880);
	assert_sample(&test, "errors", 0);
	g_autofree char *new = read_data("pgbench-15-select-only-local.txt");
	memcpy(strstr(new, "tps = 1"), "tps = 9", 7);
	assert_false(judge_text(&test, new));
	assert_reason(&test, "transactions over time are about the rate");
	case_close(&test);
}

/* Each report of a file, and what is whole. */
static void
refuse_beginnings(LoadCase *test, const char *name)
{
	if (g_str_has_prefix(name, "supersmack")) {
		g_auto(GStrv) runs = reports(name);
		for (size_t i = 0; runs[i] != NULL; i++)
			assert_beginnings_are_refused(test, name, runs[i]);
	} else {
		g_autofree char *text = read_data(name);
		assert_beginnings_are_refused(test, name, text);
	}
	case_close(test);
}

static void
any_beginning_of_an_output_is_refused(void **state)
{
	LoadCase test;

	(void)state;
	open_smack(&test, "10", "20000");
	refuse_beginnings(&test, "supersmack-select-key-local.txt");
	open_smack(&test, "10", "10000");
	refuse_beginnings(&test, "supersmack-update-select-local.txt");
	open_smack(&test, "20", "1000");
	refuse_beginnings(&test, "supersmack-public-select-key.txt");
	open_smack(&test, "10", "1000");
	refuse_beginnings(&test, "supersmack-tutorial.txt");
	open_slap(&test, "10", "20000");
	refuse_beginnings(&test, "mariadb-slap-local.txt");
	open_slap(&test, "4", "40003");
	refuse_beginnings(&test, "mariadb-slap-odd-local.txt");
	open_pgbench(&test, "8", "2");
	refuse_beginnings(&test, "pgbench-old-2tps.txt");
	open_pgbench(&test, "4", "2");
	refuse_beginnings(&test, "pgbench-15-select-only-local.txt");
}

static void
no_file_of_the_collection_is_forgotten(void **state)
{
	/* Files that a test of this program judges. */
	static const char *const judged[] = { "mariadb-slap-csv-local.txt",
		"mariadb-slap-error-local.txt", "mariadb-slap-local.txt",
		"mariadb-slap-multi-local.txt", "mariadb-slap-odd-local.txt",
		"mysqlslap-public-error.txt",
		"pgbench-15-select-only-local.txt", "pgbench-old-2tps.txt",
		"supersmack-killed-conn.txt",
		"supersmack-public-select-key.txt",
		"supersmack-select-key-local.txt", "supersmack-tutorial.txt",
		"supersmack-update-select-local.txt", NULL };
	g_autoptr(GDir) dir = g_dir_open("tests/data/load", 0, NULL);
	const char *name = NULL;

	(void)state;
	assert_non_null(dir);
	while ((name = g_dir_read_name(dir)) != NULL)
		if (!g_str_has_prefix(name, "sysbench-") &&
		    !g_strv_contains(judged, name))
			fail_msg("nobody judges %s", name);
}

static bool
writes(const char *name, const char *key, const char *value)
{
	LoadCase test;

	if (strcmp(name, "super-smack") == 0)
		open_smack(&test, "1", "1");
	else if (strcmp(name, "mysqlslap") == 0)
		open_slap(&test, "1", "1");
	else
		open_pgbench(&test, "1", "1");
	case_values(&test);
	load_set_value(test.values, key, value);
	g_autofree char *command =
	    load_expand_command(test.load.command, test.values, NULL);
	const bool yes = g_regex_match_simple(
	    test.load.def->writes, command, G_REGEX_MULTILINE | G_REGEX_RAW, 0);
	case_close(&test);
	return yes;
}

static void
what_is_not_known_to_read_is_taken_to_write(void **state)
{
	(void)state;
	assert_false(writes("super-smack", "smack", "/run/select-key.smack"));
	assert_true(writes("super-smack", "smack", "update-select.smack"));
	assert_true(writes("super-smack", "smack", "mine.smack"));
	assert_false(writes("mysqlslap", "query", " SELECT c FROM t;"));
	assert_true(writes("mysqlslap", "query", "select 1; delete from t"));
	assert_true(writes("mysqlslap", "query", "/tmp/file.sql"));
	assert_true(writes("mysqlslap", "query", "selection.sql"));
	assert_false(writes("pgbench", "test", "select-only"));
	assert_true(writes("pgbench", "test", "tpcb-like"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    reports_of_super_smack_give_the_rate_of_all_types),
		cmocka_unit_test(a_lost_client_of_super_smack_is_no_result),
		cmocka_unit_test(the_table_probe_of_super_smack_is_no_error),
		cmocka_unit_test(the_rate_of_mysqlslap_is_computed),
		cmocka_unit_test(
		    errors_and_several_blocks_of_mysqlslap_are_refused),
		cmocka_unit_test(pgbench_is_read_in_both_dialects),
		cmocka_unit_test(any_beginning_of_an_output_is_refused),
		cmocka_unit_test(no_file_of_the_collection_is_forgotten),
		cmocka_unit_test(what_is_not_known_to_read_is_taken_to_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
