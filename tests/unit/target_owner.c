#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "target/owner.h"

/* The answer of owner whose lines are these. */
static GPtrArray *
answers_of(const char *lines, int status)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autofree char *text = g_strdup_printf(
	    "BEGIN n owner protocol=1\n%sEND n owner %d\n", lines, status);

	verb_call_add(call, "owner", "tcp", "80", NULL);
	return verb_answers_parse(call, "n", text, NULL);
}

#define MASTER "pid\t10\nstart\t100\ncomm\tnginx\nparent\t1\n"
#define WORKER "pid\t11\nstart\t101\ncomm\tnginx\nparent\t10\n"
#define CHILD "pid\t12\nstart\t102\ncomm\tnginx\nparent\t11\n"
#define STRANGER "pid\t20\nstart\t90\ncomm\tother\nparent\t1\n"
#define OLD "pid\t30\nstart\t300\ncomm\told\n"

static void
the_one_that_all_others_come_from_owns(void **state)
{
	g_autoptr(GPtrArray) answers = answers_of(CHILD WORKER MASTER, 0);
	Owner owner;

	(void)state;
	assert_true(owner_main(answers->pdata[0], &owner));
	assert_string_equal(owner.pid, "10");
	assert_string_equal(owner.start, "100");
	assert_string_equal(owner.comm, "nginx");
	assert_false(owner_other(answers->pdata[0], "10", "100", &owner));
	assert_true(owner_other(answers->pdata[0], "11", "101", &owner));
	assert_string_equal(owner.pid, "10");
	assert_true(owner_other(answers->pdata[0], "10", "99", &owner));
}

static void
two_that_have_nothing_in_common_own_nothing(void **state)
{
	g_autoptr(GPtrArray) answers = answers_of(MASTER STRANGER WORKER, 0);
	Owner owner;

	(void)state;
	assert_false(owner_main(answers->pdata[0], &owner));
	assert_true(owner_other(answers->pdata[0], "10", "100", &owner));
	assert_string_equal(owner.pid, "20");
}

static void
without_parents_one_alone_owns(void **state)
{
	g_autoptr(GPtrArray) one = answers_of(OLD, 0);
	g_autoptr(GPtrArray) two = answers_of(OLD MASTER, 0);
	Owner owner;

	(void)state;
	assert_true(owner_main(one->pdata[0], &owner));
	assert_string_equal(owner.pid, "30");
	assert_false(owner_main(two->pdata[0], &owner));
	assert_true(owner_other(two->pdata[0], "30", "300", &owner));
	assert_string_equal(owner.pid, "10");
}

static void
an_answer_that_is_not_whole_tells_of_nobody(void **state)
{
	g_autoptr(GPtrArray) absent = answers_of("", 2);
	g_autoptr(GPtrArray) torn = answers_of("pid\t10\n", 0);
	Owner owner;

	(void)state;
	assert_false(owner_main(absent->pdata[0], &owner));
	assert_false(owner_main(torn->pdata[0], &owner));
	assert_false(owner_other(torn->pdata[0], "1", "1", &owner));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_that_all_others_come_from_owns),
		cmocka_unit_test(two_that_have_nothing_in_common_own_nothing),
		cmocka_unit_test(without_parents_one_alone_owns),
		cmocka_unit_test(an_answer_that_is_not_whole_tells_of_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
