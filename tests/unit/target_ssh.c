#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "target/ssh_config.h"
#include "target/ssh_keywords.h"
#include "target/ssh_mark.h"
#include "target/ssh_plan.h"

static SshPlan *
plan_of(const char *destination, GError **error)
{
	g_autofree char *ssh = g_strdup(destination);
	const Host host = { .name = ssh, .ssh = ssh };

	return ssh_plan_new(&host, NULL, error);
}

static void
destinations_are_taken_apart(void **state)
{
	static const struct {
		const char *text, *host, *user;
		int port;
		const char *known_name;
	} cases[] = {
		{ "me@lab", "lab", "me", 22, "lab" },
		{ "me@lab_1:2222", "lab_1", "me", 2222, "[lab_1]:2222" },
		{ "me@10.0.0.1", "10.0.0.1", "me", 22, "10.0.0.1" },
		{ "me@[fe80::1]:22", "fe80::1", "me", 22, "fe80::1" },
		{ "me@[::1]:2200", "::1", "me", 2200, "[::1]:2200" },
		{ "me@2001:db8::7", "2001:db8::7", "me", 22, "2001:db8::7" },
		{ "me@corp@lab", "lab", "me@corp", 22, "lab" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(SshPlan) plan = plan_of(cases[i].text, NULL);
		assert_non_null(plan);
		assert_string_equal(plan->host, cases[i].host);
		assert_string_equal(plan->user, cases[i].user);
		assert_int_equal(plan->port, cases[i].port);
		assert_string_equal(plan->known_name, cases[i].known_name);
	}
}

static void
destinations_that_cannot_be_are_refused(void **state)
{
	static const char *const cases[] = { "", "@lab", "me@", "lab:0",
		"lab:65536", "lab:", "lab:2x", "[::1", "[::1]2", "-F/x",
		"me@-oX", "lab one", "lab;reboot", "$(x)", "[]:22" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(SshPlan) plan = plan_of(cases[i], &error);
		assert_null(plan);
		assert_true(
		    g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_USAGE));
		assert_non_null(strstr(error->message, cases[i]));
	}
}

static void
a_pin_must_be_sha256(void **state)
{
	char name[] = "lab";
	char md5[] = "MD5:aa:bb";
	char padded[] = "SHA256:abc=";
	Host host = { .name = name, .ssh = name, .fingerprint = md5 };

	(void)state;
	g_autoptr(GError) error = NULL;
	assert_null(ssh_plan_new(&host, NULL, &error));
	assert_non_null(strstr(error->message, "MD5:aa:bb"));
	host.fingerprint = padded;
	g_autoptr(SshPlan) plan = ssh_plan_new(&host, NULL, NULL);
	assert_string_equal(plan->pin, "SHA256:abc");
}

static void
words_lose_quotes_and_comments(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) words =
	    ssh_config_words("  one \"two words\" a'b 'c # no comment", NULL);
	assert_int_equal(words->len, 3);
	assert_string_equal(g_ptr_array_index(words, 1), "two words");
	assert_string_equal(g_ptr_array_index(words, 2), "ab c");
	g_autoptr(GPtrArray) none = ssh_config_words("# all", NULL);
	assert_int_equal(none->len, 0);
	g_autoptr(GError) error = NULL;
	assert_null(ssh_config_words("\"open", &error));
	assert_non_null(strstr(error->message, "not closed"));
}

static void
a_negated_pattern_wins(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) patterns =
	    ssh_config_words("lab? !lab3 gen*", NULL);
	assert_true(ssh_config_match(patterns, 0, "lab1"));
	assert_false(ssh_config_match(patterns, 0, "lab3"));
	assert_false(ssh_config_match(patterns, 0, "lab10"));
	assert_true(ssh_config_match(patterns, 0, "generator"));
	assert_false(ssh_config_match(patterns, 0, "other"));
}

static void
tokens_are_put_in_and_others_stay(void **state)
{
	const char *const tokens[] = { "hlab", "p22", NULL };

	(void)state;
	g_autofree char *text =
	    ssh_config_expand("nc %h %p 100%% %q %", tokens);
	assert_string_equal(text, "nc lab 22 100% %q %");
}

