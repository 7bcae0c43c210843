#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "target/verbs.h"

#define NONCE "5eed"
#define FACTS                                                                  \
	"BEGIN 5eed facts protocol=1\n"                                        \
	"kernel\t6.1.0\n"                                                      \
	"END 5eed facts 0\n"
#define HASH                                                                   \
	"BEGIN 5eed hash protocol=1\n"                                         \
	"sha256\tabc\n"                                                        \
	"END 5eed hash 0\n"

/* A call of facts and hash. */
static VerbCall *
two_verbs(void)
{
	VerbCall *call = verb_call_new();

	verb_call_add(call, "facts", NULL);
	verb_call_add(call, "hash", "/a b", NULL);
	return call;
}

static GPtrArray *
parse(const char *text)
{
	g_autoptr(VerbCall) call = two_verbs();
	GPtrArray *answers = verb_answers_parse(call, NONCE, text, NULL);

	assert_int_equal(answers->len, 2);
	assert_string_equal(((VerbAnswer *)answers->pdata[0])->verb, "facts");
	assert_string_equal(((VerbAnswer *)answers->pdata[1])->verb, "hash");
	return answers;
}

/* The answer to a call of facts alone, to this text. */
static VerbAnswer *
parse_one(const char *text)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	verb_call_add(call, "facts", NULL);
	answers = verb_answers_parse(call, NONCE, text, NULL);
	assert_int_equal(answers->len, 1);
	return g_ptr_array_steal_index(answers, 0);
}

static void
assert_unknown(const VerbAnswer *answer)
{
	assert_int_equal(answer->status, VERB_UNKNOWN);
	assert_false(answer->whole);
	assert_int_equal(answer->keys->len, 1);
	assert_non_null(verb_answer_get(answer, "error"));
}

static void
assert_torn(const char *text)
{
	g_autoptr(VerbAnswer) answer = parse_one(text);

	assert_unknown(answer);
}

static void
whole_frames_are_read_in_order(void **state)
{
	g_autoptr(GPtrArray) answers = parse(FACTS HASH);
	const VerbAnswer *facts = answers->pdata[0];
	const VerbAnswer *hash = answers->pdata[1];

	(void)state;
	assert_int_equal(facts->status, VERB_DONE);
	assert_true(facts->whole);
	assert_string_equal(verb_answer_get(facts, "kernel"), "6.1.0");
	assert_null(verb_answer_get(facts, "sha256"));
	assert_int_equal(hash->status, VERB_DONE);
	assert_string_equal(verb_answer_get(hash, "sha256"), "abc");
}

static void
every_status_is_told_apart(void **state)
{
	(void)state;
	for (int status = 0; status <= 3; status++) {
		g_autofree char *text = g_strdup_printf(
		    "BEGIN 5eed facts protocol=1\nEND 5eed facts %d\n", status);
		g_autoptr(VerbAnswer) answer = parse_one(text);

		assert_int_equal(answer->status, status);
		assert_true(answer->whole);
	}
}

static void
noise_around_frames_is_kept_apart(void **state)
{
	g_autoptr(VerbCall) call = two_verbs();
	g_autoptr(GString) noise = g_string_new("kept:");
	g_autoptr(GPtrArray) answers = verb_answers_parse(call, NONCE,
	    "Welcome!\nno newline " FACTS "between\tkey\n" HASH "END\nlast",
	    noise);

	(void)state;
	for (guint i = 0; i < 2; i++)
		assert_int_equal(
		    ((VerbAnswer *)answers->pdata[i])->status, VERB_DONE);
	assert_string_equal(
	    noise->str, "kept:Welcome!\nno newline between\tkey\nEND\nlast");
}

static void
values_are_unescaped(void **state)
{
	g_autoptr(VerbAnswer) answer =
	    parse_one("BEGIN 5eed facts protocol=1\n"
		      "a\tone\\ntwo\\tthree\\\\n\\r\n"
		      "empty\t\n"
		      "tabs\tx\ty\t\n"
		      "END 5eed facts 0\n");

	(void)state;
	assert_int_equal(answer->status, VERB_DONE);
	assert_string_equal(
	    verb_answer_get(answer, "a"), "one\ntwo\tthree\\n\r");
	assert_string_equal(verb_answer_get(answer, "empty"), "");
	assert_string_equal(verb_answer_get(answer, "tabs"), "x\ty\t");
}

