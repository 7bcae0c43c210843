/*
 * Whose the CPU time of a run was, from the answer of a host.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/cpu.h"

static StoreRun
answered(const char *pairs, bool has_server)
{
	g_autoptr(VerbCall) call = verb_call_new();
	StoreRun run = { 0 };

	verb_call_add(call, "load_run", NULL);
	g_autofree char *text = g_strdup_printf(
	    "BEGIN n load_run protocol=1\n%sEND n load_run 0\n", pairs);
	g_autoptr(GPtrArray) answers =
	    verb_answers_parse(call, "n", text, NULL);
	cpu_read(answers->pdata[0], has_server, &run);
	return run;
}

static void
others_are_what_is_left(void **state)
{
	const StoreRun run = answered("cpu_ms\t4000\nbusy_ms\t3500\n"
				      "stolen_ms\t50\nload_ms\t1000\n"
				      "server_ms\t2000\n",
	    true);

	(void)state;
	assert_int_equal(run.cpu_ms, 4000);
	assert_int_equal(run.server_ms, 2000);
	assert_int_equal(run.stolen_ms, 50);
	assert_int_equal(run.others_ms, 500);
}

static void
ticks_never_make_them_negative(void **state)
{
	const StoreRun run = answered("cpu_ms\t4000\nbusy_ms\t2990\n"
				      "load_ms\t1000\nserver_ms\t2000\n",
	    true);

	(void)state;
	assert_int_equal(run.others_ms, 0);
	assert_int_equal(run.stolen_ms, -1);
}

static void
a_server_that_is_not_seen_makes_them_unknown(void **state)
{
	static const char pairs[] =
	    "cpu_ms\t4000\nbusy_ms\t3500\nload_ms\t1000\n";

	(void)state;
	assert_int_equal(answered(pairs, true).others_ms, -1);
	assert_int_equal(answered(pairs, false).others_ms, 2500);
	assert_int_equal(answered("", false).others_ms, -1);
	assert_int_equal(
	    answered("cpu_ms\t0\nbusy_ms\t0\nload_ms\t0\n", false).others_ms,
	    -1);
	assert_int_equal(
	    answered("cpu_ms\tmuch\nbusy_ms\t1\nload_ms\t0\n", false).cpu_ms,
	    -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_are_what_is_left),
		cmocka_unit_test(ticks_never_make_them_negative),
		cmocka_unit_test(a_server_that_is_not_seen_makes_them_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
