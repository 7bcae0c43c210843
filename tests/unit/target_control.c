#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"
#include "target/control.h"

static void
what_passes_by_itself_is_tried_again(void **state)
{
	static const unsigned passing[] = { 1040, 1053, 1158, 1161, 1927, 2002,
		2003, 2006, 2013 };
	static const unsigned lasting[] = { 1044, 1045, 1049, 1064, 1193, 1698,
		2026, 2054, 2059, 2061 };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(passing); i++)
		assert_int_equal(
		    control_error_code(passing[i]), ABRUN_ERROR_HOST);
	for (size_t i = 0; i < G_N_ELEMENTS(lasting); i++)
		assert_int_equal(
		    control_error_code(lasting[i]), ABRUN_ERROR_FAILED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_passes_by_itself_is_tried_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
