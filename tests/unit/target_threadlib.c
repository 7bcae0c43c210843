/*
 * What proves a thread library: it is mapped, and no other is; that the
 * variable which chooses it is there proves nothing.
 */
#include "../lib/proof_fixture.h"

#define LIBTHR "/lib/libthr.so.3"
#define LIBPTHREAD "/usr/lib/libpthread.so.2"
#define LIBMAP "libpthread.so.2=libthr.so.3,libpthread.so=libthr.so"

static Setting thr = {
	.kind = SETTING_THREADLIB, .name = (char *)"", .value = (char *)LIBTHR
};
static Setting pthread = { .kind = SETTING_THREADLIB,
	.name = (char *)"",
	.value = (char *)LIBPTHREAD };
static Setting map = { .kind = SETTING_ENV,
	.name = (char *)"LD_LIBMAP",
	.value = (char *)LIBMAP };

/* A cell with libthr of a matrix with both, and what its server is like. */
static int
setup_threads(void **state)
{
	(void)setup(state);
	Fixture *f = *state;
	g_ptr_array_add(f->settings, &thr);
	g_ptr_array_add(f->settings, &map);
	g_ptr_array_add(f->subjects, &thr);
	g_ptr_array_add(f->subjects, &map);
	g_ptr_array_add(f->subjects, &pthread);
	say(answer_of(f, "environ", 0), "env", "LD_LIBMAP=" LIBMAP);
	say_library(answer_of(f, "libraries", 0), LIBTHR, "yes", "1:30");
	say_library(answer_of(f, "libraries", 0), LIBPTHREAD, "no", "1:40");
	return 0;
}

/* The answer about libraries with these two as they are said. */
static void
map_threads(Fixture *f, const char *libthr, const char *libpthread)
{
	VerbAnswer *answer = emptied(f, "libraries", 0);

	say_library(answer, JEMALLOC, "yes", "1:10");
	say_library(answer, TCMALLOC, "no", "1:20");
	say_library(answer, LIBTHR, libthr, "1:30");
	say_library(answer, LIBPTHREAD, libpthread, "1:40");
}

static void
the_library_is_mapped_and_the_other_is_not(void **state)
{
	Fixture *f = *state;

	assert_fails_with(f, NULL);
	map_threads(f, "no", "yes");
	assert_fails_with(f,
	    "library: wanted " LIBTHR " mapped, seen not mapped (1:30); "
	    "library: wanted " LIBPTHREAD " absent, seen mapped (1:40)");
	map_threads(f, "yes", "yes");
	assert_fails_with(
	    f, "library: wanted " LIBPTHREAD " absent, seen mapped (1:40)");
}

static void
nothing_may_choose_it_by_accident(void **state)
{
	Fixture *f = *state;

	say(answer_of(f, "environ", 0), "env", "LD_LIBMAP_DISABLE=1");
	assert_fails_with(
	    f, "environment: wanted LD_LIBMAP_DISABLE absent, seen 1");
	g_ptr_array_remove(f->settings, &map);
	emptied(f, "environ", 0);
	say(answer_of(f, "environ", 0), "readable", "1");
	say(answer_of(f, "environ", 0), "env", "LOOPS=30");
	say(answer_of(f, "environ", 0), "env", "LD_PRELOAD=" JEMALLOC);
	say(answer_of(f, "environ", 0), "env", "LD_LIBMAP=a=b");
	assert_fails_with(f, "environment: wanted LD_LIBMAP absent, seen a=b");
}

/* Something with threads has one of them mapped, whatever the cell says. */
static void
a_cell_without_one_leaves_it_to_the_system(void **state)
{
	Fixture *f = *state;

	g_ptr_array_remove(f->settings, &thr);
	g_ptr_array_remove(f->settings, &map);
	emptied(f, "environ", 0);
	say(answer_of(f, "environ", 0), "readable", "1");
	say(answer_of(f, "environ", 0), "env", "LOOPS=30");
	say(answer_of(f, "environ", 0), "env", "LD_PRELOAD=" JEMALLOC);
	assert_fails_with(f, NULL);
	for (guint i = 0; i < f->proofs->len; i++) {
		const Proof *proof = f->proofs->pdata[i];
		if (strcmp(proof->about, LIBTHR) == 0)
			assert_int_equal(proof->verdict, PROOF_NOT_APPLICABLE);
	}
	say(answer_of(f, "environ", 0), "env", "LD_LIBMAP=" LIBMAP);
	assert_fails_with(
	    f, "environment: wanted LD_LIBMAP absent, seen " LIBMAP);
}

/* Chosen by a file for programs of that name: the variable is not there. */
static void
a_file_that_chooses_is_read_back(void **state)
{
	Fixture *f = *state;
	Setting file = { .kind = SETTING_THREADLIB,
		.name = (char *)"mysqld",
		.value = (char *)"libthr" };
	Setting second = { .kind = SETTING_THREADLIB,
		.name = (char *)"mysqld",
		.value = (char *)"libpthread" };
	VerbAnswer *answer = add_answer(f, "get");

	g_ptr_array_remove(f->settings, &map);
	emptied(f, "environ", 0);
	say(answer_of(f, "environ", 0), "readable", "1");
	say(answer_of(f, "environ", 0), "env", "LOOPS=30");
	say(answer_of(f, "environ", 0), "env", "LD_PRELOAD=" JEMALLOC);
	g_ptr_array_add(f->settings, &file);
	g_ptr_array_add(f->subjects, &file);
	g_ptr_array_add(f->subjects, &second);
	say(answer, "value", "libthr");
	assert_fails_with(f, NULL);
	g_ptr_array_set_size(answer->keys, 0);
	g_ptr_array_set_size(answer->values, 0);
	say(answer, "value", "libpthread");
	assert_fails_with(f, "libmap: wanted mysqld libthr, seen libpthread");
}

#define THREADS_TEST(name)                                                     \
	cmocka_unit_test_setup_teardown(name, setup_threads, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		THREADS_TEST(the_library_is_mapped_and_the_other_is_not),
		THREADS_TEST(nothing_may_choose_it_by_accident),
		THREADS_TEST(a_file_that_chooses_is_read_back),
		THREADS_TEST(a_cell_without_one_leaves_it_to_the_system),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
