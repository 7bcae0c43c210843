/*
 * A cell of a matrix and the answers of a server that is as wanted: each test
 * of the proofs changes one thing.  To be included once by a test program.
 */
#ifndef TESTS_PROOF_FIXTURE_H
#define TESTS_PROOF_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "target/server_proof.h"

#define JEMALLOC "/usr/lib/libjemalloc.so.2"
#define TCMALLOC "/usr/lib/libtcmalloc.so.4"
#define SHA256                                                                 \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/*
 * A cell with one setting of each kind, in a matrix that also has another
 * library and another variable; and the answers of a server that is as wanted.
 */
static Setting je = {
	.kind = SETTING_PRELOAD, .name = (char *)"", .value = (char *)JEMALLOC
};
static Setting tc = {
	.kind = SETTING_PRELOAD, .name = (char *)"", .value = (char *)TCMALLOC
};
static Setting loops = {
	.kind = SETTING_ENV, .name = (char *)"LOOPS", .value = (char *)"30"
};
static Setting other = {
	.kind = SETTING_ENV, .name = (char *)"OTHER", .value = (char *)"1"
};
static Setting flush = { .kind = SETTING_MYSQLD,
	.name = (char *)"flush_log",
	.value = (char *)"2" };
static Setting pool = { .kind = SETTING_MYSQLD,
	.name = (char *)"pool_size",
	.value = (char *)"64M" };
static Setting cpus = {
	.kind = SETTING_CPUSET, .name = (char *)"", .value = (char *)"0-1"
};
static Setting swap = { .kind = SETTING_SYSCTL,
	.name = (char *)"vm.swappiness",
	.value = (char *)"1" };

typedef struct {
	Server server;
	ServerLife life;
	GPtrArray *settings, *subjects, *answers, *proofs;
	GHashTable *values;
	ProofContext context;
} Fixture;

static inline void
free_answer(gpointer data)
{
	VerbAnswer *answer = data;

	g_free(answer->verb);
	g_ptr_array_unref(answer->keys);
	g_ptr_array_unref(answer->values);
	g_free(answer);
}

static inline VerbAnswer *
add_answer(Fixture *f, const char *verb)
{
	VerbAnswer *answer = g_new0(VerbAnswer, 1);

	answer->verb = g_strdup(verb);
	answer->keys = g_ptr_array_new_with_free_func(g_free);
	answer->values = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(f->answers, answer);
	return answer;
}

static inline void
say(VerbAnswer *answer, const char *key, const char *value)
{
	g_ptr_array_add(answer->keys, g_strdup(key));
	g_ptr_array_add(answer->values, g_strdup(value));
}

/* The answer of this verb, the nth of its kind, emptied where asked. */
static inline VerbAnswer *
answer_of(Fixture *f, const char *verb, int nth)
{
	for (guint i = 0; i < f->answers->len; i++) {
		VerbAnswer *answer = g_ptr_array_index(f->answers, i);

		if (strcmp(answer->verb, verb) == 0 && nth-- == 0)
			return answer;
	}
	fail_msg("no answer to %s", verb);
	return NULL;
}

static inline VerbAnswer *
emptied(Fixture *f, const char *verb, int nth)
{
	VerbAnswer *answer = answer_of(f, verb, nth);

	g_ptr_array_set_size(answer->keys, 0);
	g_ptr_array_set_size(answer->values, 0);
	return answer;
}

static inline void
say_owner(VerbAnswer *answer, const char *pid, const char *start)
{
	say(answer, "pid", pid);
	say(answer, "start", start);
	say(answer, "comm", "mariadbd");
}

static inline void
say_library(VerbAnswer *answer, const char *file, const char *mapped,
    const char *identity)
{
	say(answer, "library", file);
	say(answer, "mapped", mapped);
	say(answer, "identity", identity);
}

