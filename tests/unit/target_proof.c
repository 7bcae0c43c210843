#include "../lib/proof_fixture.h"

#include "base/error.h"

static void
a_server_as_wanted_is_proved(void **state)
{
	Fixture *f = *state;
	g_autoptr(GPtrArray) verbs = server_proof_verbs(&f->context);

	assert_int_equal(verbs->len, f->answers->len);
	for (guint i = 0; i < verbs->len; i++) {
		char *const *words = g_ptr_array_index(verbs, i);
		const VerbAnswer *answer = g_ptr_array_index(f->answers, i);

		assert_string_equal(words[0], answer->verb);
	}
	assert_fails_with(f, NULL);
	/* boot, process, binary, 2 owners, 5 watched and 2 more variables,
	 * 2 libraries, cpuset, 2 arguments, sysctl, version, 2 options. */
	assert_int_equal(f->proofs->len, 21);
}

static void
a_right_environment_does_not_prove_a_library(void **state)
{
	Fixture *f = *state;
	VerbAnswer *answer = emptied(f, "libraries", 0);

	say_library(answer, JEMALLOC, "no", "1:10");
	say_library(answer, TCMALLOC, "no", "1:20");
	assert_fails_with(
	    f, "library: wanted " JEMALLOC " mapped, seen not mapped (1:10)");
}

static void
a_mapped_file_that_was_replaced_is_not_the_library(void **state)
{
	Fixture *f = *state;
	VerbAnswer *answer = emptied(f, "libraries", 0);

	say_library(answer, JEMALLOC, "deleted", "1:11");
	say_library(answer, TCMALLOC, "no", "1:20");
	assert_fails_with(f,
	    "library: wanted " JEMALLOC " mapped, seen another file of that "
	    "name mapped, now deleted (1:11)");
}

static void
the_library_of_another_cell_must_be_absent(void **state)
{
	Fixture *f = *state;
	VerbAnswer *answer = emptied(f, "libraries", 0);

	say_library(answer, JEMALLOC, "yes", "1:10");
	say_library(answer, TCMALLOC, "yes", "1:20");
	assert_fails_with(
	    f, "library: wanted " TCMALLOC " absent, seen mapped (1:20)");
}

static void
another_name_of_the_wanted_library_is_no_other_library(void **state)
{
	Fixture *f = *state;
	VerbAnswer *answer = emptied(f, "libraries", 0);

	say_library(answer, JEMALLOC, "yes", "1:10");
	say_library(answer, TCMALLOC, "yes", "1:10");
	assert_fails_with(f, NULL);
}

static void
a_bare_name_proves_nothing(void **state)
{
	Fixture *f = *state;
	Setting bare = { .kind = SETTING_PRELOAD,
		.name = (char *)"",
		.value = (char *)"jemalloc" };

	g_ptr_array_add(f->subjects, &bare);
	say_library(answer_of(f, "libraries", 0), "jemalloc", "no", "missing");
	assert_fails_with(f,
	    "library: wanted jemalloc absent, unknown: its bare name was not "
	    "resolved to a path");
}

static void
an_empty_variable_is_not_absent(void **state)
{
	Fixture *f = *state;

	say(answer_of(f, "environ", 0), "env", "OTHER=");
	assert_fails_with(
	    f, "environment: wanted OTHER absent, seen an empty value");
}

static void
a_watched_variable_must_be_absent_in_every_cell(void **state)
{
	Fixture *f = *state;

	say(answer_of(f, "environ", 0), "env", "MALLOC_CONF=tcache:false");
	assert_fails_with(
	    f, "environment: wanted MALLOC_CONF absent, seen tcache:false");
	f->server.command =
	    (char *)"env MALLOC_CONF=tcache:false mariadbd --base-size=5";
	assert_fails_with(f, NULL);
}

static void
the_value_must_be_exact(void **state)
{
	Fixture *f = *state;
	VerbAnswer *answer = emptied(f, "environ", 0);

	say(answer, "readable", "1");
	say(answer, "env", "LD_PRELOAD=" JEMALLOC);
	say(answer, "env", "LOOPS=30 ");
	assert_fails_with(f, "environment: wanted LOOPS 30, seen 30 ");
	answer = emptied(f, "environ", 0);
	say(answer, "readable", "1");
	say(answer, "env", "LD_PRELOAD=" JEMALLOC);
	say(answer, "env", "LOOPS=30");
	say(answer, "env", "LOOPS=31");
	assert_fails_with(f, "environment: wanted LOOPS 30, seen 30 and 31");
	answer = emptied(f, "environ", 0);
	say(answer, "readable", "1");
	say(answer, "env", "LD_PRELOAD=" JEMALLOC);
	assert_fails_with(f, "environment: wanted LOOPS 30, seen absent");
}

