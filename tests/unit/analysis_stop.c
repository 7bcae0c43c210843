#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/stop.h"
#include "contrasts.h"

static void
add_fact(StoreData *data, const char *key, const char *value)
{
	DataFact *fact = g_new0(DataFact, 1);

	fact->scope = g_strdup("experiment");
	fact->key = g_strdup(key);
	fact->value = g_strdup(value);
	g_ptr_array_add(data->facts, fact);
}

/* The six rounds of R's split-plot night, with a rule. */
static StoreData *
night_with(const char *halfwidth, const char *first, const char *most)
{
	StoreData *data = night_splitplot();

	add_fact(data, STOP_FACT_HALFWIDTH, halfwidth);
	add_fact(data, STOP_FACT_FIRST, first);
	add_fact(data, STOP_FACT_MOST, most);
	add_fact(data, STOP_FACT_LOOKS, "0");
	return data;
}

static void
check_look(StoreData *data, StopDecision decision, const char *text)
{
	g_auto(StopLook) look = stop_look(data, NULL);

	assert_int_equal(look.decision, decision);
	if (text == NULL)
		assert_null(look.text);
	else
		assert_string_equal(look.text, text);
	store_data_free(data);
}

/*
 * R's widest is the kernel's, se .005958532 with 5 degrees of freedom: +-1.54
 * per cent at 95 %, +-1.80 at 97 %.
 */
static void
a_night_stops_once_its_intervals_are_narrow(void **state)
{
	(void)state;
	check_look(night_with("1.85", "5", "20"), STOP_NARROW,
	    "after 6 rounds by width: the widest interval is +-1.8 %, wanted "
	    "was +-1.85 %; first looked after 5 rounds, 20 would have been the "
	    "most");
	check_look(night_with("1.7", "5", "20"), STOP_GO_ON,
	    "after 6 rounds the widest interval is +-1.8 %, wanted is +-1.7 %: "
	    "on to round 7");
	check_look(night_with("1.7", "5", "6"), STOP_CAP,
	    "after 6 rounds, the most: the widest interval is +-1.8 %, wanted "
	    "was +-1.7 %; first looked after 5 rounds");
}

static void
fewer_rounds_than_the_first_say_nothing(void **state)
{
	(void)state;
	check_look(night_with("5", "7", "20"), STOP_GO_ON,
	    "after 6 rounds the widest interval is not known for all "
	    "contrasts, wanted is +-5 %: on to round 7");
}

static void
what_was_decided_is_not_decided_again(void **state)
{
	StoreData *data = night_with("1.7", "5", "20");

	(void)state;
	night_event(data, 0, SIZE_MAX, STOP_EVENT, "after 6 rounds");
	check_look(data, STOP_DECIDED, NULL);
	check_look(night_splitplot(), STOP_NO_RULE, NULL);
}

/* The same rounds on a second host, whose ULE is off by turns. */
static void
add_host(StoreData *data, double off)
{
	const guint visits = data->visits->len, runs = data->runs->len;

	g_ptr_array_add(data->targets, g_strdup("lab2"));
	for (guint i = 0; i < visits; i++) {
		const DataVisit *from = data->visits->pdata[i];
		DataVisit *visit = night_visit(data, from->round, from->server,
		    from->boot + data->boots->len);
		visit->target = 1;
	}
	for (guint i = 0; i < runs; i++) {
		const DataRun *run = data->runs->pdata[i];
		const DataSample *sample = data->samples->pdata[i];
		const DataVisit *visit =
		    data->visits->pdata[visits + run->visit - 1];
		const double by = run->cell < 2 ? 0
		    : visit->round % 2 == 0     ? off
						: -off;
		night_run(data, visit, (size_t)run->cell, run->load,
		    run->number, sample->value * exp(by));
	}
}

/* What all hosts together say is narrower, and not enough. */
static void
each_host_must_be_narrow_by_itself(void **state)
{
	StoreData *enough = night_with("1.85", "5", "20");
	StoreData *wide = night_with("1.7", "5", "20");

	(void)state;
	add_host(enough, 0);
	add_host(wide, 0);
	check_look(enough, STOP_NARROW,
	    "after 6 rounds by width: the widest interval is +-1.8 % (lab1 by "
	    "itself), wanted was +-1.85 %; first looked after 5 rounds, 20 "
	    "would have been the most");
	check_look(wide, STOP_GO_ON,
	    "after 6 rounds the widest interval is +-1.8 % (lab1 by itself), "
	    "wanted is +-1.7 %: on to round 7");
}