static void
keywords_that_change_the_outcome_are_not_harmless(void **state)
{
	static const char *const named[] = { "serveraliveinterval",
		"serveralivecountmax", "connectionattempts", "certificatefile",
		"hashknownhosts", "preferredauthentications", "remotecommand",
		"revokedhostkeys", "canonicalizehostname", "setenv",
		"checkhostip", "nosuchkeyword" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(named); i++)
		assert_int_equal(
		    ssh_keyword_use(named[i]), SSH_KEYWORD_IGNORED);
	assert_int_equal(ssh_keyword_use("loglevel"), SSH_KEYWORD_HARMLESS);
	assert_int_equal(ssh_keyword_use("hostname"), SSH_KEYWORD_WORD);
}

/* Feeds text in pieces of size bytes and returns what comes out. */
static char *
filtered(SshMark *mark, const char *text, size_t size)
{
	GString *seen = g_string_new(NULL);
	const char *output = NULL;

	for (size_t done = 0; done < strlen(text); done += size) {
		const size_t n = MIN(size, strlen(text) - done);
		const size_t got =
		    ssh_mark_filter(mark, text + done, n, &output);
		g_string_append_len(seen, output, (gssize)got);
	}
	const size_t rest = ssh_mark_rest(mark, &output);
	g_string_append_len(seen, output, (gssize)rest);
	return g_string_free(seen, FALSE);
}

static void
the_mark_is_cut_out_however_it_arrives(void **state)
{
	(void)state;
	for (size_t size = 1; size < 60; size++) {
		g_auto(SshMark) mark = { 0 };
		ssh_mark_init(&mark);
		g_autofree char *text = g_strdup_printf(
		    "noise\nhalf%s 4711\nreal\n%s 12\n", mark.word, mark.word);
		g_autofree char *wanted =
		    g_strdup_printf("noise\nhalfreal\n%s 12\n", mark.word);
		g_autofree char *seen = filtered(&mark, text, size);
		assert_string_equal(seen, wanted);
		assert_int_equal(mark.pid, 4711);
	}
}

static void
without_a_mark_all_is_output(void **state)
{
	g_auto(SshMark) mark = { 0 };

	(void)state;
	ssh_mark_init(&mark);
	g_autofree char *seen = filtered(&mark, "sh: syntax error\nabrun-", 7);
	assert_string_equal(seen, "sh: syntax error\nabrun-");
	assert_int_equal(mark.pid, 0);
}

/* A login shell that talks without end must not fill our memory. */
static void
long_noise_without_a_mark_is_let_through(void **state)
{
	g_auto(SshMark) mark = { 0 };
	g_autofree char *noise = g_strnfill(4096, 'x');
	const char *output = NULL;
	size_t let = 0;

	(void)state;
	ssh_mark_init(&mark);
	for (int i = 0; i < 16; i++)
		let += ssh_mark_filter(&mark, noise, 4096, &output);
	assert_int_equal(let, 65536);
	assert_true(mark.over);
	assert_int_equal(ssh_mark_filter(&mark, noise, 10, &output), 10);
	assert_ptr_equal(output, noise);
}

static void
a_mark_without_a_number_gives_no_process(void **state)
{
	g_auto(SshMark) mark = { 0 };

	(void)state;
	ssh_mark_init(&mark);
	g_autofree char *text = g_strdup_printf("%s -1\nx", mark.word);
	g_autofree char *seen = filtered(&mark, text, 100);
	assert_string_equal(seen, "x");
	assert_int_equal(mark.pid, 0);
}

static void
endless_noise_is_not_held_back(void **state)
{
	g_auto(SshMark) mark = { 0 };
	g_autofree char *noise = g_strnfill(200000, 'n');

	(void)state;
	ssh_mark_init(&mark);
	g_autofree char *seen = filtered(&mark, noise, 4096);
	assert_string_equal(seen, noise);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(destinations_are_taken_apart),
		cmocka_unit_test(destinations_that_cannot_be_are_refused),
		cmocka_unit_test(a_pin_must_be_sha256),
		cmocka_unit_test(words_lose_quotes_and_comments),
		cmocka_unit_test(a_negated_pattern_wins),
		cmocka_unit_test(tokens_are_put_in_and_others_stay),
		cmocka_unit_test(
		    keywords_that_change_the_outcome_are_not_harmless),
		cmocka_unit_test(the_mark_is_cut_out_however_it_arrives),
		cmocka_unit_test(without_a_mark_all_is_output),
		cmocka_unit_test(long_noise_without_a_mark_is_let_through),
		cmocka_unit_test(a_mark_without_a_number_gives_no_process),
		cmocka_unit_test(endless_noise_is_not_held_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