static void
the_owner_must_be_the_started_process(void **state)
{
	Fixture *f = *state;

	say_owner(emptied(f, "owner", 0), "43", "777");
	assert_fails_with(f,
	    "owner: wanted socket /run/s pid 42 started at 777, seen pid 43 "
	    "started at 777 (mariadbd)");
	say_owner(emptied(f, "owner", 0), "42", "778");
	assert_fails_with(f,
	    "owner: wanted socket /run/s pid 42 started at 777, seen pid 42 "
	    "started at 778 (mariadbd)");
	say_owner(emptied(f, "owner", 0), "42", "777");
	say_owner(answer_of(f, "owner", 1), "50", "900");
	assert_fails_with(f,
	    "owner: wanted tcp 3307 pid 42 started at 777, seen pid 50 "
	    "started at 900 (mariadbd)");
	emptied(f, "owner", 1)->status = VERB_ABSENT;
	assert_fails_with(f,
	    "owner: wanted tcp 3307 pid 42 started at 777, seen nobody "
	    "listens");
}

static void
process_boot_and_binary_must_be_the_same(void **state)
{
	Fixture *f = *state;
	VerbAnswer *answer = emptied(f, "boot_id", 0);

	say(answer, "boot_id", "boot-2");
	assert_fails_with(f, "boot: wanted boot-1, seen boot-2");
	answer = emptied(f, "boot_id", 0);
	say(answer, "boot_id", "boot-1");
	answer = emptied(f, "process", 0);
	say(answer, "pid", "42");
	say(answer, "start", "777");
	say(answer, "exe", "/usr/sbin/mariadbd (deleted)");
	say(answer, "exe_sha256", SHA256);
	assert_fails_with(f,
	    "binary: wanted /usr/sbin/mariadbd " SHA256
	    ", seen /usr/sbin/mariadbd (deleted) " SHA256);
	answer = emptied(f, "process", 0);
	say(answer, "pid", "42");
	say(answer, "start", "777");
	say(answer, "exe", "/usr/sbin/mariadbd");
	assert_fails_with(f,
	    "binary: wanted /usr/sbin/mariadbd " SHA256
	    ", unknown: it cannot be read");
	emptied(f, "process", 0)->status = VERB_ABSENT;
	assert_fails_with(
	    f, "process: wanted pid 42 started at 777, seen no such process");
}

/* The process's answer, with what is told of its binary; NULL: is not. */
static void
say_binary(
    Fixture *f, const char *exe, const char *identity, const char *sha256)
{
	VerbAnswer *answer = emptied(f, "process", 0);

	say(answer, "pid", "42");
	say(answer, "start", "777");
	say(answer, "exe", exe);
	if (identity != NULL)
		say(answer, "exe_identity", identity);
	if (sha256 != NULL)
		say(answer, "exe_sha256", sha256);
}

static void
an_unchanged_identity_proves_the_binary(void **state)
{
	Fixture *f = *state;

	f->life.exe_identity = (char *)"1:2:3:4.5:6.7";
	say_binary(f, "/usr/sbin/mariadbd", "1:2:3:4.5:6.7", NULL);
	assert_fails_with(f, NULL);
	say_binary(f, "/usr/sbin/mariadbd", "1:2:3:4.5:8.9", SHA256);
	assert_fails_with(f, NULL);
	say_binary(f, "/usr/sbin/mariadbd", "1:2:3:4.5:8.9", NULL);
	assert_fails_with(f,
	    "binary: wanted /usr/sbin/mariadbd " SHA256
	    ", unknown: it cannot be read");
	say_binary(f, "/usr/sbin/mariadbd (deleted)", "1:2:3:4.5:6.7", NULL);
	assert_fails_with(f,
	    "binary: wanted /usr/sbin/mariadbd " SHA256
	    ", unknown: it cannot be read");
	/* One that was never known proves nothing. */
	f->life.exe_identity = NULL;
	say_binary(f, "/usr/sbin/mariadbd", "1:2:3:4.5:6.7", NULL);
	assert_fails_with(f,
	    "binary: wanted /usr/sbin/mariadbd " SHA256
	    ", unknown: it cannot be read");
	say_binary(f, "/usr/sbin/mariadbd", NULL, NULL);
	assert_fails_with(f,
	    "binary: wanted /usr/sbin/mariadbd " SHA256
	    ", unknown: it cannot be read");
}