static void
a_repeated_key_is_a_list(void **state)
{
	g_autoptr(VerbAnswer) answer = parse_one("BEGIN 5eed facts protocol=1\n"
						 "pid\t1\ncomm\tx\npid\t2\n"
						 "END 5eed facts 0\n");
	g_autoptr(GPtrArray) pids = verb_answer_all(answer, "pid");
	g_autoptr(GPtrArray) none = verb_answer_all(answer, "nope");

	(void)state;
	assert_int_equal(pids->len, 2);
	assert_string_equal(pids->pdata[0], "1");
	assert_string_equal(pids->pdata[1], "2");
	assert_string_equal(verb_answer_get(answer, "pid"), "1");
	assert_int_equal(none->len, 0);
}

static void
lines_may_end_with_carriage_returns(void **state)
{
	g_autoptr(VerbAnswer) answer =
	    parse_one("motd\r\nBEGIN 5eed facts protocol=1\r\n"
		      "kernel\t6.1\r\nEND 5eed facts 0\r\n");

	(void)state;
	assert_int_equal(answer->status, VERB_DONE);
	assert_string_equal(verb_answer_get(answer, "kernel"), "6.1");
}

static void
every_cut_of_an_answer_is_unknown(void **state)
{
	const char *whole = FACTS;

	(void)state;
	/* Without the last newline it is still whole. */
	for (size_t length = 0; length < strlen(whole) - 1; length++) {
		g_autofree char *cut = g_strndup(whole, length);
		assert_torn(cut);
	}
}

static void
a_torn_frame_does_not_harm_the_next(void **state)
{
	g_autoptr(GPtrArray) answers =
	    parse("BEGIN 5eed facts protocol=1\nkernel\t6" HASH);
	g_autoptr(GPtrArray) early =
	    parse("BEGIN 5eed facts protocol=1\nkernel\t6\n" HASH);

	(void)state;
	/* Glued to a value, the next frame has no first line of its own. */
	assert_unknown(answers->pdata[0]);
	assert_unknown(answers->pdata[1]);
	assert_unknown(early->pdata[0]);
	assert_int_equal(((VerbAnswer *)early->pdata[1])->status, VERB_DONE);
}

static void
a_wrong_nonce_is_noise(void **state)
{
	(void)state;
	assert_torn("BEGIN 5eee facts protocol=1\nEND 5eee facts 0\n");
	assert_torn("BEGIN 5eed facts protocol=1\nEND 5eee facts 0\n");
	assert_torn("BEGIN 5eed5eed facts protocol=1\nEND 5eed facts 0\n");
}

static void
a_wrong_end_tears_the_frame(void **state)
{
	(void)state;
	assert_torn("BEGIN 5eed facts protocol=1\nEND 5eed hash 0\n");
	assert_torn("BEGIN 5eed facts protocol=1\nEND 5eed factsx 0\n");
	assert_torn("BEGIN 5eed facts protocol=1\nEND 5eed facts 4\n");
	assert_torn("BEGIN 5eed facts protocol=1\nEND 5eed facts 00\n");
	assert_torn("BEGIN 5eed facts protocol=1\nEND 5eed facts \n");
	assert_torn("BEGIN 5eed facts protocol=1\nEND 5eed facts 0 0\n");
	assert_torn("BEGIN 5eed facts protocol=1\nxEND 5eed facts 0\n");
}

static void
another_protocol_is_not_guessed_at(void **state)
{
	(void)state;
	assert_torn("BEGIN 5eed facts protocol=2\nEND 5eed facts 0\n");
	assert_torn("BEGIN 5eed facts protocol=10\nEND 5eed facts 0\n");
	assert_torn("BEGIN 5eed facts\nEND 5eed facts 0\n");
}

static void
hostile_lines_tear_the_frame(void **state)
{
	static const char *const lines[] = { "no tab", "", "\tno key",
		"Upper\tx", "a b\tx", "key\tbad \\x escape", "key\tend\\",
		"Warning: key\tx", "\033[2Jkey\tx" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *text =
		    g_strdup_printf("BEGIN 5eed facts protocol=1\na\tb\n%s\n"
				    "END 5eed facts 0\n",
			lines[i]);
		assert_torn(text);
	}
}

static void
a_value_cannot_end_its_frame(void **state)
{
	g_autoptr(VerbAnswer) answer =
	    parse_one("BEGIN 5eed facts protocol=1\n"
		      "a\tEND 5eed facts 2\nb\tBEGIN 5eed facts protocol=1\n"
		      "END 5eed facts 0\n");

	(void)state;
	assert_int_equal(answer->status, VERB_DONE);
	assert_string_equal(verb_answer_get(answer, "a"), "END 5eed facts 2");
	assert_string_equal(
	    verb_answer_get(answer, "b"), "BEGIN 5eed facts protocol=1");
}

static void
a_frame_out_of_order_answers_nothing(void **state)
{
	g_autoptr(GPtrArray) lost = parse(HASH);
	g_autoptr(GPtrArray) swapped = parse(HASH FACTS);

	(void)state;
	for (guint i = 0; i < 2; i++) {
		assert_unknown(lost->pdata[i]);
		assert_unknown(swapped->pdata[i]);
	}
}

