/* What each way in which a load can go wrong is called. */
#include "load_case.h"

#include "base/failure.h"

#define RATE                                                                   \
	"help = \"h\"; command = \"x\"; primary = \"rate\"; metrics = ({"      \
	"name = \"rate\"; unit = \"1/s\"; better = \"higher\";"                \
	" regex = \"^rate ([-0-9.a-z]+)$\"; choice = \"only\"; min = 1.0; });"

/* Refused, under that name. */
static void
assert_failure(const LoadOutput *output, Failure wanted)
{
	LoadCase test;

	case_parse(&test,
	    RATE "forbid = [ \"Time limit exceeded\" ];"
		 "checks = ({ what = \"w\"; left = \"rate\"; right = \"wall\";"
		 " at_most = true; });");
	assert_false(case_judge(&test, output));
	assert_int_equal(test.samples->len, 0);
	assert_string_equal(
	    failure_name(failure_of(test.error)), failure_name(wanted));
	case_close(&test);
}

static void
assert_says(const char *out, Failure wanted)
{
	const LoadOutput output = case_output(out);

	assert_failure(&output, wanted);
}

static void
c51_an_end_without_a_figure_is_NO_RESULT(void **state)
{
	(void)state;
	assert_says("", FAILURE_NO_RESULT);
	assert_says("all is well\n", FAILURE_NO_RESULT);
}

static void
c45_figures_without_end_are_a_TIMEOUT(void **state)
{
	LoadOutput output = case_output("rate 2.00\nrate 0.00\nrate 0.00\n");

	(void)state;
	output.timed_out = true;
	output.status = -1;
	assert_failure(&output, FAILURE_TIMEOUT);
	output.status = 0; /* it obeyed SIGTERM and called that an end */
	assert_failure(&output, FAILURE_TIMEOUT);
}

static void
c47_status_0_does_not_excuse_what_it_said(void **state)
{
	(void)state;
	assert_says("rate 2.00\nTime limit exceeded, exiting...\n",
	    FAILURE_LOAD_FAILED);
}

static void
c44_a_binary_that_is_not_there_is_a_MISSING_TOOL(void **state)
{
	LoadOutput output = case_output("rate 2.00\n");

	(void)state;
	output.status = 127;
	output.err = "sh: 1: super-smack: not found\n";
	assert_failure(&output, FAILURE_MISSING_TOOL);
	output.status = 126;
	assert_failure(&output, FAILURE_LOAD_FAILED);
}

static void
c54_a_counter_that_wrapped_is_OUT_OF_RANGE(void **state)
{
	(void)state;
	assert_says("rate 18446842801212211200.00\n", FAILURE_OUT_OF_RANGE);
	assert_says("rate 0.5\n", FAILURE_OUT_OF_RANGE);
}

static void
what_cannot_be_read_or_is_contradicted_is_a_BAD_RESULT(void **state)
{
	(void)state;
	assert_says("rate nan\n", FAILURE_BAD_RESULT);
	assert_says("rate 1\nrate 2\n", FAILURE_BAD_RESULT);
	assert_says("rate 3.5\n", FAILURE_BAD_RESULT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c51_an_end_without_a_figure_is_NO_RESULT),
		cmocka_unit_test(c45_figures_without_end_are_a_TIMEOUT),
		cmocka_unit_test(c47_status_0_does_not_excuse_what_it_said),
		cmocka_unit_test(
		    c44_a_binary_that_is_not_there_is_a_MISSING_TOOL),
		cmocka_unit_test(c54_a_counter_that_wrapped_is_OUT_OF_RANGE),
		cmocka_unit_test(
		    what_cannot_be_read_or_is_contradicted_is_a_BAD_RESULT),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
