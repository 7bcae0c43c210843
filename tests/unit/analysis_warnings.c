#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "analysis/analysis.h"

#include "nights.h"

/* Two libraries, six rounds on six boots, in orders that differ. */
static StoreData *
good_night(void)
{
	StoreData *data = night_of_two(
	    "good", "library", CLASS_SERVER, "libpthread", "libthr");

	data->rounds = 6;
	data->runs_wanted = 3;
	for (size_t round = 1; round <= 6; round++) {
		const int64_t boot = night_boot(data, 0, true);
		for (size_t i = 0; i < 2; i++) {
			const size_t cell = (i + round) % 2;
			DataVisit *visit = night_visit(data, round, cell, boot);
			night_start(data, visit);
			for (int run = 1; run <= 3; run++)
				night_run(data, visit, cell, 0, run,
				    100 + (double)(round * 5 % 7) +
					(double)((run * 2 + (int)round) % 3));
		}
	}
	return data;
}

/* How many warnings hold a text. */
static size_t
warned(const StoreData *data, const char *text)
{
	Analysis *analysis = analysis_new(data);
	size_t n = 0;

	for (size_t i = 0; i < analysis->warnings->len; i++)
		if (strstr(analysis->warnings->pdata[i], text) != NULL)
			n++;
	analysis_free(analysis);
	return n;
}

static void
a_good_night_has_no_warnings(void **state)
{
	StoreData *data = good_night();

	(void)state;
	assert_int_equal(warned(data, ""), 0);
	store_data_free(data);
}

static void
one_boot_is_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	for (size_t i = 0; i < data->visits->len; i++)
		((DataVisit *)data->visits->pdata[i])->boot = 1;
	assert_int_equal(warned(data, "All from one boot"), 1);
	store_data_free(data);
}

static void
what_failed_is_told_with_its_reason(void **state)
{
	StoreData *data = good_night();

	(void)state;
	DataVisit *visit = data->visits->pdata[3];
	visit->status = VISIT_FAILED;
	visit->reason = g_strdup("mysqld did not start");
	assert_int_equal(
	    warned(data,
		"1 of 12 planned visits gave no valid figures: round "
		"2, libthr failed: mysqld did not start."),
	    1);
	/* More than a few are counted and listed elsewhere. */
	for (size_t i = 4; i < 9; i++)
		((DataVisit *)data->visits->pdata[i])->status = VISIT_INVALID;
	assert_int_equal(warned(data, "6 of 12 planned visits"), 1);
	assert_int_equal(warned(data, "did not start"), 0);
	store_data_free(data);
}

static void
a_repeated_visit_is_not_missing(void **state)
{
	StoreData *data = good_night();

	(void)state;
	DataVisit *visit = night_visit(data, 2, 0, 2);
	visit->status = VISIT_SUPERSEDED;
	visit->reason = g_strdup("the boot was lost");
	visit->attempt = 2;
	assert_int_equal(warned(data, "All planned visits are valid"), 1);
	assert_int_equal(warned(data, "(then repeated, and valid)"), 1);
	store_data_free(data);
}

static void
rounds_not_begun_are_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	data->rounds = 8;
	assert_int_equal(warned(data, "rounds 7-8 of 8 were not begun"), 1);
	store_data_free(data);
}

static void
settings_left_changed_are_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	g_ptr_array_add(data->left, g_strdup("sysctl a\033=1"));
	assert_int_equal(warned(data, "not undone: sysctl a\\x1b=1."), 1);
	store_data_free(data);
}

static void
flags_are_told_and_their_runs_used(void **state)
{
	StoreData *data = good_night();

	(void)state;
	((DataRun *)data->runs->pdata[4])->flag = g_strdup("busy");
	assert_int_equal(
	    warned(data, "round 1, libpthread, load, run 2: busy"), 1);
	((DataRun *)data->runs->pdata[5])->flag = g_strdup("busy");
	assert_int_equal(warned(data, "2 runs were flagged"), 1);
	store_data_free(data);
}