static void
more_frames_than_verbs_are_noise(void **state)
{
	g_autoptr(VerbCall) call = two_verbs();
	g_autoptr(GString) noise = g_string_new(NULL);
	g_autoptr(GPtrArray) answers =
	    verb_answers_parse(call, NONCE, FACTS HASH HASH, noise);

	(void)state;
	assert_int_equal(answers->len, 2);
	assert_string_equal(noise->str, HASH);
}

static void
ten_megabytes_of_noise_are_survived(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GString) noise = g_string_new(NULL);
	g_autoptr(VerbCall) call = two_verbs();

	(void)state;
	for (size_t i = 0; text->len < 5U << 20; i++)
		g_string_append_printf(text, "BEGIN 5ee %zu\tkey\n", i);
	g_string_append(text, FACTS);
	while (text->len < 10U << 20)
		g_string_append(text, "END 5eed ");
	g_string_append(text, HASH);
	g_autoptr(GPtrArray) answers =
	    verb_answers_parse(call, NONCE, text->str, noise);

	for (guint i = 0; i < 2; i++)
		assert_int_equal(
		    ((VerbAnswer *)answers->pdata[i])->status, VERB_DONE);
	assert_int_equal(noise->len, text->len - strlen(FACTS) - strlen(HASH));
}

static void
check_says_what_the_host_said(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *message;
	} cases[] = {
		{ "error\tno\\nspace\nEND 5eed facts 1\n", ABRUN_ERROR_FAILED,
		    "facts: no\\nspace" },
		{ "END 5eed facts 2\n", ABRUN_ERROR_FAILED,
		    "facts: this system has no such thing" },
		{ "error\tnot root\nEND 5eed facts 3\n", ABRUN_ERROR_VERIFY,
		    "facts: cannot tell: not root" },
		{ "", ABRUN_ERROR_VERIFY,
		    "facts: cannot tell: the answer is torn" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *text = g_strconcat(
		    "BEGIN 5eed facts protocol=1\n", cases[i].text, NULL);
		g_autoptr(VerbAnswer) answer = parse_one(text);

		assert_false(verb_answer_check(answer, &error));
		assert_true(
		    g_error_matches(error, ABRUN_ERROR, (gint)cases[i].code));
		assert_string_equal(error->message, cases[i].message);
	}
	g_autoptr(VerbAnswer) good = parse_one(FACTS);
	assert_true(verb_answer_check(good, NULL));
}

static void
an_answer_without_end_is_unknown(void **state)
{
	g_autoptr(GString) text = g_string_new("BEGIN 5eed facts protocol=1\n");

	(void)state;
	for (int i = 0; i < 10000; i++)
		g_string_append(text, "kernel\t6.1.0\n");
	g_autofree char *most =
	    g_strconcat(text->str, "END 5eed facts 0\n", NULL);
	g_autoptr(VerbAnswer) long_one = parse_one(most);
	assert_int_equal(long_one->status, VERB_DONE);
	assert_int_equal(long_one->keys->len, 10000);
	g_string_append(text, "kernel\t6.1.0\nEND 5eed facts 0\n" HASH);
	g_autoptr(GPtrArray) answers = parse(text->str);
	assert_unknown(answers->pdata[0]);
	assert_string_equal(verb_answer_get(answers->pdata[0], "error"),
	    "the answer does not come to an end");
	assert_int_equal(((VerbAnswer *)answers->pdata[1])->status, VERB_DONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_without_end_is_unknown),
		cmocka_unit_test(whole_frames_are_read_in_order),
		cmocka_unit_test(every_status_is_told_apart),
		cmocka_unit_test(noise_around_frames_is_kept_apart),
		cmocka_unit_test(values_are_unescaped),
		cmocka_unit_test(a_repeated_key_is_a_list),
		cmocka_unit_test(lines_may_end_with_carriage_returns),
		cmocka_unit_test(every_cut_of_an_answer_is_unknown),
		cmocka_unit_test(a_torn_frame_does_not_harm_the_next),
		cmocka_unit_test(a_wrong_nonce_is_noise),
		cmocka_unit_test(a_wrong_end_tears_the_frame),
		cmocka_unit_test(another_protocol_is_not_guessed_at),
		cmocka_unit_test(hostile_lines_tear_the_frame),
		cmocka_unit_test(a_value_cannot_end_its_frame),
		cmocka_unit_test(a_frame_out_of_order_answers_nothing),
		cmocka_unit_test(more_frames_than_verbs_are_noise),
		cmocka_unit_test(ten_megabytes_of_noise_are_survived),
		cmocka_unit_test(check_says_what_the_host_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
