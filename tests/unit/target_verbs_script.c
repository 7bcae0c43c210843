#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/verbs.h"

#define NONCE "5eed"

/* Runs a script as a host would; its output. */
static char *
feed_to_sh(const char *shell, const char *script)
{
	g_autofree char *path = NULL;
	g_autofree char *command = NULL;
	char *out = NULL;
	const int fd = g_file_open_tmp("abrun-verbs-XXXXXX", &path, NULL);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	assert_true(g_file_set_contents(path, script, -1, NULL));
	/* Through a pipe, as ssh does it, or the shell could seek. */
	command = g_strdup_printf("cat %s | %s -s", path, shell);
	const char *const argv[] = { "/bin/sh", "-c", command, NULL };
	assert_true(g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_DEFAULT,
	    NULL, NULL, &out, NULL, NULL, NULL));
	assert_int_equal(remove(path), 0);
	return out;
}

/* Answers its arguments, and eats what it can of standard input. */
#define ECHO_PROGRAM                                                           \
	"abrun_call() {\n"                                                     \
	"printf 'BEGIN %s %s protocol=1\\n' \"$1\" \"$2\"\n"                   \
	"n=$1 v=$2; shift 2\n"                                                 \
	"for a; do printf 'sum\\t%s\\n' "                                      \
	"\"$(printf %s \"$a\" | sha256sum)\"; done\n"                          \
	"cat >/dev/null\n"                                                     \
	"printf 'END %s %s 0\\n' \"$n\" \"$v\"; }\n"

static void
arguments_arrive_as_they_were(void **state)
{
	static const char *const shells[] = { "dash", "bash" };
	static const char *const words[] = { "", "a b", "'", "\\", "$HOME `id`",
		"*", "two\nlines\n", "\ttab\r", "!x", "-n", "\xff\x01" };
	g_autoptr(VerbCall) call = verb_call_new();

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		verb_call_add(call, "facts", words[i], NULL);
	g_autofree char *script = verb_call_script(call, ECHO_PROGRAM, NONCE);
	for (size_t s = 0; s < G_N_ELEMENTS(shells); s++) {
		g_autofree char *out = feed_to_sh(shells[s], script);
		g_autoptr(GPtrArray) answers =
		    verb_answers_parse(call, NONCE, out, NULL);
		for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
			g_autofree char *sum = g_compute_checksum_for_string(
			    G_CHECKSUM_SHA256, words[i], -1);
			g_autofree char *line = g_strdup_printf("%s  -", sum);
			assert_string_equal(
			    verb_answer_get(answers->pdata[i], "sum"), line);
		}
	}
}

static void
nothing_eats_a_program_longer_than_a_read_block(void **state)
{
	static const char *const shells[] = { "dash", "bash" };
	g_autoptr(GString) program = g_string_new(ECHO_PROGRAM);
	g_autoptr(VerbCall) call = verb_call_new();

	(void)state;
	while (program->len < 20000)
		g_string_append(program, "# filling filling filling filling\n");
	for (int i = 0; i < 60; i++)
		verb_call_add(call, "facts",
		    "an argument that makes the calls long as well", NULL);
	g_autofree char *script = verb_call_script(call, program->str, NONCE);
	for (size_t s = 0; s < G_N_ELEMENTS(shells); s++) {
		g_autofree char *out = feed_to_sh(shells[s], script);
		g_autoptr(GPtrArray) answers =
		    verb_answers_parse(call, NONCE, out, NULL);
		for (guint i = 0; i < answers->len; i++)
			assert_int_equal(
			    ((VerbAnswer *)answers->pdata[i])->status,
			    VERB_DONE);
	}
}

/* Whether a call of these verbs, the second may be NULL, is fed that word. */
static bool
is_fed(const char *program, const char *word, const char *verb,
    const char *another)
{
	g_autoptr(VerbCall) call = verb_call_new();

	verb_call_add(call, verb, NULL);
	if (another != NULL)
		verb_call_add(call, another, NULL);
	g_autofree char *script = verb_call_script(call, program, NONCE);
	return strstr(script, word) != NULL;
}

static void
parts_that_no_verb_needs_are_left_out(void **state)
{
	static const char program[] = "common\nsystem\n"
				      "# abrun-verbs: kernel reboot\nboots\n"
				      "# abrun-verbs: facts\nfactual\n";

	(void)state;
	assert_true(is_fed(program, "common\nsystem", "hello", NULL));
	assert_true(is_fed(program, "common\nsystem", "facts", NULL));
	assert_true(is_fed(program, "\nboots\n", "reboot", NULL));
	assert_true(is_fed(program, "\nboots\n", "hello", "kernel"));
	assert_true(is_fed(program, "\nfactual\n", "facts", "kernel"));
	assert_false(is_fed(program, "boots", "facts", "hello"));
	assert_false(is_fed(program, "factual", "kernel", NULL));
	/* A part of a verb's name, or a verb beside the line, is none. */
	assert_false(is_fed(program, "boots", "kern", NULL));
	assert_false(is_fed(program, "\nboots", "boots", NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_arrive_as_they_were),
		cmocka_unit_test(
		    nothing_eats_a_program_longer_than_a_read_block),
		cmocka_unit_test(parts_that_no_verb_needs_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
