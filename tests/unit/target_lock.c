#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "target/lock_judge.h"
#include "target/verb_text.h"

#define HOLDER                                                                 \
	"controller\\tctl\\nuser\\tme\\npid\\t42\\nrun\\t/runs/x\\n"           \
	"since\\t2026-11-30 20:00:00\\n"
#define WHO                                                                    \
	"process 42 of me on ctl since 2026-11-30 20:00:00 UTC, run "          \
	"directory /runs/x"

/* The judgement of a host at 1000 on boot "b" that tells this of its lock. */
static LockState
judge_at(const char *now, const char *lock, char **words)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autofree char *text = g_strdup_printf(
	    "BEGIN n lock_show protocol=1\nboot_id\tb\n%sgeneration\t7\n%s"
	    "END n lock_show 0\n",
	    now, lock);

	verb_call_add(call, "lock_show", NULL);
	g_autoptr(GPtrArray) answers =
	    verb_answers_parse(call, "n", text, NULL);
	const VerbAnswer *answer = answers->pdata[0];
	assert_int_equal(answer->status, VERB_DONE);
	return lock_judge(answer, "ours", words);
}

static LockState
judge(const char *lock, char **words)
{
	return judge_at("now\t1000\n", lock, words);
}

static void
no_lock_is_free(void **state)
{
	char *words = (char *)"unset";

	(void)state;
	assert_int_equal(judge("", &words), LOCK_FREE);
	assert_null(words);
	assert_int_equal(judge("", NULL), LOCK_FREE);
}

static void
one_given_back_is_free(void **state)
{
	(void)state;
	assert_int_equal(judge("lock\tboot_id\\tb\\nreleased\\tyes\\n"
			       "token\\ttheirs\\n\n",
			     NULL),
	    LOCK_FREE);
}

static void
one_whose_lease_runs_is_held_and_tells_who(void **state)
{
	g_autofree char *words = NULL;

	(void)state;
	assert_int_equal(judge("lock\tboot_id\\tb\\nuntil\\t1000\\n"
			       "token\\ttheirs\\n" HOLDER "\n",
			     &words),
	    LOCK_HELD);
	assert_string_equal(words, WHO);
}

static void
one_whose_lease_has_run_out_is_stale(void **state)
{
	g_autofree char *words = NULL;

	(void)state;
	assert_int_equal(judge("lock\tboot_id\\tb\\nuntil\\t999\\n"
			       "token\\ttheirs\\n" HOLDER "\n",
			     &words),
	    LOCK_STALE);
	assert_string_equal(
	    words, "its lease has run out; it was that of " WHO);
}

static void
one_of_another_boot_is_stale(void **state)
{
	g_autofree char *words = NULL;

	(void)state;
	assert_int_equal(judge("lock\tboot_id\\ta\\nuntil\\t5000\\n"
			       "token\\ttheirs\\n" HOLDER "\n",
			     &words),
	    LOCK_STALE);
	assert_string_equal(
	    words, "the host was booted since; it was that of " WHO);
}

static void
one_of_our_token_is_ours(void **state)
{
	(void)state;
	assert_int_equal(judge("lock\tboot_id\\tb\\nuntil\\t5000\\n"
			       "token\\tours\\n" HOLDER "\n",
			     NULL),
	    LOCK_OURS);
}

static void
a_file_that_is_not_whole_is_stale(void **state)
{
	static const char *const files[] = {
		"lock\t\n",
		"lock\t\\n\\n\n",
		"lock\tgarbage\n",
		"lock\tboot_id\\tb\\ntoken\\ttheirs\\n\n",
		"lock\tboot_id\\tb\\nuntil\\tsoon\\n\n",
		"lock\tboot_id\\tb\\nuntil\\t-1\\n\n",
		"lock\tboot_id\\tb\\nuntil\\t50\\\\x\\n\n",
		"lock\tuntil\\t5000\\n\n",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *words = NULL;
		assert_int_equal(judge(files[i], &words), LOCK_STALE);
		assert_true(g_str_has_prefix(words, "its file was lost; "));
	}
}

static void
what_cannot_be_told_is_held(void **state)
{
	(void)state;
	assert_int_equal(judge_at("",
			     "lock\tboot_id\\tb\\nuntil\\t1\\n"
			     "token\\ttheirs\\n\n",
			     NULL),
	    LOCK_HELD);
	assert_int_equal(judge_at("now\tlate\n",
			     "lock\tboot_id\\tb\\nuntil\\t1\\n"
			     "token\\ttheirs\\n\n",
			     NULL),
	    LOCK_HELD);
}

static void
names_are_fit_to_print(void **state)
{
	g_autofree char *words = NULL;

	(void)state;
	assert_int_equal(judge("lock\tboot_id\\tb\\nuntil\\t5000\\n"
			       "user\\ta\033[2J\\\\nb\\n\n",
			     &words),
	    LOCK_HELD);
	assert_string_equal(words,
	    "process ? of a\\x1b[2J\\nb on ? since ? UTC, run directory ?");
}

static void
any_value_survives_being_written(void **state)
{
	static const char *const values[] = { "", "plain", "a\tb\nc\rd\\e",
		"\\t", "\\\\n", "\n", "\t\t", "trailing\\", "\x01\xff" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
		g_autofree char *text = verb_escape(values[i]);
		g_autofree char *value = verb_unescape(text, strlen(text));
		assert_null(strpbrk(text, "\t\n\r"));
		assert_string_equal(value, values[i]);
	}
	assert_null(verb_unescape("a\\", 2));
	assert_null(verb_unescape("a\\x", 3));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_lock_is_free),
		cmocka_unit_test(one_given_back_is_free),
		cmocka_unit_test(one_whose_lease_runs_is_held_and_tells_who),
		cmocka_unit_test(one_whose_lease_has_run_out_is_stale),
		cmocka_unit_test(one_of_another_boot_is_stale),
		cmocka_unit_test(one_of_our_token_is_ours),
		cmocka_unit_test(a_file_that_is_not_whole_is_stale),
		cmocka_unit_test(what_cannot_be_told_is_held),
		cmocka_unit_test(names_are_fit_to_print),
		cmocka_unit_test(any_value_survives_being_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
