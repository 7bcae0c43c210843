#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nights.h"
#include "report/reset.h"

static void
expect(StoreData *data, const char *wanted)
{
	g_autofree char *words = reset_words(data);

	assert_string_equal(words, wanted);
}

static DataLoad *
writer(StoreData *data, const char *name, Reset reset)
{
	DataLoad *load = night_load(data, name, "tps", "tx/s", true);

	load->writes = true;
	load->reset = (int)reset;
	return load;
}

static void
loads_that_only_read_need_no_words(void **state)
{
	StoreData *data = night_new("n", "t");

	(void)state;
	night_load(data, "reads", "tps", "tx/s", true);
	expect(data, "");
	store_data_free(data);
}

static void
each_kind_of_reset_is_told_once(void **state)
{
	StoreData *data = night_new("n", "t");

	(void)state;
	writer(data, "a", RESET_START);
	expect(data, " Data reset in every start for a.");
	writer(data, "b", RESET_RUN);
	writer(data, "c", RESET_ROUND);
	writer(data, "d", RESET_START);
	expect(data,
	    " Data reset before every run for b, in every start for a and d, "
	    "in every round for c.");
	writer(data, "e", RESET_NEVER);
	expect(data,
	    " Data reset before every run for b, in every start for a and d, "
	    "in every round for c. e writes and is never reset.");
	writer(data, "f", RESET_NEVER);
	expect(data,
	    " Data reset before every run for b, in every start for a and d, "
	    "in every round for c. e and f write and are never reset.");
	store_data_free(data);
}

static void
copies_of_the_data_directory_are_told(void **state)
{
	StoreData *data = night_new("n", "t");

	(void)state;
	night_fact(data, "host", 0, "server.datadir_from", "/srv/clean");
	expect(data, " Each start had a fresh copy of /srv/clean.");
	store_data_free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_that_only_read_need_no_words),
		cmocka_unit_test(each_kind_of_reset_is_told_once),
		cmocka_unit_test(copies_of_the_data_directory_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
