/* Names of failures: complete, and carried with an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/failure.h"

static void
every_failure_has_name_meaning_and_advice(void **state)
{
	(void)state;
	for (int i = FAILURE_NONE + 1; i < FAILURES; i++) {
		const Failure failure = (Failure)i;
		const char *name = failure_name(failure);
		assert_non_null(name);
		assert_int_equal(
		    strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"), strlen(name));
		assert_true(strlen(failure_meaning(failure)) > 10);
		assert_true(strlen(failure_advice(failure)) > 10);
		assert_int_equal(failure_named(name), failure);
	}
	assert_null(failure_name(FAILURE_NONE));
	assert_int_equal(failure_named(NULL), FAILURE_NONE);
	assert_int_equal(failure_named("NO_SUCH_NAME"), FAILURE_NONE);
}

static void
a_name_stays_with_its_error(void **state)
{
	GError *error = NULL;

	(void)state;
	failure_set(
	    &error, FAILURE_NO_RESULT, ABRUN_ERROR_FAILED, "no %s", "rate");
	assert_string_equal(error->message, "no rate");
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_FAILED));
	g_prefix_error(&error, "load x: ");
	GError *above = NULL;
	g_propagate_prefixed_error(&above, error, "run 1: ");
	g_autoptr(GError) copy = g_error_copy(above);
	g_error_free(above);
	assert_string_equal(copy->message, "run 1: load x: no rate");
	assert_int_equal(failure_of(copy), FAILURE_NO_RESULT);
}

static void
an_error_without_a_name_has_that_of_its_code(void **state)
{
	static const Failure wanted[] = {
		[ABRUN_ERROR_USAGE] = FAILURE_MATRIX_ERROR,
		[ABRUN_ERROR_HOST] = FAILURE_HOST_LOST,
		[ABRUN_ERROR_TIMEOUT] = FAILURE_TIMEOUT,
		[ABRUN_ERROR_FAILED] = FAILURE_STEP_FAILED,
		[ABRUN_ERROR_VERIFY] = FAILURE_PROOF_FAILED,
		[ABRUN_ERROR_CANCELLED] = FAILURE_INTERRUPTED,
		[ABRUN_ERROR_STORE] = FAILURE_STORE_FAILED,
	};

	(void)state;
	assert_int_equal(failure_of(NULL), FAILURE_NONE);
	for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
		g_autoptr(GError) error =
		    g_error_new(ABRUN_ERROR, (gint)i, "x");
		assert_int_equal(failure_of(error), wanted[i]);
	}
	g_autoptr(GError) foreign = g_error_new(G_FILE_ERROR, 0, "x");
	assert_int_equal(failure_of(foreign), FAILURE_STEP_FAILED);
}

static void
the_first_name_counts(void **state)
{
	g_autoptr(GError) error = g_error_new(ABRUN_ERROR, 0, "x");

	(void)state;
	failure_mark(&error, FAILURE_BAD_RESULT);
	failure_mark(&error, FAILURE_TIMEOUT);
	assert_int_equal(failure_of(error), FAILURE_BAD_RESULT);
	g_autoptr(GError) foreign = g_error_new(G_FILE_ERROR, 0, "x");
	failure_mark(&foreign, FAILURE_TIMEOUT);
	assert_int_equal(failure_of(foreign), FAILURE_STEP_FAILED);
	failure_mark(NULL, FAILURE_TIMEOUT);
	failure_set(NULL, FAILURE_TIMEOUT, ABRUN_ERROR_FAILED, "x");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_failure_has_name_meaning_and_advice),
		cmocka_unit_test(a_name_stays_with_its_error),
		cmocka_unit_test(an_error_without_a_name_has_that_of_its_code),
		cmocka_unit_test(the_first_name_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