static void
the_widest_host_counts_unless_it_was_given_up(void **state)
{
	static const bool counts[] = { true, false };
	StoreData *data = night_with("3", "5", "20");

	(void)state;
	add_host(data, .1);
	g_auto(StopLook) both = stop_look(data, NULL);
	assert_int_equal(both.decision, STOP_GO_ON);
	assert_non_null(strstr(both.text, "(lab2 by itself)"));
	/* Its rounds are in what is told of all, which must be narrow, too. */
	g_auto(StopLook) one = stop_look(data, counts);
	assert_int_equal(one.decision, STOP_GO_ON);
	assert_null(strstr(one.text, "by itself)"));
	assert_non_null(
	    strstr(one.text, "; lab2 did not count by itself, being given up"));
	/* Without any it is as if there were one host. */
	for (guint i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (visit->target == 1)
			visit->status = VISIT_FAILED;
	}
	g_auto(StopLook) lost = stop_look(data, counts);
	assert_int_equal(lost.decision, STOP_NARROW);
	g_auto(StopLook) failed = stop_look(data, NULL);
	assert_int_equal(failed.decision, STOP_GO_ON);
	assert_non_null(strstr(
	    failed.text, "is not known for all contrasts (lab2 by itself)"));
	store_data_free(data);
}

/* What ends by width from few rounds on is told at 97 %. */
static void
few_first_rounds_widen_intervals_and_verdicts(void **state)
{
	StoreData *few = night_with("1", "5", "20");
	StoreData *many = night_with("1", "10", "20");
	g_autoptr(Analysis) wide = analysis_new(few);
	g_autoptr(Analysis) usual = analysis_new(many);
	const double t = stats_t_quantile(.97, 5) / stats_t_quantile(.95, 5);

	(void)state;
	assert_true(stop_level(few) > .969 && stop_level(few) < .971);
	assert_true(stop_level(many) < .951);
	for (size_t i = 0; i < 3; i++) {
		const AnalysisContrast *a = contrast(wide, i);
		const AnalysisContrast *b = contrast(usual, i);
		assert_digits(log(1 + a->percent.high / 100) - a->estimate,
		    t * (log(1 + b->percent.high / 100) - b->estimate), 10);
		assert_digits(a->p, b->p, 15);
	}
	g_clear_pointer(&wide, analysis_free);
	g_clear_pointer(&usual, analysis_free);
	store_data_free(few);
	store_data_free(many);
}

static void
looks_are_spread_evenly(void **state)
{
	const StopWidth every = { 1, 5, 20, 0 }, three = { 1, 5, 20, 3 };
	const StopWidth one = { 1, 5, 20, 1 }, cap = { 1, 8, 8, 2 };

	(void)state;
	assert_int_equal(stop_next(&every, 5), 6);
	assert_int_equal(stop_next(&every, 20), 20);
	assert_int_equal(stop_next(&three, 5), 10);
	assert_int_equal(stop_next(&three, 10), 15);
	assert_int_equal(stop_next(&three, 15), 20);
	assert_int_equal(stop_next(&three, 12), 15);
	assert_int_equal(stop_next(&one, 5), 20);
	assert_int_equal(stop_next(&cap, 8), 8);
}

static void
a_time_of_day_is_the_next_one(void **state)
{
	const int64_t noon = 1767960000; /* 2026-01-09 12:00:00 UTC */

	(void)state;
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	assert_int_equal(stop_time(noon, "12:01"), noon + 60);
	assert_int_equal(stop_time(noon, "12:00"), noon + 86400);
	assert_int_equal(stop_time(noon, "07:30"), noon + 19 * 3600 + 1800);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_night_stops_once_its_intervals_are_narrow),
		cmocka_unit_test(fewer_rounds_than_the_first_say_nothing),
		cmocka_unit_test(what_was_decided_is_not_decided_again),
		cmocka_unit_test(each_host_must_be_narrow_by_itself),
		cmocka_unit_test(the_widest_host_counts_unless_it_was_given_up),
		cmocka_unit_test(few_first_rounds_widen_intervals_and_verdicts),
		cmocka_unit_test(looks_are_spread_evenly),
		cmocka_unit_test(a_time_of_day_is_the_next_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