static void
an_answer_that_tore_is_unknown_for_all_it_should_prove(void **state)
{
	static const struct {
		const char *verb;
		guint unknown;
	} torn[] = { { "boot_id", 1 }, { "process", 1 }, { "owner", 2 },
		{ "environ", 7 }, { "libraries", 2 }, { "threads", 1 },
		{ "cmdline", 2 }, { "get", 1 } };

	for (size_t i = 0; i < G_N_ELEMENTS(torn); i++) {
		Fixture *f = NULL;
		guint unknown = 0;

		setup(state);
		f = *state;
		for (guint j = 0; j < f->answers->len; j++) {
			VerbAnswer *answer = g_ptr_array_index(f->answers, j);

			if (strcmp(answer->verb, torn[i].verb) != 0)
				continue;
			/* Whatever had come before it tore. */
			answer->status = VERB_UNKNOWN;
		}
		judge(f);
		for (guint j = 0; j < f->proofs->len; j++) {
			const Proof *proof = g_ptr_array_index(f->proofs, j);

			assert_int_not_equal(proof->verdict, PROOF_NO);
			unknown += proof->verdict == PROOF_UNKNOWN;
		}
		assert_int_equal(unknown, torn[i].unknown);
		g_autofree char *failures = proofs_failures(f->proofs);
		assert_non_null(failures);
		teardown(state);
	}
	*state = NULL;
}

static void
every_thread_must_have_the_cpus(void **state)
{
	Fixture *f = *state;

	say(answer_of(f, "threads", 0), "cpus", "0-3");
	assert_fails_with(f, "cpuset: wanted 0-1, seen 0,1 and 0-3");
	g_ptr_array_remove(f->settings, &cpus);
	assert_fails_with(
	    f, "cpuset: wanted all that are online (0-3), seen 0,1 and 0-3");
	say(emptied(f, "threads", 0), "cpus", "0-7");
	assert_fails_with(f, NULL);
}

static void
tunables_are_read_back(void **state)
{
	Fixture *f = *state;

	say(emptied(f, "get", 1), "value", "60");
	assert_fails_with(f, "sysctl: wanted vm.swappiness 1, seen 60");
	g_ptr_array_remove(f->settings, &swap);
	assert_fails_with(
	    f, "sysctl: wanted vm.swappiness what it was before, unknown: 60");
	emptied(f, "get", 1)->status = VERB_ABSENT;
	assert_fails_with(f,
	    "sysctl: wanted vm.swappiness what it was before, seen no such "
	    "thing here");
}

static void
a_call_that_did_not_ask_is_an_error(void **state)
{
	Fixture *f = *state;
	g_autoptr(GError) error = NULL;

	g_ptr_array_remove_index(f->answers, 3);
	assert_false(
	    server_proof_judge(&f->context, f->answers, f->proofs, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_VERIFY));
}

static void
other_verbs_may_stand_around(void **state)
{
	Fixture *f = *state;
	VerbAnswer *first = add_answer(f, "boot_id");
	VerbAnswer *last = add_answer(f, "process");

	(void)last;
	g_ptr_array_steal_index(f->answers, f->answers->len - 2);
	g_ptr_array_insert(f->answers, 0, first);
	assert_fails_with(f, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PROOF_TEST(a_server_as_wanted_is_proved),
		PROOF_TEST(a_right_environment_does_not_prove_a_library),
		PROOF_TEST(a_mapped_file_that_was_replaced_is_not_the_library),
		PROOF_TEST(the_library_of_another_cell_must_be_absent),
		PROOF_TEST(
		    another_name_of_the_wanted_library_is_no_other_library),
		PROOF_TEST(a_bare_name_proves_nothing),
		PROOF_TEST(an_empty_variable_is_not_absent),
		PROOF_TEST(a_watched_variable_must_be_absent_in_every_cell),
		PROOF_TEST(the_value_must_be_exact),
		PROOF_TEST(the_owner_must_be_the_started_process),
		PROOF_TEST(process_boot_and_binary_must_be_the_same),
		PROOF_TEST(an_unchanged_identity_proves_the_binary),
		cmocka_unit_test(
		    an_answer_that_tore_is_unknown_for_all_it_should_prove),
		PROOF_TEST(every_thread_must_have_the_cpus),
		PROOF_TEST(tunables_are_read_back),
		PROOF_TEST(a_call_that_did_not_ask_is_an_error),
		PROOF_TEST(other_verbs_may_stand_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
