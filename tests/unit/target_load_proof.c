#include "../lib/proof_fixture.h"

#include "target/load_proof.h"

#define MAKE "/usr/bin/make"

/* The answers to load_proof_ask() of a load that is as wanted. */
typedef struct {
	Fixture *of;
	GHashTable *known;
	LoadProofContext context;
} Run;

static Run
run_of(Fixture *f, const char *subject)
{
	g_ptr_array_set_size(f->answers, 0);
	say(add_answer(f, "get"), "value", "0-3");
	VerbAnswer *seen = add_answer(f, "load_seen");
	say(seen, "subject", subject);
	say(seen, "exe", MAKE);
	say(seen, "exe_sha256", SHA256);
	say(seen, "cpus", "0-1");
	say(seen, "readable", "1");
	say(seen, "env", "LOOPS=30");
	say(seen, "env", "LD_PRELOAD=" JEMALLOC);
	return (Run){ .of = f,
		.known = g_hash_table_new_full(
		    g_str_hash, g_str_equal, g_free, g_free),
		.context = { f->settings, f->subjects } };
}

/* What does not hold, NULL if all does; free it. */
static char *
judged(Run *run, const char *command)
{
	g_ptr_array_set_size(run->of->proofs, 0);
	load_proof_judge(&run->context, command, run->of->answers, run->known,
	    run->of->proofs);
	return proofs_failures(run->of->proofs);
}

static void
a_program_as_wanted_is_proved(void **state)
{
	Fixture *f = *state;
	Run run = run_of(f, "program");
	say_library(f->answers->pdata[1], JEMALLOC, "yes", "1:10");
	say_library(f->answers->pdata[1], TCMALLOC, "no", "1:20");

	g_autofree char *failures = judged(&run, "exec make");
	assert_null(failures);
	/* binary, 5 watched and 2 more variables, 2 libraries, cpuset */
	assert_int_equal(f->proofs->len, 11);
	assert_string_equal(load_proof_program(f->answers), MAKE);
	/* It is known from now on. */
	assert_string_equal(g_hash_table_lookup(run.known, MAKE), SHA256);
	(void)g_hash_table_insert(run.known, g_strdup(MAKE), g_strdup("ff"));
	g_autofree char *changed = judged(&run, "exec make");
	assert_string_equal(
	    changed, "binary: wanted " MAKE " ff, seen " SHA256);
	g_hash_table_unref(run.known);
}

static void
a_static_program_is_caught(void **state)
{
	Fixture *f = *state;
	Run run = run_of(f, "program");
	say_library(f->answers->pdata[1], JEMALLOC, "no", "1:10");
	say_library(f->answers->pdata[1], TCMALLOC, "no", "1:20");

	g_autofree char *failures = judged(&run, "exec make");
	assert_string_equal(failures,
	    "library: wanted " JEMALLOC " mapped, seen not mapped (1:10)");
	g_hash_table_unref(run.known);
}

static void
what_a_shell_has_mapped_proves_no_library(void **state)
{
	static const char *const kinds[] = { "shell", "held" };
	Fixture *f = *state;

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		Run run = run_of(f, kinds[i]);
		say_library(f->answers->pdata[1], JEMALLOC, "yes", "1:10");
		say_library(f->answers->pdata[1], TCMALLOC, "no", "1:20");
		g_autofree char *failures = judged(&run, ":");
		assert_non_null(strstr(failures,
		    "library: wanted " JEMALLOC " mapped in a program"));
		assert_non_null(strstr(failures, "library: wanted " TCMALLOC));
		assert_null(strstr(failures, "environment"));
		assert_null(strstr(failures, "binary"));
		assert_null(load_proof_program(f->answers));
		g_hash_table_unref(run.known);
	}
}

static void
a_run_that_was_not_seen_is_unknown(void **state)
{
	Fixture *f = *state;
	Run run = run_of(f, "program");
	VerbAnswer *seen = emptied(f, "load_seen", 0);
	seen->status = VERB_ABSENT;
	say(seen, "error", "it ended before it could be looked at");

	g_autofree char *failures = judged(&run, "true");
	assert_non_null(strstr(failures,
	    "environment: wanted LOOPS 30, unknown: it ended before"));
	assert_non_null(strstr(failures, "cpuset: wanted 0-1, unknown"));
	g_hash_table_unref(run.known);
}

static void
a_command_may_set_what_no_level_varies(void **state)
{
	Fixture *f = *state;
	Run run = run_of(f, "program");
	say_library(f->answers->pdata[1], JEMALLOC, "yes", "1:10");
	say_library(f->answers->pdata[1], TCMALLOC, "no", "1:20");
	say(f->answers->pdata[1], "env", "MALLOC_CONF=x");
	say(f->answers->pdata[1], "env", "OTHER=2");

	g_autofree char *failures =
	    judged(&run, "OTHER=2 MALLOC_CONF=x exec make");
	assert_string_equal(
	    failures, "environment: wanted OTHER absent, seen 2");
	g_autofree char *leaked = judged(&run, "exec make");
	assert_non_null(strstr(leaked, "wanted MALLOC_CONF absent, seen x"));
	g_hash_table_unref(run.known);
}

static void
servers_proofs_are_not_applicable(void **state)
{
	Fixture *f = *state;
	const LoadProofContext context = { f->settings, f->subjects };

	g_ptr_array_set_size(f->answers, 0);
	say(add_answer(f, "get"), "value", "60");
	load_proof_host_judge(&context, f->answers, f->proofs);
	assert_int_equal(f->proofs->len, 4);
	for (guint i = 0; i < 3; i++) {
		const Proof *proof = f->proofs->pdata[i];
		assert_int_equal(proof->verdict, PROOF_NOT_APPLICABLE);
	}
	g_autofree char *failures = proofs_failures(f->proofs);
	assert_string_equal(
	    failures, "sysctl: wanted vm.swappiness 1, seen 60");
}

/* What a load is started with, and nothing of the cells that it is not. */
static void
a_load_has_its_mark_its_cpus_and_its_variables(void **state)
{
	Fixture *f = *state;
	g_autoptr(VerbCall) call = verb_call_new();

	load_proof_run(call, "/tmp/abrun.x", "/tmp/abrun.x/run.1", "1000", "20",
	    f->settings, "make");
	g_autofree char *script = verb_call_script(call, "", "n");
	g_auto(GStrv) words = g_strsplit(script, "'", -1);
	g_autofree char *unquoted = g_strjoinv("", words);
	assert_non_null(strstr(unquoted,
	    "load_prove /tmp/abrun.x/run.1 1000 20 0-1 3 "
	    "ABRUN_LOAD=/tmp/abrun.x "
	    "LOOPS=30 LD_PRELOAD=" JEMALLOC " make"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PROOF_TEST(a_program_as_wanted_is_proved),
		PROOF_TEST(a_static_program_is_caught),
		PROOF_TEST(what_a_shell_has_mapped_proves_no_library),
		PROOF_TEST(a_run_that_was_not_seen_is_unknown),
		PROOF_TEST(a_command_may_set_what_no_level_varies),
		PROOF_TEST(a_load_has_its_mark_its_cpus_and_its_variables),
		PROOF_TEST(servers_proofs_are_not_applicable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