/* In the order of server_proof_verbs(), which one test compares. */
static inline void
add_right_answers(Fixture *f)
{
	VerbAnswer *answer = NULL;

	say(add_answer(f, "boot_id"), "boot_id", "boot-1");
	answer = add_answer(f, "process");
	say(answer, "pid", "42");
	say(answer, "start", "777");
	say(answer, "exe", "/usr/sbin/mariadbd");
	say(answer, "exe_sha256", SHA256);
	say_owner(add_answer(f, "owner"), "42", "777");
	say_owner(add_answer(f, "owner"), "42", "777");
	answer = add_answer(f, "environ");
	say(answer, "readable", "1");
	say(answer, "env", "LOOPS=30");
	say(answer, "env", "LD_PRELOAD=" JEMALLOC);
	answer = add_answer(f, "libraries");
	say_library(answer, JEMALLOC, "yes", "1:10");
	say_library(answer, TCMALLOC, "no", "1:20");
	say(add_answer(f, "get"), "value", "0-3");
	answer = add_answer(f, "threads");
	say(answer, "threads", "9");
	say(answer, "cpus", "0,1");
	answer = add_answer(f, "cmdline");
	say(answer, "arg", "/usr/sbin/mariadbd");
	say(answer, "arg", "--base-size=5");
	say(answer, "arg", "--flush-log=2");
	say(add_answer(f, "get"), "value", "1");
}

static inline int
setup(void **state)
{
	Fixture *f = g_new0(Fixture, 1);

	f->server = (Server){ .kind = SERVER_COMMAND,
		.mysqld = true,
		.command = (char *)"/usr/sbin/mariadbd --base-size=5",
		.socket = (char *)"/run/s",
		.port = 3307 };
	f->life = (ServerLife){ .pid = 42,
		.start = (char *)"777",
		.boot_id = (char *)"boot-1",
		.exe = (char *)"/usr/sbin/mariadbd",
		.exe_sha256 = (char *)SHA256,
		.version = (char *)"10.11" };
	f->settings = g_ptr_array_new();
	f->subjects = g_ptr_array_new();
	f->answers = g_ptr_array_new_with_free_func(free_answer);
	f->proofs = g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);
	f->values = g_hash_table_new(g_str_hash, g_str_equal);
	f->context =
	    (ProofContext){ &f->server, &f->life, f->settings, f->subjects };
	for (Setting **s =
		 (Setting *[]){ &je, &loops, &flush, &cpus, &swap, NULL };
	     *s != NULL; s++)
		g_ptr_array_add(f->settings, *s);
	for (Setting **s = (Setting *[]){ &je, &tc, &loops, &other, &flush,
		 &pool, &cpus, &swap, NULL };
	     *s != NULL; s++)
		g_ptr_array_add(f->subjects, *s);
	add_right_answers(f);
	g_hash_table_insert(
	    f->values, (gpointer) "version", (gpointer) "10.11");
	g_hash_table_insert(f->values, (gpointer) "flush_log", (gpointer) "2");
	*state = f;
	return 0;
}

static inline int
teardown(void **state)
{
	Fixture *f = *state;

	g_ptr_array_unref(f->settings);
	g_ptr_array_unref(f->subjects);
	g_ptr_array_unref(f->answers);
	g_ptr_array_unref(f->proofs);
	g_hash_table_unref(f->values);
	g_free(f);
	return 0;
}

static inline void
judge(Fixture *f)
{
	g_ptr_array_set_size(f->proofs, 0);
	assert_true(
	    server_proof_judge(&f->context, f->answers, f->proofs, NULL));
	option_proof_values(&f->context, f->values, "", f->proofs);
}

/* The only proof that does not hold is this one; NULL = all hold. */
static inline void
assert_fails_with(Fixture *f, const char *failures)
{
	g_autofree char *seen = NULL;

	judge(f);
	seen = proofs_failures(f->proofs);
	if (failures == NULL)
		assert_null(seen);
	else
		assert_string_equal(seen == NULL ? "all hold" : seen, failures);
}

#define PROOF_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
