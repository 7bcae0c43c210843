#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "contrasts.h"

enum { ROUNDS = 6 };

/* B is so many per cent above A, round by round; what is told both ways. */
static char *
both_of(const double percent[ROUNDS], Verdict verdict)
{
	StoreData *data =
	    night_of_two("far", "library", CLASS_SERVER, "A", "B");

	data->rounds = ROUNDS;
	const int64_t boot = night_boot(data, 0, false);
	for (size_t i = 0; i < ROUNDS; i++)
		for (size_t cell = 0; cell < 2; cell++) {
			const DataVisit *visit =
			    night_visit(data, i + 1, cell, boot);
			night_run(data, visit, cell, 0, 1,
			    cell == 0 ? 100 : 100 + percent[i]);
		}
	g_autoptr(Analysis) analysis = analysis_new(data);
	assert_int_equal(contrast(analysis, 0)->verdict, verdict);
	char *both = g_strdup(contrast(analysis, 0)->both);
	g_clear_pointer(&analysis, analysis_free);
	store_data_free(data);
	return both;
}

static void
a_round_that_hides_a_difference_is_told_and_counts(void **state)
{
	static const double hidden[] = { 2.9, 3.1, 3, -9, 3.05, 2.95 };
	g_autofree char *both = both_of(hidden, VERDICT_NONE_SHOWN);

	(void)state;
	assert_string_equal(both,
	    "without round 4, far from the others, it would be +3.00 % "
	    "(+2.90 to +3.10), which leaves out 0");
}

/* Values that lie apart, but with or without them it is the same. */
static void
rounds_that_turn_nothing_are_not_told(void **state)
{
	static const double made[] = { .1, .9, .12, .9, .1, .8 };
	static const double one[] = { 3, 3.1, 2.9, 3.3, 3.05, 9 };
	g_autofree char *none = both_of(made, VERDICT_FASTER);
	g_autofree char *same = both_of(one, VERDICT_FASTER);

	(void)state;
	assert_null(none);
	assert_null(same);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_round_that_hides_a_difference_is_told_and_counts),
		cmocka_unit_test(rounds_that_turn_nothing_are_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