static void
the_same_order_in_every_round_is_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	for (size_t i = 0; i < data->visits->len; i++)
		((DataVisit *)data->visits->pdata[i])->server = i % 2;
	assert_int_equal(warned(data, "in the same order"), 1);
	store_data_free(data);
}

static void
hazards_of_the_host_are_told(void **state)
{
	static const struct {
		const char *key, *value, *text;
	} cases[] = {
		{ "virt", "kvm", "lab1: a virtual machine or container (kvm)" },
		{ "governor", "powersave", "governor powersave" },
		{ "swap_used_kb", "2048", "2 MB of swap in use" },
		{ "swap_used_kb", "12", "12 kB of swap in use" },
		{ "kernel", "6.1.0-debug", "a debug kernel (6.1.0-debug)" },
		{ "witness", "on", "debug option witness is on" },
		{ "tainted", "640", "it has had an oops" },
	}, harmless[] = {
		{ "virt", "none", "" },
		{ "governor", "performance", "" },
		{ "swap_used_kb", "0", "" },
		{ "kernel", "6.1.0", "" },
		{ "tainted", "4097", "" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		StoreData *data = good_night();
		/* The third boot saw it, the others not. */
		night_fact(data, "boot", 3, cases[i].key, cases[i].value);
		assert_int_equal(warned(data, cases[i].text), 1);
		store_data_free(data);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(harmless); i++) {
		StoreData *data = good_night();
		night_fact(data, "boot", 3, harmless[i].key, harmless[i].value);
		assert_int_equal(warned(data, ""), 0);
		store_data_free(data);
	}
}

static void
one_file_under_two_names_is_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	night_fact(data, "host", 0, "library.libthr.sha256", "ab12");
	night_fact(data, "host", 0, "library.libpthread.sha256", "ab12");
	assert_int_equal(
	    warned(data, "one and the same library: libthr and libpthread"), 1);
	store_data_free(data);
}

static void
two_binaries_are_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	((DataStart *)data->starts->pdata[2])->exe_sha256 = g_strdup("aa");
	assert_int_equal(warned(data, "More than one server binary"), 0);
	((DataStart *)data->starts->pdata[5])->exe_sha256 = g_strdup("bb");
	assert_int_equal(warned(data, "More than one server binary"), 1);
	store_data_free(data);
}

static void
a_valid_visit_with_a_failed_proof_is_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	night_proof(data, data->visits->pdata[0], true, "library", "x", 3);
	assert_int_equal(warned(data, "proofs do not hold"), 0);
	night_proof(data, data->visits->pdata[0], true, "library", "x", 2);
	assert_int_equal(warned(data, "proofs do not hold"), 1);
	store_data_free(data);
}

static void
drift_over_rounds_is_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	for (size_t i = 0; i < data->samples->len; i++)
		((DataSample *)data->samples->pdata[i])->value *=
		    exp(-.05 * (double)(i / 6));
	assert_int_equal(warned(data, "load: drift over the rounds, -2"), 1);
	store_data_free(data);
}

/* Kendall's p of 6 values with two pairs out of order is 40/720. */
static void
an_order_that_chance_gives_is_no_drift(void **state)
{
	static const size_t order[] = { 0, 2, 1, 3, 5, 4 };
	StoreData *data = good_night();

	(void)state;
	for (size_t i = 0; i < data->samples->len; i++)
		((DataSample *)data->samples->pdata[i])->value =
		    100 - (double)order[i / 6];
	assert_int_equal(warned(data, "drift over the rounds"), 0);
	store_data_free(data);
}

static void
a_first_run_that_differs_is_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	for (size_t i = 0; i < data->samples->len; i += 3)
		((DataSample *)data->samples->pdata[i])->value *= 1.08;
	assert_int_equal(warned(data, "the warm-up is too short"), 1);
	store_data_free(data);
}

