/*
 * What else ran there: the rule that a run is disturbed, and what the report
 * says of a quiet host, of a busy one, and of one that nobody watched.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "report/others.h"
#include "report/report.h"

#include "nights.h"

/* Two levels, three rounds, one run each: 4 s of CPU time, of it others. */
static StoreData *
night_with(const int64_t *others_ms, const char *quiet)
{
	StoreData *data = night_of_two(
	    "busy", "library", CLASS_SERVER, "libpthread", "libthr");

	data->others_percent = 10;
	for (size_t i = 0; i < 6; i++) {
		const int64_t boot = night_boot(data, 0, true);
		DataVisit *visit =
		    night_visit(data, 1 + i / 2, (i / 2 + i) % 2, boot);
		night_start(data, visit);
		DataRun *run = night_run(data, visit, (i / 2 + i) % 2, 0, 1,
		    (i / 2 + i) % 2 == 0 ? 100 + (double)(i % 3)
					 : 200 + (double)(i % 3));
		run->cpu_ms = 4000;
		run->others_ms = others_ms[i];
		if (quiet != NULL)
			night_fact(data, "visit", visit->id, "quiet.quiet",
			    i == 5 ? quiet : "yes");
	}
	return data;
}

static void
a_tenth_of_a_second_is_needed(void **state)
{
	(void)state;
	assert_false(others_disturb(400, 4000, 10));
	assert_true(others_disturb(401, 4000, 10));
	assert_false(others_disturb(90, 400, 10));
	assert_true(others_disturb(100, 400, 10));
	assert_false(others_disturb(-1, 4000, 10));
	assert_false(others_disturb(100, 0, 10));
	assert_false(others_disturb(4000, 4000, 100));
}

static void
a_quiet_night_is_told_as_one(void **state)
{
	static const int64_t others[] = { 0, 40, 40, 80, 40, 40 };
	g_autoptr(StoreData) data = night_with(others, "yes");
	g_autoptr(Analysis) analysis = analysis_new(data);
	g_autofree char *text = others_report(analysis);

	(void)state;
	assert_string_equal(text,
	    " Other programs used 1.0 % of the CPU time in the mean run and "
	    "2.0 % at most; more than 10 % flags a run. Before the loads the "
	    "host was quiet in 6 of 6 visits.");
	assert_null(strstr(analysis->headline, "busy"));
}

static void
a_busy_host_is_in_the_headline(void **state)
{
	static const int64_t others[] = { 0, 40, 2000, -1, 40, 40 };
	g_autoptr(StoreData) data = night_with(others, "no");
	g_autoptr(Analysis) analysis = analysis_new(data);
	g_autofree char *text = others_report(analysis);
	bool warned = false;

	(void)state;
	assert_int_equal(analysis->others.disturbed, 2);
	assert_non_null(strstr(text, "50.0 % at most"));
	assert_non_null(strstr(text, "known of 5 of 6 runs"));
	assert_non_null(strstr(text, "quiet in 5 of 6 visits"));
	assert_true(g_str_has_suffix(analysis->headline, ", on a busy host"));
	for (size_t i = 0; i < analysis->warnings->len; i++)
		warned = warned ||
		    g_str_has_prefix(analysis->warnings->pdata[i],
			"In 2 of 6 measured runs the host was busy");
	assert_true(warned);
}

static void
a_night_that_nobody_watched_says_so(void **state)
{
	static const int64_t others[] = { -1, -1, -1, -1, -1, -1 };
	g_autoptr(StoreData) data = night_with(others, NULL);
	g_autoptr(Analysis) analysis = analysis_new(data);
	g_autofree char *text = others_report(analysis);

	(void)state;
	assert_string_equal(
	    text, " What else ran there meanwhile was not watched.");
}

static void
notes_stand_with_their_host(void **state)
{
	static const int64_t others[] = { 0, 0, 0, 0, 0, 0 };
	g_autoptr(StoreData) data = night_with(others, NULL);
	const DataBoot *boot = data->boots->pdata[0];

	(void)state;
	night_fact(data, "boot", boot->id, "cpus_off", "4-7");
	night_fact(data, "boot", boot->id, "reboot_required", "yes");
	g_autoptr(Analysis) analysis = analysis_new(data);
	g_autofree char *post = report_post.render(analysis);
	assert_non_null(strstr(post,
	    "\n lab1, to be known: CPUs that are off: 4-7; an upgrade waits "
	    "for a\n   reboot.\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tenth_of_a_second_is_needed),
		cmocka_unit_test(a_quiet_night_is_told_as_one),
		cmocka_unit_test(a_busy_host_is_in_the_headline),
		cmocka_unit_test(a_night_that_nobody_watched_says_so),
		cmocka_unit_test(notes_stand_with_their_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
