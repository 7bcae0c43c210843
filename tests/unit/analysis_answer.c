#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "analysis/analysis.h"

#include "nights.h"

/*
 * One load, two factors, three rounds: flush 2 differs from 1 by these log
 * ratios, jemalloc from libc by next to nothing.
 */
static StoreData *
make_night(const double flush[3])
{
	static const double allocator[] = { .01, -.01, .005 };
	StoreData *data = night_new("answer", "answer");

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *factor = night_factor(data, "allocator", CLASS_SERVER);
	night_level(factor, "libc", "");
	night_level(factor, "jemalloc", "");
	factor = night_factor(data, "flush", CLASS_SERVER);
	night_level(factor, "1", "");
	night_level(factor, "2", "");
	night_cells(data);
	night_load(data, "load", "tps", "transactions/s", true);
	const int64_t boot = night_boot(data, 0, false);
	for (size_t round = 1; round <= 3; round++)
		for (size_t cell = 0; cell < 4; cell++) {
			DataVisit *visit = night_visit(data, round, cell, boot);
			night_start(data, visit);
			night_run(data, visit, cell, 0, 1,
			    100 *
				exp((cell >= 2 ? allocator[round - 1] : 0) +
				    (cell % 2 == 1 ? flush[round - 1] : 0)));
		}
	return data;
}

static void
check(const double flush[3], const char *wanted)
{
	StoreData *data = make_night(flush);
	Analysis *analysis = analysis_new(data);

	if (strstr(analysis->answer, wanted) == NULL)
		fail_msg("%s", analysis->answer);
	analysis_free(analysis);
	store_data_free(data);
}

static void
what_is_shown_has_its_size(void **state)
{
	static const double flush[] = { .25, .25, .26 };

	(void)state;
	check(flush, "flush 2 is 28.8 % faster than flush 1 (");
}

static void
an_interval_with_0_could_be_anything_in_it(void **state)
{
	static const double flush[] = { .3, -.2, .1 };

	(void)state;
	check(flush, "nor between flush 2 and flush 1 (could be -");
}

/* t = 5 with 2 degrees of freedom: p .038, of two contrasts not enough. */
static void
what_holds_only_by_itself_may_be_chance(void **state)
{
	static const double flush[] = { .35, .2, .2 };

	(void)state;
	check(flush,
	    "nor between flush 2 and flush 1 (+3.5 to +59.2 % by itself, but "
	    "adjusted p .075)");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_shown_has_its_size),
		cmocka_unit_test(an_interval_with_0_could_be_anything_in_it),
		cmocka_unit_test(what_holds_only_by_itself_may_be_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