static void
grave_events_are_told(void **state)
{
	StoreData *data = good_night();

	(void)state;
	night_event(data, 1767910500, 0, "retry", "again");
	assert_int_equal(warned(data, "again"), 0);
	night_event(data, 1767910500, 0, "unexpected reboot", "id 7");
	assert_int_equal(
	    warned(data, "22:15 UTC, lab1: unexpected reboot: id 7."), 1);
	night_event(data, 1767910500, SIZE_MAX, "extended",
	    "from 5 to 10 rounds after looking");
	assert_int_equal(warned(data,
			     "The run was extended from 5 to 10 rounds after "
			     "looking."),
	    1);
	store_data_free(data);
}

/* How many of the events that are listed besides hold a text. */
static size_t
listed(const StoreData *data, const char *text)
{
	Analysis *analysis = analysis_new(data);
	size_t n = 0;

	for (size_t i = 0; i < analysis->events->len; i++)
		if (strstr(analysis->events->pdata[i], text) != NULL)
			n++;
	analysis_free(analysis);
	return n;
}

static void
an_event_is_told_in_one_place(void **state)
{
	StoreData *data = good_night();

	(void)state;
	night_event(data, 1767910500, 0, "retry", "again");
	night_event(data, 1767910500, 0, "unexpected reboot", "id 7");
	assert_int_equal(listed(data, "id 7"), 0);
	assert_int_equal(listed(data, "again"), 1);
	store_data_free(data);
}

static void
an_end_that_was_made_good_is_no_warning(void **state)
{
	StoreData *data = good_night();

	(void)state;
	night_event(data, 1767910500, 0, "ended", "no route");
	night_event(data, 1767910600, 0, "ended", "no key");
	assert_int_equal(warned(data, "ended"), 0);
	assert_int_equal(listed(data, "ended"), 2);
	/* Where something is missing, the last one says why. */
	((DataVisit *)data->visits->pdata[3])->status = VISIT_FAILED;
	assert_int_equal(warned(data, "ended: no key"), 1);
	assert_int_equal(warned(data, "ended: no route"), 0);
	assert_int_equal(listed(data, "ended: no route"), 1);
	store_data_free(data);
}

static void
a_failure_that_repeats_is_told_once(void **state)
{
	StoreData *data = good_night();

	(void)state;
	/* The last visit: its next attempt stands behind it. */
	DataVisit *first = data->visits->pdata[11];
	DataVisit *second =
	    night_visit(data, first->round, first->server, first->boot);
	first->status = second->status = VISIT_FAILED;
	second->attempt = 2;
	first->reason = g_strdup("no such option");
	second->reason = g_strdup("no such option");
	assert_int_equal(warned(data, "failed: no such option (2 times)."), 1);
	g_free(second->reason);
	second->reason = g_strdup("another");
	assert_int_equal(warned(data, "times"), 0);
	store_data_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_night_has_no_warnings),
		cmocka_unit_test(one_boot_is_told),
		cmocka_unit_test(what_failed_is_told_with_its_reason),
		cmocka_unit_test(a_repeated_visit_is_not_missing),
		cmocka_unit_test(rounds_not_begun_are_told),
		cmocka_unit_test(settings_left_changed_are_told),
		cmocka_unit_test(flags_are_told_and_their_runs_used),
		cmocka_unit_test(the_same_order_in_every_round_is_told),
		cmocka_unit_test(hazards_of_the_host_are_told),
		cmocka_unit_test(one_file_under_two_names_is_told),
		cmocka_unit_test(two_binaries_are_told),
		cmocka_unit_test(a_valid_visit_with_a_failed_proof_is_told),
		cmocka_unit_test(drift_over_rounds_is_told),
		cmocka_unit_test(an_order_that_chance_gives_is_no_drift),
		cmocka_unit_test(a_first_run_that_differs_is_told),
		cmocka_unit_test(grave_events_are_told),
		cmocka_unit_test(an_event_is_told_in_one_place),
		cmocka_unit_test(an_end_that_was_made_good_is_no_warning),
		cmocka_unit_test(a_failure_that_repeats_is_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
