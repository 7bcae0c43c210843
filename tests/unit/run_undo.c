#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/undo_judge.h"

static UndoVerdict
judge(const char *current, const char *original, const char *first,
    const char *second, const char *wanted)
{
	g_autoptr(GPtrArray) ours = g_ptr_array_new();

	if (first != NULL)
		g_ptr_array_add(ours, (gpointer)(uintptr_t)first);
	if (second != NULL)
		g_ptr_array_add(ours, (gpointer)(uintptr_t)second);
	return undo_judge(current, original, ours, wanted);
}

static void
what_is_ours_is_written_back(void **state)
{
	(void)state;
	assert_int_equal(judge("10", "60", "10", NULL, "60"), UNDO_WRITE);
	/* Of two rows, either may be the one that happened. */
	assert_int_equal(judge("10", "60", "20", "10", "60"), UNDO_WRITE);
	assert_int_equal(judge("20", "60", "20", "10", "60"), UNDO_WRITE);
}

static void
what_is_as_it_was_is_left(void **state)
{
	(void)state;
	assert_int_equal(judge("60", "60", "10", NULL, "60"), UNDO_NOTHING);
	assert_int_equal(judge("60", "60", NULL, NULL, "60"), UNDO_NOTHING);
}

static void
what_someone_else_wrote_is_refused(void **state)
{
	(void)state;
	assert_int_equal(judge("33", "60", "10", NULL, "60"), UNDO_REFUSE);
	assert_int_equal(judge("33", "60", "10", "20", "10"), UNDO_REFUSE);
	assert_int_equal(judge("33", "60", NULL, NULL, "60"), UNDO_REFUSE);
	/* Even what the cell wants, if nobody here wrote it. */
	assert_int_equal(judge("33", "60", "10", NULL, "33"), UNDO_REFUSE);
}

static void
a_cell_gets_its_value_from_any_known_one(void **state)
{
	(void)state;
	assert_int_equal(judge("60", "60", NULL, NULL, "10"), UNDO_WRITE);
	assert_int_equal(judge("20", "60", "20", NULL, "10"), UNDO_WRITE);
	assert_int_equal(judge("10", "60", "10", NULL, "10"), UNDO_NOTHING);
	assert_int_equal(judge("60", "60", "10", NULL, "10"), UNDO_WRITE);
}

static void
values_are_compared_as_the_kernel_means_them(void **state)
{
	(void)state;
	assert_int_equal(
	    judge("4096\t131072", "4096 131072", NULL, NULL, "4096  131072"),
	    UNDO_NOTHING);
	assert_int_equal(judge("10", "60", "010", NULL, "60"), UNDO_WRITE);
}

static void
what_is_gone_is_not_what_it_was(void **state)
{
	(void)state;
	assert_int_equal(judge(NULL, "60", "10", NULL, "60"), UNDO_REFUSE);
	assert_int_equal(judge("60", NULL, NULL, NULL, NULL), UNDO_REFUSE);
	assert_int_equal(judge(NULL, NULL, NULL, NULL, NULL), UNDO_NOTHING);
	/* An empty value is a value. */
	assert_int_equal(judge("", NULL, NULL, NULL, NULL), UNDO_REFUSE);
	assert_int_equal(judge("", "", NULL, NULL, "x"), UNDO_WRITE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_ours_is_written_back),
		cmocka_unit_test(what_is_as_it_was_is_left),
		cmocka_unit_test(what_someone_else_wrote_is_refused),
		cmocka_unit_test(a_cell_gets_its_value_from_any_known_one),
		cmocka_unit_test(values_are_compared_as_the_kernel_means_them),
		cmocka_unit_test(what_is_gone_is_not_what_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
